import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody, aComponentBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden, perUnit } from './golden.js';

/** Adjustments by customer. The plans differ in nothing else. */
const WITH_FEE = {
  'adj-percentage-plus10': { price_adjustment_type: 'percentage', price_adjustment_amount: 10 },
  'adj-fixed-minus4': { price_adjustment_type: 'fixed', price_adjustment_amount: -4 },
  'adj-override-20': { price_adjustment_type: 'price_override', price_adjustment_amount: 20 },
};
const USAGE_ONLY = {
  pct: { price_adjustment_type: 'percentage', price_adjustment_amount: -1 },
  fixed: { price_adjustment_type: 'fixed', price_adjustment_amount: -1 },
  override: { price_adjustment_type: 'price_override', price_adjustment_amount: 20 },
};

describe('golden: price adjustments', () => {
  let app: TestApp;
  let shop: Shop;
  const drafted: Record<string, string> = {};

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const metric = await shop.metric();
    const components = [aComponentBody(metric, { tiers: [perUnit(1)] })];
    const sell = async (customer: string, adjustment: object, recurring_charges: object[]) => {
      const price_adjustment = { price_adjustment_name: 'deal', ...adjustment };
      const plan = await shop.plan(customer, { recurring_charges, components, price_adjustment });
      await shop.customer(customer);
      await shop.subscribe(customer, plan, '2026-01-01', { auto_renew: false });
    };
    for (const [customer, adjustment] of Object.entries(WITH_FEE)) {
      await sell(customer, adjustment, [aChargeBody()]);
      await shop.use(...times(10, '2026-01-01T00:00:00Z').map((event) => ({ ...event, customer })));
    }
    for (const [customer, adjustment] of Object.entries(USAGE_ONLY)) await sell(customer, adjustment, []);
    await app.advance('2026-01-20T00:00:00Z');
    for (const customer of Object.keys(USAGE_ONLY)) {
      await shop.use(...times(25, '2026-01-05T00:00:00Z').map((event) => ({ ...event, customer })));
      const [draft] = await shop.drafts(customer, '?include_next_period=false');
      drafted[customer] = draft.cost_due.toFixed(2);
    }
    await app.advance('2026-02-01T01:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  /** Returns the amounts due of a customer's invoices, oldest first. */
  const amounts = async (customer: string): Promise<string[]> =>
    (await shop.invoices(`?customer_id=${customer}`))
      .map(({ cost_due: due }: { cost_due: number }) => due.toFixed(2))
      .reverse();

  for (const id of ['adj-percentage-plus10', 'adj-fixed-minus4']) {
    golden(id, async ({ expect: wanted }) => {
      expect(await amounts(id)).toEqual([wanted!.first, wanted!.end]);
    });
  }

  golden('adj-override-20', async ({ expect: wanted }) => {
    const [first, ...later] = await amounts('adj-override-20');
    expect(first).toBe(wanted!.first);
    expect(later.filter((amount) => amount !== wanted!.end)).toEqual([]);
    expect((await app.request.get('/api/credits/?customer_id=adj-override-20').expect(200)).body).toEqual([]);
  });

  golden('adj-test-suite', async ({ expect: wanted }) => {
    expect(drafted).toEqual(wanted);
  });
});
