import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../telemetry/logger.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createPool } from './pg-pool.js';
import { openReservedPools, type ReservedPools } from './reserved-pools.js';

/** Requests beside the projections, each of which may hold one, the log and the leases. */
const CONNECTIONS = 20;

interface DatabaseConfig {
  /** A server of one's own; without it one is embedded, in `<dataDir>/pg`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}

/** The process's connections to PostgreSQL. Also the token under which Nest hands it out. */
export class Database {
  /** Knows no tables: a module adds its own with `db.withTables<{ plans: PlanRow }>()`. */
  readonly db: Kysely<Record<never, never>>;

  constructor(
    readonly pool: pg.Pool,
    /** With its password: for connections of our own, never for a log. */
    readonly url: string,
    private readonly stopServer: () => Promise<void>,
    /** Without any, everything shares the one pool. */
    readonly reserved: ReservedPools = { keys: pool, counting: pool },
  ) {
    this.db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  }

  /** Ends the connections, then the embedded server if this process answers for it. */
  async close(): Promise<void> {
    await this.db.destroy();
    // Kysely ends the pool only if it has used it.
    for (const pool of [this.pool, this.reserved.keys, this.reserved.counting])
      if (!pool.ending) await pool.end();
    await this.stopServer();
  }
}

/** @throws Error when neither the server nor the embedded one can be reached */
export async function openDatabase(config: DatabaseConfig, logger: Logger): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(join(config.dataDir, 'pg'));
  const url = config.databaseUrl ?? embedded!.url;
  const heard = (error: Error): void => logger.warn({ err: error }, 'An idle database connection broke.');
  const pool = createPool(url, heard, CONNECTIONS);
  const database = new Database(pool, url, async () => embedded?.stop(), openReservedPools(url, heard));
  try {
    await pool.query('select 1');
  } catch (error) {
    await database.close();
    const { message, code } = error as Error & { code?: string };
    throw new Error(`The database does not answer: ${message || code}`, { cause: error });
  }
  return database;
}
