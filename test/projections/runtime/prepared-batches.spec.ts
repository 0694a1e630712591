import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { BatchWriter } from '../../../projections/runtime/batch-writer.js';
import { preparing } from '../../../projections/runtime/prepared-batches.js';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { BEFORE_ALL, comparePositions } from '../../../src/kernel/event.js';
import { openReservedPools } from '../../../src/platform/database/pg-pool.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { allEvents, append, WALLETS, walletsProjection } from './wallets.js';

const projection = walletsProjection('prepared');
const BATCHES = 60;

describe('the statements of batches that come again', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let writer: BatchWriter;
  let position = BEFORE_ALL;
  const store = new InMemoryEventStore();
  const [wallet] = WALLETS;
  const move = (amount: number) => append(store, { type: 'Moved', wallet: wallet!, amount, by: null });
  /** Applies the events since the last call, each as a batch. */
  async function applyNew(): Promise<void> {
    for (const event of await allEvents(store)) {
      if (comparePositions(event.position, position) <= 0) continue;
      await writer.apply(position, [event], undefined);
      position = event.position;
    }
  }
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openReservedPools(database.url, () => {}, {}).readModels;
    await createReadModels(database.pool, [projection]);
    writer = new BatchWriter(preparing(pool), projection);
    await append(store, { type: 'Opened', wallet: wallet!, labels: [] });
    for (let n = 1; n < BATCHES; n += 1) await move(n);
    await applyNew();
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  interface Prepared {
    readonly name: string;
    readonly parameters: number;
    readonly planned: string;
    readonly ran: string;
  }

  /** Calls `look` on every connection of the pool with the statements that it has prepared. */
  async function onEach(
    look: (prepared: readonly Prepared[], client: pg.PoolClient) => Promise<void>,
  ): Promise<void> {
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      for (const client of clients) {
        const { rows } = await client.query<Prepared>(
          `select name, cardinality(parameter_types) as parameters, custom_plans as planned, generic_plans as ran
           from pg_prepared_statements where statement like '%wallets_prepared%'`,
        );
        await look(rows, client);
      }
    } finally {
      for (const client of clients) client.release();
    }
  }

  it('leave the rows that a fresh fold has', async () => {
    expect(await storedRows(projection, database.pool)).toEqual(await freshFold(projection, store));
  });

  it('are parsed and planned once', async () => {
    let runs = 0;
    await onEach(async (prepared) => {
      for (const { planned, ran } of prepared) {
        expect(Number(planned)).toBe(0);
        runs += Number(ran);
      }
    });
    expect(runs).toBeGreaterThan(BATCHES / 2);
  });

  it('find each row by its key though they were planned for an empty table', async () => {
    let found = 0;
    await onEach(async (prepared, client) => {
      for (const { name, parameters } of prepared) {
        const values = Array.from({ length: parameters }, () => 'null').join(', ');
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain execute "${name}" (${values})`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain('Index Scan using wallets_prepared_v1_pkey');
        expect(plan).not.toMatch(/Seq Scan on (?:wallets|projection)/);
        found += 1;
      }
    });
    expect(found).toBeGreaterThan(0);
  });

  it('go on when the type of a column was changed', async () => {
    await database.pool.query(`drop view wallets_prepared;
      alter table wallets_prepared_v1 alter column moves type numeric;
      create view wallets_prepared as table wallets_prepared_v1`);
    await move(1);
    await applyNew();
    const { rows } = await database.pool.query('select moves from wallets_prepared');
    expect(rows).toEqual([{ moves: String(BATCHES) }]);
  });
});
