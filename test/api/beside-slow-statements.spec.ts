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

/** Longer than any statement of the spec takes, but one. */
const LONGEST_STATEMENT = '4s';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  await database.pool.query(`alter database ${rows[0]!.name} set statement_timeout = '${LONGEST_STATEMENT}'`);
  app = await startTestApp({ databaseUrl: database.url, clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(async () => {
  await app.stop();
  dropEventLog(database.url);
  await database.drop();
});

/** Does work while the usage of an organization cannot be sealed: its statement waits until it takes too long. */
async function whileUnsealed(org: Uuid, work: () => Promise<void>): Promise<void> {
  const sealing = await app.pool.connect();
  try {
    await sealing.query('set idle_in_transaction_session_timeout = 0');
    await sealing.query('begin');
    await sealing.query(`select pg_advisory_xact_lock(hashtextextended('usage-seal:' || $1, 0))`, [org]);
    await work();
  } finally {
    sealing.release(true);
  }
}

it('a sweep does all other work while the usage of one organization takes too long', async () => {
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

  const at = '2026-02-15T00:00:00Z';
  const sweep = () => app.service.app.get(BillingSweep).sweep(instant(at));
  await whileUnsealed(slow.org, async () => {
    await slowShop.use(...times(3, '2026-01-02T00:00:00Z'));
    await app.pool.query('update manual_clock set now = $1', [at]);
    await sweep();
    expect(await slowShop.invoices()).toHaveLength(1);
    const pastDue: string[] = [];
    for await (const { type, metadata } of app.service.app.get<EventStore>(EVENT_STORE).readAll())
      if (type === 'InvoicePastDue') pastDue.push(metadata.org);
    expect(pastDue).toContain(app.org);
  });
  await sweep();
  expect(await slowShop.invoices()).toHaveLength(2);
});

it('checkpoints of billing runs are signed while the usage of one organization takes too long', async () => {
  const slow = await anotherTenant(app);
  const quick = await anotherTenant(app);
  await whileUnsealed(slow.org, async () => {
    for (const { request } of [slow, quick]) {
      const one = shopOf({ ...app, request });
      await one.metric();
      const plan = await one.plan('Flat', { recurring_charges: [aChargeBody()] });
      await one.customer('acme');
      await one.use(...times(1, '2026-01-02T00:00:00Z'));
      await one.subscribe('acme', plan, '2026-02-15');
    }
    const status = async () => (await quick.request.get('/api/audit/checkpoints/latest/')).status;
    await until(async () => (await status()) === 200);
    await slow.request.get('/api/audit/checkpoints/latest/').expect(404);
  });
});
