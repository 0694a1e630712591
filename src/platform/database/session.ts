import type pg from 'pg';

/** TCP keepalive: both ends notice within half a minute that the other machine is gone. */
export const KEEPALIVE = { idleSeconds: 10, intervalSeconds: 5, count: 4 };

/** Longest wait for the first answer, for which a connection pooler may wait until it has a connection to the server. */
const FIRST_ANSWER_WITHIN_MS = 10_000;

/**
 * Settings of every session. They replace those of the role, of the database and of the URL: on these the meaning of
 * statements and the text of values depend, or how long a statement may take.
 */
const SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  // Appends and leases read what others have committed while they waited for a lock.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // Just-in-time compilation takes a third of the time of a report, each time.
  jit: 'off',
  tcp_keepalives_idle: String(KEEPALIVE.idleSeconds),
  tcp_keepalives_interval: String(KEEPALIVE.intervalSeconds),
  tcp_keepalives_count: String(KEEPALIVE.count),
};

export type SessionSettings = Readonly<Record<string, string>>;

/** Applies settings by a statement, as poolers refuse them in the startup message. A setting that the server does not know is left out. */
const BEGIN_SESSION = `select pg_backend_pid() as pid, (
  select count(set_config(s.name, s.value, false)) from unnest($1::text[], $2::text[]) as s (name, value)
  where current_setting(s.name, true) is not null) as applied`;

/** Process ids of the servers behind connections. A pooler tells its clients another one. */
const PIDS = new WeakMap<object, number>();

/** Returns the process id of the server behind a connection of a pool. */
export const serverOf = (client: pg.PoolClient): number => PIDS.get(client)!;

/** Begins the session of a new connection. @throws Error if the server does not answer in time */
export async function beginSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const all = { ...SETTINGS, ...settings };
  const statement = {
    text: BEGIN_SESSION,
    values: [Object.keys(all), Object.values(all)],
    query_timeout: FIRST_ANSWER_WITHIN_MS,
  };
  const { rows } = await client.query<{ pid: number }>(statement);
  PIDS.set(client, rows[0]!.pid);
}

/** Number of times that a pooler is asked; it may serve others meanwhile. */
const ROUNDS = 3;

/**
 * Requires that each connection has a session of its own, for its settings, prepared statements, locks and notifications.
 * @throws Error behind a pooler that gives a session to another client after each transaction
 */
export async function requireSessions(pool: pg.Pool): Promise<void> {
  const one = await pool.connect();
  let other: pg.PoolClient | undefined;
  try {
    if (serverOf(one) === (one as pg.PoolClient & { readonly processID: number }).processID) return;
    other = await pool.connect();
    const isKept = serverOf(one) !== serverOf(other) && (await keepsServers([one, other]));
    if (!isKept) throw new Error(POOLS_TRANSACTIONS);
  } finally {
    one.release();
    other?.release();
  }
}

async function keepsServers(clients: readonly pg.PoolClient[]): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++)
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      if (rows[0]!.pid !== serverOf(client)) return false;
    }
  return true;
}

const POOLS_TRANSACTIONS =
  'DATABASE_URL leads to a connection pooler that gives a session to another client after each transaction. Recount ' +
  'needs sessions of its own: set session mode for this database (PgBouncer: pool_mode=session), or name the server itself.';
