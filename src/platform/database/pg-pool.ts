import type { Duplex } from 'node:stream';
import pg from 'pg';
import { parseInstant, type Instant } from '../../kernel/instant.js';
import { isInBackground } from '../concurrency/long-work.js';
import { beginSession, KEEPALIVE, type SessionSettings } from './session.js';

/** Longest wait for a connection. */
const CONNECT_WITHIN_MS = 10_000;
/**
 * Time in which the server answers that it has ended a statement. Without an answer the driver gives the statement up, and
 * its connection is of no use until the server has executed it.
 */
const ANSWERS_WITHIN_MS = 5_000;
/** Idle time after which a connection closes. A new one costs some 30 ms of processor time, so a burst would be slow. */
const IDLE_MS = 600_000;

export interface PoolOptions {
  /** Settings of the sessions beside those of `beginSession`. */
  readonly settings?: SessionSettings;
  /** Time after which PostgreSQL ends a session that is idle in a transaction; default no limit. */
  readonly idleInTransactionMs?: number | undefined;
  /** Time after which the server ends a statement; default no limit. */
  readonly queryTimeoutMs?: number | undefined;
  /** Class of the connections; default the driver's own. */
  readonly client?: typeof pg.Client | undefined;
  /** Pool for background work while all connections of this one are taken; default none. */
  readonly reserve?: pg.Pool | undefined;
}

/**
 * Creates a pool with sessions in UTC and values parsed by `pgTypes`. `onIdleError` receives the errors of idle
 * connections, such as after a restart of the server; statements report their own errors.
 */
export function createPool(
  url: string,
  onIdleError: (error: Error) => void,
  max = 10,
  { settings, idleInTransactionMs, queryTimeoutMs, client, reserve }: PoolOptions = {},
): pg.Pool {
  // The pool waits for the promise, which its types leave out.
  const begin = (connected: pg.ClientBase): unknown =>
    beginSession(connected, {
      ...(queryTimeoutMs ? { statement_timeout: String(queryTimeoutMs) } : {}),
      ...(idleInTransactionMs ? { idle_in_transaction_session_timeout: String(idleInTransactionMs) } : {}),
      ...settings,
    });
  const pool = new PoolWithReserve(reserve, {
    connectionString: url,
    max,
    types: pgTypes,
    application_name: 'recount',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE.idleSeconds * 1_000,
    ...(queryTimeoutMs ? { query_timeout: queryTimeoutMs + ANSWERS_WITHIN_MS } : {}),
    ...(client ? { Client: client as new () => pg.ClientBase } : {}),
    onConnect: begin,
  });
  // A pool that closes does not wait until its idle connections are gone; how they end is no news.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError(error);
  });
  // A connection that breaks in use fails its statement. Without a listener its event would end the process too.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    pauseInLargeAnswers((client as pg.Client).connection.stream);
  });
  return pool;
}

/** Size of the buffer into which Node reads from a socket: a full one means that more is there. */
const FULL_PART = 64 * 1024;

/**
 * Yields after each full part of an answer. Node takes up to 32 parts in one turn of the event loop, which are 2 MB of
 * rows to parse.
 */
function pauseInLargeAnswers(stream: Duplex): void {
  stream.on('data', (part: Buffer) => {
    if (part.length < FULL_PART) return;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}

/** Pool whose background work uses a reserve instead of waiting for requests. */
class PoolWithReserve extends pg.Pool {
  constructor(
    private readonly reserve: pg.Pool | undefined,
    config: pg.PoolConfig,
  ) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: PoolCallback): void;
  override connect(callback?: PoolCallback): Promise<pg.PoolClient> | void {
    if (this.reserve && this.#isTaken() && isInBackground())
      return callback ? this.reserve.connect(callback) : this.reserve.connect();
    return callback ? super.connect(callback) : super.connect();
  }

  #isTaken(): boolean {
    return this.totalCount >= this.options.max && this.idleCount <= this.waitingCount;
  }
}

type PoolCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Connections for API keys, which take well under a millisecond each. */
const KEY_CONNECTIONS = 2;
/** Connections for long reads; commands and short statements have the others. */
export const LONG_READ_CONNECTIONS = 4;
/** Connections for answers as of a moment, each with its own temporary tables. */
export const PAST_READ_CONNECTIONS = 3;
/** Connections for batches of projections. Each remembers the statements that it has prepared. */
const READ_MODEL_CONNECTIONS = 4;
/** Connections for background work while requests have all others. Three of them may be sessions that last: leases and the listener for appends. */
const BACKGROUND_CONNECTIONS = 6;
/** Connections of all these pools. */
export const RESERVED_CONNECTIONS =
  KEY_CONNECTIONS +
  LONG_READ_CONNECTIONS +
  PAST_READ_CONNECTIONS +
  READ_MODEL_CONNECTIONS +
  BACKGROUND_CONNECTIONS;
/** Time after which PostgreSQL cancels a long read. */
const LONG_READ_WITHIN_MS = 20_000;

/** Pools that other work cannot use up. */
export interface ReservedPools {
  /** Looks up API keys. */
  readonly keys: pg.Pool;
  /** Runs long reads of requests, such as counts over many rows, with a time limit. */
  readonly longReads: pg.Pool;
  /** Runs reads as of a moment. */
  readonly past: pg.Pool;
  /** Writes rows of read models, which it finds by their keys also where tables were empty when a statement was prepared. */
  readonly readModels: pg.Pool;
  /** Runs background work, such as schedulers, while requests have all other connections (`PoolOptions.reserve`). */
  readonly background: pg.Pool;
}

/** @param options class of the connections, and limits of those for background work */
export const openReservedPools = (
  url: string,
  onIdleError: (error: Error) => void,
  { client, ...limits }: PoolOptions,
): ReservedPools => ({
  background: createPool(url, onIdleError, BACKGROUND_CONNECTIONS, { client, ...limits }),
  keys: createPool(url, onIdleError, KEY_CONNECTIONS, { client }),
  longReads: longReads(url, onIdleError, LONG_READ_CONNECTIONS, client),
  past: longReads(url, onIdleError, PAST_READ_CONNECTIONS, client),
  readModels: createPool(url, onIdleError, READ_MODEL_CONNECTIONS, { client, ...limits, settings: BY_KEY }),
});

/**
 * Settings for prepared statements that find each row by its key: one that is prepared while a table is empty would scan it
 * later. The first plan serves all runs, as the values make no difference; by default it would be the sixth.
 */
const BY_KEY = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

const longReads = (
  url: string,
  onIdleError: (error: Error) => void,
  max: number,
  client: PoolOptions['client'],
): pg.Pool =>
  createPool(url, onIdleError, max, {
    client,
    // A long read uses one processor; with parallel workers a few would use all.
    settings: { statement_timeout: String(LONG_READ_WITHIN_MS), max_parallel_workers_per_gather: '0' },
  });

/** Text of a `timestamptz` in a UTC session, for the years 1 to 9999. */
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

type Parser = (text: string) => unknown;

/**
 * Parses values of PostgreSQL for one connection: `timestamptz` becomes an `Instant` with microseconds; `int8` and
 * `numeric` stay text, as a JS number would lose digits; `date` and `timestamp` stay text, as neither is an instant.
 */
const pgTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && PARSERS.get(oid as number)) || pg.types.getTypeParser(oid, format),
};

export function instantFromPg(text: string): Instant {
  if (IN_UTC.test(text)) {
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(6, '0')}Z` as Instant;
  }
  const utc = text.endsWith('+00') ? `${text.slice(0, -3)}Z` : text.replace(/([+-]\d{2})$/, '$1:00');
  const parsed = parseInstant(utc);
  if (parsed === undefined) throw new RangeError(`This timestamptz is not an instant: ${text}`);
  return parsed;
}

const asText: Parser = (text) => text;
const arrayOf =
  (element: Parser): Parser =>
  (text) =>
    textArray(text).map((item) => (item === null ? null : element(item)));

/** Parser of one-dimensional `text[]` of the driver. */
const TEXT_ARRAY = 1009 as number as Parameters<typeof pg.types.getTypeParser>[0];
const textArray = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => (string | null)[];

const { INT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** Parsers by type. The numbers are array types without names in the driver: int8[], numeric[], date[], timestamp[], timestamptz[]. */
const PARSERS = new Map<number, Parser>([
  [INT8, asText],
  [NUMERIC, asText],
  [DATE, asText],
  [TIMESTAMP, asText],
  [TIMESTAMPTZ, instantFromPg],
  [1016, arrayOf(asText)],
  [1231, arrayOf(asText)],
  [1182, arrayOf(asText)],
  [1115, arrayOf(asText)],
  [1185, arrayOf(instantFromPg)],
]);
