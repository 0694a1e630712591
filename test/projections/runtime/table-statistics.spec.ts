import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { caughtUp, Hosts } from './host-under-test.js';
import { append, walletsProjection } from './wallets.js';

describe('the statistics of read models', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  afterEach(() => hosts.stopAll());
  afterAll(() => hosts.database.drop());

  const openWallets = async (store: InMemoryEventStore, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1)
      await append(store, { type: 'Opened', wallet: randomUUID(), labels: [] });
  };
  /** Returns the number of rows that PostgreSQL plans with; -1 for a table without statistics. */
  const plannedRows = async (table: string): Promise<number> => {
    const { rows } = await hosts.database.pool.query<{ reltuples: number }>(
      'select reltuples from pg_class where oid = $1::regclass',
      [table],
    );
    return rows[0]!.reltuples;
  };

  it('are collected when a table has grown from nothing, and again when it is ten times as large', async () => {
    const store = new InMemoryEventStore();
    const { progress } = await hosts.start(store, [walletsProjection('grown')]);
    const grow = async (count: number): Promise<number> => {
      await openWallets(store, count);
      expect(await caughtUp(progress, store)).toBe(true);
      // A later batch begins after the statistics of the one before.
      await openWallets(store, 1);
      expect(await caughtUp(progress, store)).toBe(true);
      return plannedRows('wallets_grown_v1');
    };
    expect(await grow(20)).toBe(-1);
    const few = await grow(250);
    expect(few).toBeGreaterThanOrEqual(200);
    expect(await grow(200)).toBe(few);
    expect(await grow(2_500)).toBeGreaterThanOrEqual(2_000);
  });
});
