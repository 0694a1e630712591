import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { BatchWriter } from '../../../projections/runtime/batch-writer.js';
import { preparing } from '../../../projections/runtime/prepared-batches.js';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { BEFORE_ALL } from '../../../src/kernel/event.js';
import { openReservedPools } from '../../../src/platform/database/pg-pool.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { allEvents, append, WALLETS, walletsProjection } from './wallets.js';

const projection = walletsProjection('prepared');
/** PostgreSQL plans a prepared statement anew for its first five runs. */
const BATCHES = 20;

describe('the statements of batches that come again', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  const store = new InMemoryEventStore();
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openReservedPools(database.url, () => {}, {}).readModels;
    await createReadModels(database.pool, [projection]);
    const writer = new BatchWriter(preparing(pool), projection);
    const [wallet] = WALLETS;
    await append(store, { type: 'Opened', wallet: wallet!, labels: [] });
    for (let n = 1; n < BATCHES; n += 1)
      await append(store, { type: 'Moved', wallet: wallet!, amount: n, by: null });
    let position = BEFORE_ALL;
    for (const event of await allEvents(store)) {
      await writer.apply(position, [event], undefined);
      position = event.position;
    }
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Returns what the connection of the next query has prepared. */
  const prepared = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ name: string }>(
      `select name from pg_prepared_statements where statement like '%wallets_prepared%' order by prepare_time`,
    );
    return rows.map(({ name }) => name);
  };

  it('leave the rows that a fresh fold has', async () => {
    expect(await storedRows(projection, database.pool)).toEqual(await freshFold(projection, store));
  });

  it('are parsed once, and no longer planned', async () => {
    const { rows } = await pool.query<{ planned: string; ran: string }>(
      `select custom_plans as planned, generic_plans as ran from pg_prepared_statements
       where statement like '%wallets_prepared%'`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { planned, ran } of rows) {
      expect(planned).toBe('5');
      expect(Number(ran)).toBeGreaterThan(1);
    }
  });

  it('find each row by its key though they were planned for an empty table', async () => {
    const names = await prepared();
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) {
      const { rows: types } = await pool.query<{ count: number }>(
        'select cardinality(parameter_types) as count from pg_prepared_statements where name = $1',
        [name],
      );
      const values = Array.from({ length: types[0]!.count }, () => 'null').join(', ');
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain execute "${name}" (${values})`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Scan using wallets_prepared_v1_pkey');
      expect(plan).not.toMatch(/Seq Scan on (?:wallets|projection)/);
    }
  });
});
