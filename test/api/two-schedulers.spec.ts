import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingSweep } from '../../src/billing/scheduler/billing-sweep.js';
import { instant } from '../../src/kernel/instant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { dropEventLog } from '../support/event-log.js';
import { shopOf, type Shop } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { verifyAll } from '../support/verify-all.js';

const CUSTOMERS = Array.from({ length: 12 }, (_, index) => `c-${index}`);

let database: TestDatabase;
let apps: TestApp[];
let shop: Shop;

beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  const clockStart = '2026-01-01T00:00:00Z';
  apps = [
    await startTestApp({ databaseUrl: database.url, clockStart }),
    await startTestApp({ databaseUrl: database.url, clockStart }),
  ];
  shop = shopOf(apps[0]!);
  const tiers = perUnitTiers();
  const plan = await shop.plan('Metered', {
    recurring_charges: [aChargeBody()],
    components: [aComponentBody(await shop.metric(), { tiers })],
  });
  for (const customer of CUSTOMERS) {
    await shop.customer(customer);
    await shop.subscribe(customer, plan, '2026-01-01');
    await shop.use({ customer, at: '2026-01-01T00:00:00Z' });
  }
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  dropEventLog(database.url);
  await database.drop();
});

/** Moves the clock and sweeps with both schedulers at once, as after a downtime. */
async function sweepTogether(at: string) {
  await readModelsAtHead(apps[0]!);
  await apps[0]!.pool.query('update manual_clock set now = $1', [at]);
  const sweeps = apps.map((app) => app.service.app.get(BillingSweep, { strict: false }).sweep(instant(at)));
  const results = await Promise.all(sweeps);
  await readModelsAtHead(apps[0]!);
  return results;
}

describe('two schedulers on one database', () => {
  it('give each account one invoice, after a downtime too, with every boundary in its order', async () => {
    await sweepTogether('2026-04-01T01:00:00Z');
    for (const customer of CUSTOMERS) {
      const invoices = await shop.invoices(`?customer_id=${customer}`);
      expect(invoices).toHaveLength(2);
      const [caughtUp] = invoices;
      expect(caughtUp).toMatchObject({ amount: 91, issue_date: '2026-04-01T01:00:00Z' });
      const { body: terms } = await apps[1]!.request
        .get(`/api/subscriptions/?customer_id=${customer}`)
        .expect(200);
      expect(terms.map((term: { start_date: string }) => term.start_date).sort()).toEqual(
        ['01', '02', '03', '04'].map((month) => `2026-${month}-01T00:00:00Z`),
      );
    }
  });

  it('have nothing left to do, and continue together', async () => {
    for (const { invoicesIssued, termsRenewed } of await sweepTogether('2026-04-01T01:00:01Z'))
      expect([invoicesIssued, termsRenewed]).toEqual([0, 0]);
    await sweepTogether('2026-05-01T00:30:00Z');
    const numbers = (await shop.invoices())
      .map(({ invoice_number: number }: { invoice_number: string }) => number)
      .sort();
    const dayOf = (day: string) =>
      CUSTOMERS.map((_, index) => `${day}-${String(index + 1).padStart(6, '0')}`);
    expect(numbers).toEqual([...dayOf('260101'), ...dayOf('260401'), ...dayOf('260501')]);
    expect(await verifyAll(apps[0]!)).toBe(36);
  });
});
