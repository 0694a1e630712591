import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { pastMoment } from '../as-of/moment.js';
import { sqlState } from './sql-state.js';
import type { Logger } from '../telemetry/logger.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createPool, openReservedPools, RESERVED_CONNECTIONS, type ReservedPools } from './pg-pool.js';
import { requireSessions } from './session.js';
import { DatabaseWatchdog, WATCH_SESSION } from './database-watchdog.js';

/** Connections for requests, the event log and the leases. */
const CONNECTIONS = 16;
/** Connections of work without a time limit, while it lasts. */
const UNLIMITED_CONNECTIONS = 4;
/** Connection of the watchdog. */
const WATCH_CONNECTIONS = 1;
/** Most connections that a process has at a time. */
export const MOST_CONNECTIONS =
  CONNECTIONS + RESERVED_CONNECTIONS + UNLIMITED_CONNECTIONS + WATCH_CONNECTIONS;
/** Limit of one statement. `DatabaseWatchdog` notices a frozen server earlier. */
const LONGEST_STATEMENT_MS = 60_000;
/** Longest time that a process frozen within a transaction holds its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;

interface DatabaseConfig {
  /** URL of a server; undefined for an embedded one in `<dataDir>/pg`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
  readonly embeddedPort?: number | undefined;
  readonly embeddedReaderPassword?: string | undefined;
}

/** The database takes no writes, as a standby or a former primary server. */
export class ReadOnlyDatabase extends Error {
  override readonly name = 'ReadOnlyDatabase';
}

/**
 * Connections of the process to PostgreSQL, and their injection token. Within a request as of a moment, `db`, `pool` and
 * `reserved.longReads` return pools that read the read models of that moment, so do not keep them in fields.
 */
export class Database {
  readonly #db: Kysely<Record<never, never>>;

  constructor(
    private readonly present: pg.Pool,
    /** URL with the password; never log it. */
    readonly url: string,
    private readonly stopServer: () => Promise<void>,
    private readonly pools: ReservedPools = {
      keys: present,
      longReads: present,
      past: present,
      readModels: present,
      background: present,
    },
    /** Resolves when the embedded server has ended for good. */
    readonly lost: Promise<Error> = new Promise(() => {}),
    /** Name of the session of this process's watchdog. */
    private readonly watchSession: string = WATCH_SESSION,
  ) {
    this.#db = new Kysely({ dialect: new PostgresDialect({ pool: present }) });
  }

  /** Query builder without tables; a module adds its own with `db.withTables<{ things: ThingRow }>()`. */
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

  /**
   * Returns whether another process works on this database, by the sessions of watchdogs.
   * @throws ReadOnlyDatabase
   */
  async isShared(): Promise<boolean> {
    const { rows } = await this.present.query<{ shared: boolean; read_only: boolean }>({
      name: 'other-processes',
      text: `select exists (
          select from pg_stat_activity
          where datname = current_database() and starts_with(application_name, $1) and application_name <> $2
        ) as shared, current_setting('transaction_read_only')::boolean as read_only`,
      values: [WATCH_SESSION, this.watchSession],
    });
    if (rows[0]!.read_only) throw new ReadOnlyDatabase('The database is read-only.');
    return rows[0]!.shared;
  }

  /** Runs work on connections without a time limit, for statements that may take hours, such as migrations and rebuilds. */
  async withoutLimit<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const pool = createPool(this.url, () => {}, UNLIMITED_CONNECTIONS);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  /** Closes the connections, then stops the embedded server if this process owns it. */
  async close(): Promise<void> {
    await this.#db.destroy();
    // Kysely closes only a pool that it has used.
    for (const pool of [this.present, ...(Object.values(this.pools) as pg.Pool[])])
      if (!pool.ending) await pool.end();
    await this.stopServer();
  }
}

/**
 * Connects to PostgreSQL, and starts the embedded one first if there is no URL.
 * @param limits whether statements have a time limit
 * @throws Error if the server does not answer
 */
export async function openDatabase(
  config: DatabaseConfig,
  logger: Logger,
  limits: 'limited' | 'unlimited' = 'limited',
): Promise<Database> {
  const onRestart = (): void => logger.warn({}, 'The embedded PostgreSQL ended and was started again.');
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres(join(config.dataDir, 'pg'), {
        onRestart,
        port: config.embeddedPort,
        readerPassword: config.embeddedReaderPassword,
      });
  const url = config.databaseUrl ?? embedded!.url;
  const onIdleError = (error: Error): void =>
    logger.warn({ err: error }, 'An idle database connection broke.');
  const watch = new DatabaseWatchdog(url, logger);
  const { client } = watch;
  const limit =
    limits === 'limited'
      ? { queryTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: IDLE_IN_TRANSACTION_MS }
      : {};
  const reserved = openReservedPools(url, onIdleError, { ...limit, client });
  const pool = createPool(url, onIdleError, CONNECTIONS, {
    ...limit,
    client,
    reserve: reserved.background,
  });
  const stop = async (): Promise<void> => {
    await watch.stop();
    await embedded?.stop();
  };
  const database = new Database(pool, url, stop, reserved, embedded?.lost, watch.name);
  try {
    await answer(pool);
    await requireSessions(pool);
    watch.start();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** @throws Error with the reason why the server does not answer */
async function answer(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    const advice = ADVICE.find(([cause]) => cause.test(`${code} ${message}`))?.[1] ?? '';
    throw new Error(`The database does not answer: ${message || code}${advice}`, { cause: error });
  }
}

/** Advice for errors of the driver that give none. */
const ADVICE: readonly (readonly [cause: RegExp, advice: string])[] = [
  [/client password must be/, '. The server asks for a password, and DATABASE_URL has none.'],
  [
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    '. Name the authority of its certificate in DATABASE_URL: sslmode=verify-full&sslrootcert=FILE.',
  ],
];

/**
 * Runs work in one transaction. An error rolls back; a connection that cannot roll back is closed. If the connection
 * breaks during the commit, the outcome is unknown.
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
    // After a timeout the statement is still under way, so its connection cannot be used again.
    broken = isReadTimeout(error);
    if (!broken) await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * SQLSTATE classes of the server or the connection: connection, transaction state (idle too long, read-only after a
 * failover), resources, lock not available, operator intervention, system.
 */
const SERVER_ERRORS = new Set(['08', '25', '53', '55', '57', '58']);

/** Returns whether the statement and its values caused the error, so that a repeat fails too. */
export function isStatementError(error: unknown): boolean {
  const code = sqlState(error);
  return code !== undefined && !SERVER_ERRORS.has(code.slice(0, 2));
}

/** SQLSTATE of a statement that the server cancelled. */
const CANCELLED = '57014';

/** Returns whether one statement took too long; others may succeed. */
export const isStatementTimeout = (error: unknown): boolean =>
  isReadTimeout(error) || sqlState(error) === CANCELLED;

const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';
