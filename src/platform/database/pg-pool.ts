import pg from 'pg';
import { pgTypes } from './pg-types.js';

/** A connection is established, or comes free, within so long, or whoever wants it is told that there is none. */
const CONNECT_WITHIN_MS = 10_000;
/** A machine that is gone without a word is noticed within half a minute, by both ends. */
const KEEPALIVE = { idleSeconds: 10, intervalSeconds: 5, count: 4 };

/**
 * A connection is kept this long without use. A new one costs its first users some 30 ms of processor time each, so a
 * burst after a calm would hold up everybody.
 */
const IDLE_MS = 600_000;

const SESSION = [
  'timezone=UTC',
  `tcp_keepalives_idle=${KEEPALIVE.idleSeconds}`,
  `tcp_keepalives_interval=${KEEPALIVE.intervalSeconds}`,
  `tcp_keepalives_count=${KEEPALIVE.count}`,
];

export interface PoolOptions {
  /** Of its sessions, such as `statement_timeout=20000`. */
  readonly settings?: readonly string[];
  /** A session that says nothing for so long in a transaction is ended, with its locks; default: never. */
  readonly idleInTransactionMs?: number | undefined;
  /** A statement that is not answered by then fails, and its connection ends; default: however long it takes. */
  readonly queryTimeoutMs?: number | undefined;
  /** What makes connections; default the driver's own. */
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
