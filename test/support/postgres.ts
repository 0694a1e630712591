import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPool } from '../../src/platform/database/pg-pool.js';

export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/** The run's templates (test-cluster.ts): migrated, or with the read models as well. */
type Template = 'recount' | 'recount_with_read_models';

/**
 * A database of its own for a test file (about 20 ms), copied from one of the run's templates, or from another test's
 * while nobody is connected to it.
 */
export async function createTestDatabase(
  from: Template | `test_${string}` = 'recount',
): Promise<TestDatabase> {
  const template = process.env['TEST_DATABASE_URL'];
  if (!template) throw new Error('TEST_DATABASE_URL is not set: run this spec in the project `integration`.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(template, `create database ${name} template ${from} strategy file_copy`);
  const url = template.replace(/\/recount$/, `/${name}`);
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

/** From the database `postgres`: a template cannot be copied while somebody is connected to it. */
async function administer(template: string, statement: string): Promise<void> {
  const client = new pg.Client(template.replace(/\/recount$/, '/postgres'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
