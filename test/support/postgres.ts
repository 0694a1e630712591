import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { urlOfDatabase } from './database-url.js';

export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/** Templates of test-cluster.ts: migrated, without or with read models. */
type Template = 'recount' | 'recount_with_read_models';

/**
 * Creates a database from a template, or from another test's database while it has no connections. It takes about 20
 * ms.
 */
export async function createTestDatabase(
  from: Template | `test_${string}` = 'recount',
): Promise<TestDatabase> {
  const template = process.env['TEST_DATABASE_URL'];
  if (!template) throw new Error('TEST_DATABASE_URL is not set: run this spec in the project `integration`.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(template, `create database ${name} template ${from} strategy file_copy`);
  const url = urlOfDatabase(name, template);
  const pool = createPool(url, () => {});
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await administer(template, `drop database ${name} with (force)`);
    },
  };
}

/**
 * Returns the name of a template that `fill` makes when a test run first asks for it. Later calls return it at once, in
 * every worker.
 */
export async function sharedTemplate(
  name: `test_${string}`,
  fill: (database: TestDatabase) => Promise<void>,
): Promise<`test_${string}`> {
  const lock = new pg.Client(urlOfDatabase('postgres', process.env['TEST_DATABASE_URL']!));
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await lock.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return name;
    const database = await createTestDatabase('recount_with_read_models');
    await fill(database);
    await database.pool.end();
    await lock.query(`alter database ${new URL(database.url).pathname.slice(1)} rename to ${name}`);
    return name;
  } finally {
    await lock.end();
  }
}

/** Connection of a worker to the database `postgres`. Opening one for each statement costs about 4 ms of processor time. */
let administration: pg.Pool | undefined;

/** Runs a statement in the database `postgres`, as a template must have no connections while it is copied. */
async function administer(template: string, statement: string): Promise<void> {
  administration ??= new pg.Pool({
    connectionString: urlOfDatabase('postgres', template),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {});
  await administration.query(statement);
}
