import pg from 'pg';
import { pgTypes } from './pg-types.js';

/**
 * A pool whose sessions speak UTC and whose values come out as `pgTypes` says. `onIdleError` hears of connections
 * that break while nobody uses them (a restarted server); queries report their own errors.
 * @param settings further ones of each session: `-c name=value`
 */
export function createPool(
  url: string,
  onIdleError: (error: Error) => void,
  max = 10,
  settings = '',
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: pgTypes,
    options: `-c timezone=UTC ${settings}`,
    application_name: 'recount',
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', onIdleError);
  // a connection that breaks in use fails its statement; unheard, its event would end the process as well
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
