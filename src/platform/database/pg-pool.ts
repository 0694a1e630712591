import pg from 'pg';
import { parseInstant, type Instant } from '../../kernel/instant.js';

/** A request for a connection fails when none is established or free after this time. */
const CONNECT_WITHIN_MS = 10_000;
/** Both ends notice within half a minute that the other machine is gone. */
const KEEPALIVE = { idleSeconds: 10, intervalSeconds: 5, count: 4 };

/**
 * A connection is kept this long without use. A new one costs its first users some 30 ms of processor time each, so a
 * burst after a calm would hold up everybody.
 */
const IDLE_MS = 600_000;

const SESSION = [
  'timezone=UTC',
  // Compiling a report takes a third of its time, and is done anew for each.
  'jit=off',
  `tcp_keepalives_idle=${KEEPALIVE.idleSeconds}`,
  `tcp_keepalives_interval=${KEEPALIVE.intervalSeconds}`,
  `tcp_keepalives_count=${KEEPALIVE.count}`,
];

export interface PoolOptions {
  /** Settings of its sessions, such as `statement_timeout=20000`. */
  readonly settings?: readonly string[];
  /** PostgreSQL ends a session that is idle in a transaction for this long, with its locks; default: never. */
  readonly idleInTransactionMs?: number | undefined;
  /** A statement without an answer after this time fails, and its connection ends; default: no limit. */
  readonly queryTimeoutMs?: number | undefined;
  /** The class of its connections; default the driver's own. */
  readonly client?: typeof pg.Client | undefined;
}

/**
 * A pool whose sessions speak UTC and whose values come out as `pgTypes` says. `onIdleError` hears of connections
 * that break while nobody uses them (a restarted server); queries report their own errors.
 */
export function createPool(
  url: string,
  onIdleError: (error: Error) => void,
  max = 10,
  { settings = [], idleInTransactionMs, queryTimeoutMs, client }: PoolOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: pgTypes,
    options: [...SESSION, ...settings].map((setting) => `-c ${setting}`).join(' '),
    application_name: 'recount',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE.idleSeconds * 1_000,
    ...(idleInTransactionMs ? { idle_in_transaction_session_timeout: idleInTransactionMs } : {}),
    ...(queryTimeoutMs ? { query_timeout: queryTimeoutMs } : {}),
    ...(client ? { Client: client as new () => pg.ClientBase } : {}),
  });
  pool.on('error', onIdleError);
  // a connection that breaks in use fails its statement; unheard, its event would end the process as well
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Every request looks its key up, in a statement of well under a millisecond. */
const FOR_KEYS = 2;
/** Long reads at once; all other connections are left to commands and short statements. */
export const LONG_READ_CONNECTIONS = 4;
/** Answers as of a moment of the past at once; each has a connection of its own with its tables. */
export const PAST_READ_CONNECTIONS = 3;
/** PostgreSQL ends a long read after this time. */
const LONG_READ_WITHIN_MS = 20_000;

/** Connections that no other work can hold. */
export interface ReservedPools {
  /** For looking up API keys. */
  readonly keys: pg.Pool;
  /** For long reads that requests ask for, such as counts over many rows; their statements have a time limit. */
  readonly longReads: pg.Pool;
  /** For answers as of a moment of the past. */
  readonly past: pg.Pool;
}

/** @param client makes their connections */
export const openReservedPools = (
  url: string,
  onIdleError: (error: Error) => void,
  client: PoolOptions['client'],
): ReservedPools => ({
  keys: createPool(url, onIdleError, FOR_KEYS, { client }),
  longReads: longReads(url, onIdleError, LONG_READ_CONNECTIONS, client),
  past: longReads(url, onIdleError, PAST_READ_CONNECTIONS, client),
});

const longReads = (
  url: string,
  onIdleError: (error: Error) => void,
  max: number,
  client: PoolOptions['client'],
): pg.Pool =>
  createPool(url, onIdleError, max, {
    client,
    // A long read takes one processor: with parallel workers, a few would take all of them.
    settings: [`statement_timeout=${LONG_READ_WITHIN_MS}`, 'max_parallel_workers_per_gather=0'],
  });

/** As sessions that speak UTC show them, all but those before the year 1 and after 9999. */
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

type Parser = (text: string) => unknown;

/**
 * Parses the values of PostgreSQL, per connection and not for the whole process: `timestamptz` is an `Instant` with its
 * microseconds; `int8` and `numeric` stay text, as a JS number would lose digits (BigInt() them where one computes);
 * `date` and `timestamp` stay text, as neither is an instant.
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
  if (parsed === undefined) throw new RangeError(`a timestamptz that is not an instant: ${text}`);
  return parsed;
}

const asText: Parser = (text) => text;
const arrayOf =
  (element: Parser): Parser =>
  (text) =>
    textArray(text).map((item) => (item === null ? null : element(item)));

/** The driver's own parser of `text[]`, for one dimension. */
const TEXT_ARRAY = 1009 as number as Parameters<typeof pg.types.getTypeParser>[0];
const textArray = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => (string | null)[];

const { INT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** The second group are the array types, which have no names in the driver: int8[], timestamp[], timestamptz[] … */
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
