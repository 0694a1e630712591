import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ANALYTICS_VIEWS } from '../../projections/analytics/views.js';
import { PROJECTIONS } from '../../projections/registry.js';
import { createDerivedViews, DROP_DERIVED_VIEWS } from '../../projections/runtime/derived-views.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Page under test. `UPDATE_DOCS=1 npm run jest -- test/projections/read-models-doc` writes it anew. */
const file = path.resolve(import.meta.dirname, '../../docs/read-models.md');
const MARK = '<!-- Below: from the definitions in projections/*/tables.ts, held to them by a test. -->';

/** Returns a type as the page shows it: columns are not null unless it says "nullable". */
const nullability = (type: string): string =>
  / not null$/.test(type) ? type.replace(/ not null$/, '') : `${type}, nullable`;

const HEADING = '## Analytics views';
const MARK_OF_DERIVED =
  '<!-- Below: from the definitions in projections/analytics/*.ts, held to them by a test. -->';

/** Returns the last part of the page, about the views of the schema `analytics`. */
const derived = (): string =>
  ANALYTICS_VIEWS.map(({ name, comment, columns }) => {
    const lines = Object.entries(columns).map(
      ([column, { type, comment: about }]) => `- \`${column}\` ${type}: ${about}`,
    );
    return [`### analytics.${name}`, comment, lines.join('\n')].join('\n\n');
  }).join('\n\n');

/** Returns the part of the page that lists views and columns, from their definitions. */
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
    const [before, after] = readFileSync(file, 'utf8').split(MARK);
    const about = after!.slice(after!.indexOf(HEADING)).split(MARK_OF_DERIVED)[0]!.trim();
    const parts = [`${before}${MARK}`, described(), about, MARK_OF_DERIVED, derived()];
    writeFileSync(file, `${parts.join('\n\n')}\n`);
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
    await createDerivedViews(database.pool, ANALYTICS_VIEWS);
    analyst = new pg.Client(database.url);
    await analyst.connect();
    await analyst.query('set role recount_reader');
  });
  afterAll(async () => {
    await analyst.end();
    await database.drop();
  });

  it('describes every view and column as the database does', () => {
    expect(doc.split(MARK)[1]?.split(HEADING)[0]?.trim()).toBe(described());
  });

  it('describes every analytics view and its columns as the database has them', async () => {
    expect(doc.split(MARK_OF_DERIVED)[1]?.trim()).toBe(derived());
    const { rows } = await database.pool.query<{ view: string; columns: string[] }>(
      `select relname as view, array_agg(attname || ' ' || format_type(atttypid, atttypmod) order by attnum) as columns
       from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0
       where relnamespace = 'analytics'::regnamespace and relkind = 'v' group by relname`,
    );
    const defined = ANALYTICS_VIEWS.map(({ name, columns }) => ({
      view: name,
      columns: Object.entries(columns).map(([column, { type }]) => `${column} ${type}`),
    }));
    const byName = (one: { view: string }, other: { view: string }) => (one.view < other.view ? -1 : 1);
    expect(rows.sort(byName)).toEqual(defined.sort(byName));
    for (const { columns } of defined) expect(columns[0]).toBe('org uuid');
  });

  it('lets an analyst read every analytics view, also after the views were made anew', async () => {
    await createDerivedViews(database.pool, ANALYTICS_VIEWS.slice(0, 1));
    await createDerivedViews(database.pool, ANALYTICS_VIEWS);
    for (const { name } of ANALYTICS_VIEWS) {
      await expect(analyst.query(`select * from analytics.${name}`)).resolves.toMatchObject({ rows: [] });
    }
  });

  it('keeps no analytics view on a read model that is about to get other columns', async () => {
    await database.pool.query(DROP_DERIVED_VIEWS);
    await expect(analyst.query('select * from analytics.mrr')).rejects.toThrow('does not exist');
    await createDerivedViews(database.pool, ANALYTICS_VIEWS);
    await expect(analyst.query('select * from analytics.mrr')).resolves.toMatchObject({ rows: [] });
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
