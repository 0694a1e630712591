import type pg from 'pg';
import type { Logger } from '../telemetry/logger.js';
import { StoreUnavailable } from '../eventsourcing/store/event-store.js';
import { MOST_CONNECTIONS } from './open-database.js';

/**
 * Reads the limits of connections: of the server, without those that it reserves, of the database and of the role; -1 is
 * none. `elsewhere` is another schema with the tables of a service, where this one has none yet.
 */
const LIMITS = `select current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only')::boolean as read_only,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as server,
  (select datconnlimit from pg_database where datname = current_database()) as database,
  (select rolconnlimit from pg_roles where rolname = current_user) as role,
  (select quote_ident(n.nspname) from pg_namespace n
    where to_regclass(quote_ident(current_schema()) || '.schema_migrations') is null and 2 = (
      select count(*) from pg_class c
      where c.relnamespace = n.oid and c.relkind = 'r' and c.relname in ('schema_migrations', 'projection_checkpoints'))
    limit 1) as elsewhere, current_schema() as schema`;

interface LimitsRow {
  readonly encoding: string;
  readonly read_only: boolean;
  readonly server: number;
  readonly database: number;
  readonly role: number;
  readonly elsewhere: string | null;
  readonly schema: string | null;
}

/**
 * Examines the server for a service, and warns if it allows too few connections.
 * @throws StoreUnavailable while the database is read-only, as during a failover
 * @throws Error for a database that cannot store every text, or that has the tables of a service in another schema alone
 */
export async function examineServer(pool: pg.Pool, logger: Logger): Promise<void> {
  const { rows } = await pool.query<LimitsRow>(LIMITS);
  const { encoding, read_only: isReadOnly, server, database, role, elsewhere, schema } = rows[0]!;
  if (isReadOnly) {
    throw new StoreUnavailable(
      'The database is read-only: it is a standby, or default_transaction_read_only is set for the database or the role.',
    );
  }
  if (encoding !== 'UTF8') {
    throw new Error(
      `The database of DATABASE_URL has the encoding ${encoding}, which cannot store every text. Create it with ` +
        `"create database recount encoding 'UTF8' template template0".`,
    );
  }
  if (elsewhere !== null) {
    throw new Error(
      `The schema ${elsewhere} of this database has the tables of a service, and this one would use the schema ${schema}. ` +
        `Set the search_path of the role to ${elsewhere}, or give this service a database of its own.`,
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
