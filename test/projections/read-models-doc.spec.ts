import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PROJECTIONS } from '../../projections/registry.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** `UPDATE_DOCS=1 npm run jest -- test/projections/read-models-doc` writes what has changed. */
const file = path.resolve(import.meta.dirname, '../../docs/read-models.md');
const MARK = '<!-- Below: from the definitions in projections/*/schema.ts, held to them by a test. -->';

/** A column is not null unless the page says so. */
const nullability = (type: string): string =>
  / not null$/.test(type) ? type.replace(/ not null$/, '') : `${type}, nullable`;

/** The part of the page that lists views and columns, from their definitions. */
function described(): string {
  const views = PROJECTIONS.flatMap(({ name, tables }) =>
    Object.entries(tables).map(([view, table]) => ({ name, view, table })),
  );
  return views
    .sort((a, b) => (a.view < b.view ? -1 : 1))
    .map(({ name, view, table }) => {
      const columns = Object.entries<{ type: string; comment: string }>(table.columns);
      const lines = columns.map(
        ([column, { type, comment }]) => `- \`${column}\` ${nullability(type)}: ${comment}`,
      );
      const key = (table.key as string[]).join(', ');
      return [`### ${view}`, `${table.comment} Key: ${key}. Projection: ${name}.`, lines.join('\n')].join(
        '\n\n',
      );
    })
    .join('\n\n');
}

describe('docs/read-models.md', () => {
  if (process.env['UPDATE_DOCS']) {
    writeFileSync(file, `${readFileSync(file, 'utf8').split(MARK)[0]}${MARK}\n\n${described()}\n`);
  }
  const doc = readFileSync(file, 'utf8');
  let database: TestDatabase;
  let analyst: pg.Client;
  const queries = [...doc.matchAll(/```sql\n([^`]+)```/g)].map(([, sql]) => sql!.trim());
  beforeAll(async () => {
    database = await createTestDatabase();
    const exists = await database.pool.query(`select from pg_roles where rolname = 'recount_reader'`);
    if (exists.rowCount === 0) await database.pool.query('create role recount_reader nologin');
    await createReadModels(database.pool, PROJECTIONS);
    analyst = new pg.Client(database.url);
    await analyst.connect();
    await analyst.query('set role recount_reader');
  });
  afterAll(async () => {
    await analyst.end();
    await database.drop();
  });

  it('describes every view and column as the database does', () => {
    expect(doc.split(MARK)[1]?.trim()).toBe(described());
  });

  it('has example queries that an analyst can run', async () => {
    expect(queries.length).toBeGreaterThanOrEqual(4);
    for (const sql of queries) await expect(analyst.query(sql)).resolves.toMatchObject({ command: 'SELECT' });
  });

  const { version } = PROJECTIONS.find(({ name }) => name === 'plans')!;
  it.each([
    'select * from events',
    'select * from api_keys',
    `select * from plans_v${version}`,
    'delete from plans',
  ])('promises an analyst nothing beside the views: %s is refused', async (sql) => {
    await expect(analyst.query(sql)).rejects.toThrow('permission denied');
  });
});
