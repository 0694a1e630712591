import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Leases, type LeaseTimes } from '../../../projections/runtime/leases.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

describe('the leases of a process', () => {
  let database: TestDatabase;
  const open: Leases[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((leases) => leases.close()));
  });
  afterAll(() => database.drop());

  const process = (times?: LeaseTimes): Leases => {
    const leases = new Leases(database.pool, times);
    open.push(leases);
    return leases;
  };
  /** Returns leases that are not renewed, as those of a frozen process, whose session stays open. */
  const frozen = (): Leases => process({ renewEveryMs: 3_600_000, expiresAfterMs: 6_000 });
  const hasty = (): Leases => process({ renewEveryMs: 50, expiresAfterMs: 300 });
  const epochOf = async (leases: Leases, name: string): Promise<bigint | undefined> =>
    (await leases.acquire([name])).get(name);

  /** Waits for the next session that the leases open. */
  const nextSession = (): Promise<pg.PoolClient> =>
    new Promise((resolve) => database.pool.once('acquire', resolve));

  it('are held by one process after the other, each under a later epoch', async () => {
    const [one, other] = [process(), process()];
    expect(await one.acquire(['plans', 'invoices'])).toEqual(
      new Map([
        ['invoices', 1n],
        ['plans', 1n],
      ]),
    );
    expect(await other.acquire(['plans', 'invoices'])).toEqual(new Map());
    await one.release(['plans']);
    expect(one.holds('plans')).toBe(false);
    expect(await other.acquire(['plans', 'invoices'])).toEqual(new Map([['plans', 2n]]));
    await other.release(['plans']);
    expect(await epochOf(one, 'plans')).toBe(3n);
  });

  it('keep their epoch while the same process takes them again', async () => {
    const leases = process();
    expect(await epochOf(leases, 'credits')).toBe(1n);
    expect(await epochOf(leases, 'credits')).toBe(1n);
    await leases.release(['credits']);
    expect(await epochOf(leases, 'credits')).toBe(1n);
  });

  it('of a process that died are free at once', async () => {
    const dead = frozen();
    const session = nextSession();
    await dead.acquire(['customers']);
    const { processID } = (await session) as pg.PoolClient & { processID: number };
    await database.pool.query('select pg_terminate_backend($1, 5000)', [processID]);
    expect(await epochOf(process(), 'customers')).toBe(2n);
  });

  it('of a process that is frozen are taken when it has given no sign of life, and it learns so when it thaws', async () => {
    const cold = process({ renewEveryMs: 1_000, expiresAfterMs: 6_000 });
    await cold.acquire(['addons', 'catalog']);
    const next = hasty();
    await until(async () => (await epochOf(next, 'addons')) === 2n);
    await until(() => !cold.holds('addons'));
    expect(cold.holds('catalog')).toBe(true);
  });

  it('are kept as long as it takes by a process that gives signs of life', async () => {
    const leases = hasty();
    await leases.acquire(['subscriptions']);
    const renewals = new Set<string>();
    await until(async () => {
      const { rows } = await database.pool.query<{ at: string }>(
        `select renewed_at as at from leases where name = 'subscriptions'`,
      );
      return renewals.add(rows[0]!.at).size > 3;
    });
    expect(await epochOf(process(), 'subscriptions')).toBeUndefined();
    expect(leases.holds('subscriptions')).toBe(true);
  });

  it('are renewed while other work has all connections', async () => {
    const few = createPool(database.url, () => {}, 2);
    const leases = new Leases(few, { renewEveryMs: 50, expiresAfterMs: 1_000_000 });
    try {
      await leases.acquire(['plans of few']);
      // The leases have one connection, and other work has the other one.
      const other = await few.connect();
      const renewedAt = async () =>
        (
          await database.pool.query<{ at: string }>(
            `select renewed_at as at from leases where name = 'plans of few'`,
          )
        ).rows[0]!.at;
      const before = await renewedAt();
      await until(async () => (await renewedAt()) !== before).finally(() => other.release());
      expect(await epochOf(leases, 'plans of few')).toBe(1n);
    } finally {
      await leases.close();
      await few.end();
    }
  });

  it('outlive the loss of their session, which is opened anew', async () => {
    const leases = hasty();
    const session = nextSession();
    await leases.acquire(['webhooks']);
    (await session).emit('error', new Error('terminating connection due to administrator command'));
    expect(await epochOf(leases, 'webhooks')).toBe(1n);
    await until(() => leases.holds('webhooks'));
  });

  it('bear to hear that the server goes down after their session was ended', async () => {
    const leases = process();
    const session = nextSession();
    await leases.acquire(['due-billing']);
    await leases.close();
    expect(
      (await session).emit('error', new Error('terminating connection due to administrator command')),
    ).toBe(true);
  });
});
