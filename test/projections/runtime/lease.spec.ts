import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Leases } from '../../../projections/runtime/lease.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

describe('the leases of a process', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The session that the leases open next. */
  const nextSession = (): Promise<pg.PoolClient> =>
    new Promise((resolve) => database.pool.once('acquire', resolve));

  it('are one process after the other', async () => {
    const [one, other] = [new Leases(database.pool), new Leases(database.pool)];
    expect(await one.take('plans')).toBe(true);
    expect(await other.take('plans')).toBe(false);
    await one.give('plans');
    expect(await other.take('plans')).toBe(true);
    await Promise.all([one.close(), other.close()]);
  });

  it('are gone with their session, and can be taken anew', async () => {
    const leases = new Leases(database.pool);
    const session = nextSession();
    await leases.take('customers');
    (await session).emit('error', new Error('terminating connection due to administrator command'));
    expect(await leases.take('customers')).toBe(true);
    await leases.close();
  });

  it('bear to hear that the server goes down after their session was ended', async () => {
    const leases = new Leases(database.pool);
    const session = nextSession();
    await leases.take('invoices');
    await leases.close();
    expect(
      (await session).emit('error', new Error('terminating connection due to administrator command')),
    ).toBe(true);
  });
});
