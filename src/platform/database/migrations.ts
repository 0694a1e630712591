import type pg from 'pg';
import { sha256Hex } from '../../kernel/canonical-json.js';

/** Step of the schema, applied once. Its text never changes after a release; a change is a new step. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Injection token of the steps of this release. */
export const RELEASED_MIGRATIONS = Symbol('Migrations');

/** Table of the applied steps. */
export const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`;

const LOCK = 'recount migrations';

/**
 * Applies missing steps in order, each in its own transaction. Processes that start together wait for one another.
 * @throws Error if an applied step has changed, or if a newer build has applied steps that this build does not know
 */
export async function runMigrations(pool: pg.Pool, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseDowngrade([...applied.keys()], migrations);
    for (const migration of migrations) await apply(client, migration, applied.get(migration.name));
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [LOCK]).catch(() => {});
    client.release();
  }
}

/**
 * Requires a database that a service of this build, or of one with equal migrations, has used. Changes nothing.
 * @throws Error with a sentence for the caller of the tool
 */
export async function requireMigrations(
  pool: Pick<pg.Pool, 'query'>,
  migrations: readonly Migration[],
): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  refuseDowngrade([...applied], migrations);
  const pending = migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  if (pending.length === 0) return;
  throw new Error(
    `This build of Recount is newer than the service that has used this database, which lacks the migrations ` +
      `${pending.join(', ')}. Applying them would lock that service out. Use the recount of its build, or start the ` +
      'service of this build first.',
  );
}

/** Names applied steps whose checksum is not that of this build: with one of them no service starts. */
export async function alteredMigrations(
  pool: Pick<pg.Pool, 'query'>,
  migrations: readonly Migration[],
): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  );
  const checksums = new Map(migrations.map(({ name, sql }) => [name, sha256Hex(sql)]));
  return rows
    .filter(({ name, checksum }) => checksums.get(name) !== checksum)
    .map(({ name, checksum }) => {
      const expected = checksums.get(name) ?? 'none';
      return `table schema_migrations: the checksum of ${name} is ${checksum}, by this release ${expected}`;
    });
}

function refuseDowngrade(applied: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `A newer build of Recount has used this database: this build does not know its migrations ${unknown.join(', ')}. ` +
      'Start that build or a newer one again, or restore a backup from before the upgrade.',
  );
}

async function apply(
  client: pg.PoolClient,
  { name, sql }: Migration,
  applied: string | undefined,
): Promise<void> {
  const checksum = sha256Hex(sql);
  if (applied === checksum) return;
  if (applied !== undefined) {
    throw new Error(`Migration "${name}" has changed since it was applied. Add a new step instead.`);
  }
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new Error(`Migration "${name}" failed: ${(error as Error).message}`, { cause: error });
  }
}
