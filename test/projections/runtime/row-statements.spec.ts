import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rowStatements } from '../../../projections/runtime/projection-rows.js';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { WALLETS, walletsProjection } from './wallets.js';

const ROWS = 20_000;
const projection = walletsProjection('planned');
const [view, table] = Object.entries(projection.tables)[0]!;
const statements = rowStatements(view, projection.version, table);

describe('rows that are there', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createReadModels(database.pool, [projection]);
    await database.pool.query(
      `insert into ${view} select '${WALLETS[0]}', gen_random_uuid(), n, n, n, null, now(), '[]', null
       from generate_series(1, ${ROWS}) n`,
    );
  });
  afterAll(() => database.drop());

  const planOf = async (text: string, values: unknown[]): Promise<string> => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const keys = Array.from({ length: 1_000 }, () => ({ org: WALLETS[0], wallet: WALLETS[1] }));

  it('are looked up by their keys, however many a batch touches', async () => {
    const { load, update, remove } = statements;
    const balances = update(['balance']);
    const moved = 'with moved as (select 1)';
    const plans = [
      await planOf(load.text(1), load.values(keys)),
      await planOf(
        `${moved} ${balances.text(1)}`,
        balances.values(keys.map((key) => ({ ...key, balance: '0' }))),
      ),
      await planOf(`${moved} ${remove.text(1)}`, remove.values(keys)),
    ];
    for (const plan of plans) {
      expect(plan).toContain(`Index Scan using ${view}_v1_pkey`);
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it('are loaded without the columns that no change looks at', async () => {
    const { rows } = await database.pool.query<{ wallet: string }>(`select wallet from ${view} limit 1`);
    const { text, values } = statements.load;
    const loaded = await database.pool.query(text(1), values([{ org: WALLETS[0], wallet: rows[0]!.wallet }]));
    const columns = Object.keys(table.columns).filter((column) => column !== 'labels');
    expect(loaded.fields.map(({ name }) => name)).toEqual(['#', ...columns]);
    expect(loaded.rows).toHaveLength(1);
  });
});
