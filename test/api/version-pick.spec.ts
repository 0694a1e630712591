import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

describe('the version that a plan id means for a customer', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;
  const publish = (body: object) =>
    app.request
      .post('/api/plan_versions/')
      .send({ plan_id: planId, make_active: true, ...body })
      .expect(201);

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    planId = await shop.plan('Sold in two currencies');
    await publish({ currency_code: 'EUR', recurring_charges: [aChargeBody({ amount: 25 })] });
  });
  afterAll(() => app.stop());

  it.each([
    ['u', 'USD', 30, 'USD'],
    ['e', 'EUR', 25, 'EUR'],
    ['g', 'GBP', 30, 'USD'],
  ])(
    'is the one in its currency, else in the organization’s: %s with %s (create-version-pick-currency)',
    async (customer, currency, amount, billed) => {
      await shop.customer(customer, { default_currency_code: currency });
      await shop.subscribe(customer, planId, '2026-01-01');
      const invoices = await shop.invoices(`?customer_id=${customer}`);
      expect(invoices).toMatchObject([{ amount, currency: { code: billed } }]);
    },
  );

  it('is the one made for it, before any public one', async () => {
    await shop.customer('targeted', { default_currency_code: 'USD' });
    const charges = { recurring_charges: [aChargeBody({ amount: 12 })] };
    await publish({ currency_code: 'USD', target_customer_ids: ['targeted'], ...charges });
    const { billing_plan: plan } = await shop.subscribe('targeted', planId, '2026-01-01');
    expect(plan.version).toBe(0);
    expect(await shop.invoices('?customer_id=targeted')).toMatchObject([{ amount: 12 }]);
    expect(await verifyAll(app)).toBe(4);
  });
});
