import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BillingSweep } from '../../src/billing/scheduler/billing-sweep.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf, times } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { until } from '../support/until.js';

/** Time after which statements that wait for a lock of the spec are ended; the service waits for a minute. */
const LONGEST_WAIT = '1 s';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  app = await startTestApp({ databaseUrl: database.url, clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(async () => {
  await app.stop();
  dropEventLog(database.url);
  await database.drop();
});

const END_WAITING = `select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and $1 = any(pg_blocking_pids(pid)) and query_start < now() - interval '${LONGEST_WAIT}'`;

/** Does work while others wait for a lock, until their statements are ended as those that take too long. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  const holder = await app.pool.connect();
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const end = () => app.pool.query(END_WAITING, [rows[0]!.pid]).catch(() => undefined);
  const ending = setInterval(() => void end(), 500);
  try {
    await holder.query('set idle_in_transaction_session_timeout = 0');
    await holder.query('begin');
    await holder.query(lock);
    await work();
  } finally {
    clearInterval(ending);
    holder.release(true);
  }
}

/** Lock under which the usage of an organization is sealed. */
const sealing = (org: Uuid): string =>
  `select pg_advisory_xact_lock(hashtextextended('usage-seal:${org}', 0))`;
const sweepAt = async (at: string) => {
  await app.pool.query('update manual_clock set now = $1', [at]);
  await app.service.app.get(BillingSweep).sweep(instant(at));
};
const noteCount = async (): Promise<number> => {
  let count = 0;
  for await (const { type, metadata } of app.service.app.get<EventStore>(EVENT_STORE).readAll())
    if (type === 'InvoicePastDue' && metadata.org === app.org) count += 1;
  return count;
};

it('a sweep does all other work while the usage of one organization takes too long, and parks that', async () => {
  const slow = await anotherTenant(app);
  const slowShop = shopOf({ ...app, request: slow.request });
  const shop = shopOf(app);
  await app.request.patch('/api/organization/').send({ payment_grace_period: 10 }).expect(200);
  for (const one of [shop, slowShop]) {
    const components = [aComponentBody(await one.metric())];
    const plan = await one.plan('Metered', { components, recurring_charges: [aChargeBody()] });
    await one.customer('acme');
    await one.subscribe('acme', plan, '2026-01-01');
  }
  await readModelsAtHead(app);

  await whileLocked(sealing(slow.org), async () => {
    await slowShop.use(...times(3, '2026-01-02T00:00:00Z'));
    await sweepAt('2026-02-15T00:00:00Z');
    expect(await slowShop.invoices()).toHaveLength(1);
    expect(await noteCount()).toBe(1);
  });
  const { body: parked } = await slow.request.get('/api/parked_work/').expect(200);
  expect(parked).toMatchObject([{ kind: 'run', cause: 'usage_count_too_slow', tries: 1 }]);
  expect(parked[0].detail).toMatch(/could not be counted in time/);

  await sweepAt('2026-02-15T00:00:59Z');
  expect(await slowShop.invoices()).toHaveLength(1);
  await sweepAt('2026-02-15T00:01:00Z');
  expect(await slowShop.invoices()).toHaveLength(2);
  expect((await slow.request.get('/api/parked_work/').expect(200)).body).toEqual([]);
});

it('a sweep notes invoices as past due while the scan for late usage takes too long', async () => {
  await whileLocked('lock table usage_closes in access exclusive mode', async () => {
    await sweepAt('2026-02-28T00:00:00Z');
    expect(await noteCount()).toBe(2);
  });
});

it('checkpoints of billing runs are signed while the usage of one organization takes too long', async () => {
  const slow = await anotherTenant(app);
  const quick = await anotherTenant(app);
  await whileLocked(sealing(slow.org), async () => {
    for (const { request } of [slow, quick]) {
      const one = shopOf({ ...app, request });
      await one.metric();
      const plan = await one.plan('Flat', { recurring_charges: [aChargeBody()] });
      await one.customer('acme');
      await one.use(...times(1, '2026-01-02T00:00:00Z'));
      await one.subscribe('acme', plan, '2026-02-28');
    }
    const status = async () => (await quick.request.get('/api/audit/checkpoints/latest/')).status;
    await until(async () => (await status()) === 200);
    await slow.request.get('/api/audit/checkpoints/latest/').expect(404);
  });
});
