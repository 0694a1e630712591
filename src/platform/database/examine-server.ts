import type pg from 'pg';
import type { Logger } from '../telemetry/logger.js';
import { MOST_CONNECTIONS } from './open-database.js';

/** Limits of connections: of the server, without those that it reserves, of the database and of the role; -1 is none. */
const LIMITS = `select current_setting('server_encoding') as encoding,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as server,
  (select datconnlimit from pg_database where datname = current_database()) as database,
  (select rolconnlimit from pg_roles where rolname = current_user) as role`;

interface LimitsRow {
  readonly encoding: string;
  readonly server: number;
  readonly database: number;
  readonly role: number;
}

/**
 * Examines the server for a service, and warns if it allows too few connections.
 * @throws Error for a database that cannot store every text
 */
export async function examineServer(pool: pg.Pool, logger: Logger): Promise<void> {
  const { rows } = await pool.query<LimitsRow>(LIMITS);
  const { encoding, server, database, role } = rows[0]!;
  if (encoding !== 'UTF8') {
    throw new Error(
      `The database of DATABASE_URL has the encoding ${encoding}, which cannot store every text. Create it with ` +
        `"create database recount encoding 'UTF8' template template0".`,
    );
  }
  const allowed = Math.min(...[server, database, role].filter((limit) => limit >= 0));
  if (allowed >= MOST_CONNECTIONS) return;
  logger.warn(
    { allowed, needed: MOST_CONNECTIONS },
    'PostgreSQL allows fewer connections than a process uses under load; its requests would fail then. ' +
      'Raise max_connections, or the limit of the role or the database.',
  );
}
