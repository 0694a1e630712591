import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../telemetry/logger.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createPool } from './pg-pool.js';

export interface DatabaseConfig {
  /** A server of one's own; without it one is embedded, in `<dataDir>/pg`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}

/** A class, so that it is its own injection token; `openDatabase` makes the one there is. */
export abstract class Database {
  abstract readonly pool: pg.Pool;
  /** Knows no tables: a module adds its own with `db.withTables<{ plans: PlanRow }>()`. */
  abstract readonly db: Kysely<Record<never, never>>;
  /** With its password: for other processes of ours, never for a log. */
  abstract readonly url: string;
  /** Ends the connections, then the embedded server if this process started it. */
  abstract close(): Promise<void>;
}

/** @throws Error when neither the server nor the embedded one can be reached */
export async function openDatabase(config: DatabaseConfig, logger: Logger): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(join(config.dataDir, 'pg'));
  const url = config.databaseUrl ?? embedded!.url;
  const pool = createPool(url, (error) => logger.warn({ err: error }, 'An idle database connection broke.'));
  try {
    await pool.query('select 1');
  } catch (error) {
    await embedded?.stop();
    throw new Error(`The database does not answer: ${(error as Error).message}`, { cause: error });
  }
  const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    db,
    url,
    close: async () => {
      await db.destroy();
      await embedded?.stop();
    },
  };
}
