import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { walletsProjection } from './wallets.js';

describe('the tables of a projection', () => {
  const projection = walletsProjection('ddl');
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const pools = [1, 2, 3].map(() => createPool(database.url, () => {}));
    await Promise.all(pools.map((pool) => createReadModels(pool, [projection])));
    await Promise.all(pools.map((pool) => pool.end()));
  });
  afterAll(() => database.drop());

  const read = async (sql: string): Promise<unknown[]> => (await database.pool.query(sql)).rows;

  it('stand behind a view without the version, made once by processes that start together', async () => {
    expect(
      await read(
        `select relname, relkind from pg_class where relname like 'totals_ddl%' and relkind in ('r', 'v') order by 1`,
      ),
    ).toEqual([
      { relname: 'totals_ddl', relkind: 'v' },
      { relname: 'totals_ddl_v1', relkind: 'r' },
    ]);
  });

  it('say in the database what they and their columns mean, and so do the views', async () => {
    const comments = `select c.relname, a.attname, coalesce(d.description, '') as comment
      from pg_class c join pg_description d on d.objoid = c.oid
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and a.attnum > 0
      where c.relname in ('totals_ddl', 'totals_ddl_v1') order by 1, d.objsubid`;
    const said = (relname: string): object[] => [
      { relname, attname: null, comment: 'Sum of moves per label' },
      { relname, attname: 'org', comment: 'Organization' },
      { relname, attname: 'label', comment: 'Who moved' },
      { relname, attname: 'amount', comment: 'Sum' },
    ];
    expect(await read(comments)).toEqual([...said('totals_ddl'), ...said('totals_ddl_v1')]);
  });

  it('have the tenant first in their key, and their indexes', async () => {
    expect(
      await read(`select indexdef from pg_indexes where tablename = 'wallets_ddl_v1' order by 1`),
    ).toEqual(
      [
        { indexdef: expect.stringMatching(/UNIQUE INDEX .* \(org, wallet\)/) },
        { indexdef: expect.stringMatching(/INDEX .* \(org, opened_at\)/) },
      ].sort((a) => (String(a.indexdef).includes('UNIQUE') ? 1 : -1)),
    );
  });

  it('refuse other columns under the same version', async () => {
    const [view, table] = Object.entries(projection.tables)[1]!;
    const changed = { ...table, columns: { ...table.columns, more: { type: 'text', comment: 'More' } } };
    const drifted = { ...projection, tables: { ...projection.tables, [view]: changed } };
    await expect(createReadModels(database.pool, [drifted])).rejects.toThrow(
      'raise the version of the projection "wallets-ddl"',
    );
  });

  it('stay as they are for a new version, which is built beside them', async () => {
    await database.pool.query(`insert into totals_ddl_v1 values (gen_random_uuid(), 'ann', 1)`);
    await createReadModels(database.pool, [{ ...projection, version: 2 }]);
    expect(await read('select label from totals_ddl')).toEqual([{ label: 'ann' }]);
    expect(await read(`select relname from pg_class where relname like 'totals_ddl_v2'`)).toEqual([]);
  });
});
