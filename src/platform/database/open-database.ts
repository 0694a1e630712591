import { join } from 'node:path';
import { Kysely, PostgresDialect, type Compilable } from 'kysely';
import type pg from 'pg';
import { pastMoment } from '../as-of/moment.js';
import type { Logger } from '../telemetry/logger.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createPool, openReservedPools, type ReservedPools } from './pg-pool.js';
import { DatabaseWatchdog } from './database-watchdog.js';
import type { Pool } from 'pg';
import { hash } from 'node:crypto';

/** Connections for requests, projections (one each), the event log and the leases. */
const CONNECTIONS = 20;
/**
 * Limit of one statement that never ends. `DatabaseWatchdog` notices a server that does not answer at all long before.
 */
const LONGEST_STATEMENT_MS = 60_000;
/** A process frozen within a transaction holds its locks for at most this time. */
const IDLE_IN_TRANSACTION_MS = 10_000;

interface DatabaseConfig {
  /** A server of one's own; without it one is embedded, in `<dataDir>/pg`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
  readonly embeddedPort?: number | undefined;
  readonly embeddedReaderPassword?: string | undefined;
}

/**
 * The process's connections to PostgreSQL. Also the token under which Nest hands it out. Within a request as of a moment,
 * `db`, `pool` and the long reads show the read models as they were; what was taken from them before shows the present.
 */
export class Database {
  readonly #db: Kysely<Record<never, never>>;

  constructor(
    private readonly present: pg.Pool,
    /** Contains the password: for connections only, never for a log line. */
    readonly url: string,
    private readonly stopServer: () => Promise<void>,
    /** Default: everything shares the one pool. */
    private readonly pools: ReservedPools = { keys: present, longReads: present, past: present },
    /** Resolves when the embedded server has ended and does not come back. */
    readonly lost: Promise<Error> = new Promise(() => {}),
  ) {
    this.#db = new Kysely({ dialect: new PostgresDialect({ pool: present }) });
  }

  /** Knows no tables: a module adds its own with `db.withTables<{ things: ThingRow }>()`. */
  get db(): Kysely<Record<never, never>> {
    return pastMoment()?.db ?? this.#db;
  }

  get pool(): pg.Pool {
    return pastMoment()?.pool ?? this.present;
  }

  get reserved(): ReservedPools {
    const past = pastMoment();
    return past ? { ...this.pools, longReads: past.pool } : this.pools;
  }

  /** For work whose statements may take hours, such as migrations and rebuilds: connections of their own, without limit. */
  async withoutLimit<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const pool = createPool(this.url, () => {}, 4);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  /** Ends the connections, then the embedded server if this process answers for it. */
  async close(): Promise<void> {
    await this.#db.destroy();
    // Kysely ends the pool only if it has used it.
    for (const pool of [this.present, this.pools.keys, this.pools.longReads, this.pools.past])
      if (!pool.ending) await pool.end();
    await this.stopServer();
  }
}

/**
 * @param limits whether a statement has to end within a minute, as those of requests have
 * @throws Error when neither the server nor the embedded one can be reached
 */
export async function openDatabase(
  config: DatabaseConfig,
  logger: Logger,
  limits: 'limited' | 'unlimited' = 'limited',
): Promise<Database> {
  const onRestart = (): void => logger.warn({}, 'The embedded PostgreSQL had ended and was started again.');
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres(join(config.dataDir, 'pg'), {
        onRestart,
        port: config.embeddedPort,
        readerPassword: config.embeddedReaderPassword,
      });
  const url = config.databaseUrl ?? embedded!.url;
  const heard = (error: Error): void => logger.warn({ err: error }, 'An idle database connection broke.');
  const watch = new DatabaseWatchdog(url, logger);
  const { client } = watch;
  const limit =
    limits === 'limited'
      ? { queryTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: IDLE_IN_TRANSACTION_MS }
      : {};
  const pool = createPool(url, heard, CONNECTIONS, { ...limit, client });
  const stop = async (): Promise<void> => {
    await watch.stop();
    await embedded?.stop();
  };
  const reserved = openReservedPools(url, heard, client);
  const database = new Database(pool, url, stop, reserved, embedded?.lost);
  try {
    await pool.query('select 1');
    watch.start();
  } catch (error) {
    await database.close();
    const { message, code } = error as Error & { code?: string };
    throw new Error(`The database does not answer: ${message || code}`, { cause: error });
  }
  return database;
}

/**
 * Runs the work in one transaction on one connection of the pool; what it throws rolls back. A connection that cannot
 * even roll back is thrown away. When it broke at the commit, the outcome is unknown to the caller.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A statement that was not answered in time is still under way: nothing can be said on its connection.
    broken = error instanceof Error && error.message === 'Query read timeout';
    if (!broken) await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs a query of Kysely as a prepared statement, which each connection parses and resolves once: for a join of three
 * read models that takes PostgreSQL 0.7 ms, running it 0.1 ms. For statements with few forms, as each form is kept by each
 * connection: lists of values go into an array, not into one parameter each.
 */
export async function executePrepared<Row extends object>(
  pool: Pool,
  name: string,
  query: Compilable<Row>,
): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  // The driver refuses one name for two texts.
  const form = hash('sha1', sql).slice(0, 12);
  const { rows } = await pool.query<Row>({ name: `${name}-${form}`, text: sql, values: [...parameters] });
  return rows;
}

/**
 * SQLSTATE classes that speak of the server or the connection, not of the statement: connection, transaction state
 * (idle too long, read-only after a failover), resources, lock not available, operator intervention, system.
 */
const TROUBLE = new Set(['08', '25', '53', '55', '57', '58']);

/** A fault of this statement on these values: another statement, or the same one later, may do no better. */
export function isStatementError(error: unknown): boolean {
  const code = sqlState(error);
  return code !== undefined && !TROUBLE.has(code.slice(0, 2));
}

/** Only what the server reported has one; Node's socket errors carry names such as ECONNRESET. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
