import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

/** Tests docs/billing.md#renewals: a renewal takes the replacement of its version, or its version if none is set. */
describe('renewing a subscription whose version was superseded', () => {
  let app: TestApp;
  let shop: Shop;
  /** Publishes a version with a fee of 45.00 that replaces the first one, whose fee is 30.00. */
  const supersede = async (planId: string, type: string): Promise<string> => {
    const body = {
      plan_id: planId,
      currency_code: 'USD',
      recurring_charges: [aChargeBody({ amount: 45 })],
      make_active: true,
      make_active_type: type,
    };
    return (await app.request.post('/api/plan_versions/').send(body).expect(201)).body.version_id;
  };
  /** Returns the version of each term and the amount of each invoice, oldest first. */
  const course = async (customer: string) => {
    const terms = (await app.request.get(`/api/subscriptions/?customer_id=${customer}`).expect(200)).body;
    const invoices = await shop.invoices(`?customer_id=${customer}`);
    return {
      versions: terms
        .map((term: { billing_plan: { version: number } }) => term.billing_plan.version)
        .reverse(),
      amounts: invoices.map(({ amount }: { amount: number }) => amount).reverse(),
    };
  };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const replaced = await shop.plan('Replaced on renewal');
    const kept = await shop.plan('Grandfathered');
    for (const [customer, planId] of [
      ['moves', replaced],
      ['stays', kept],
    ] as const) {
      await shop.customer(customer);
      await shop.subscribe(customer, planId, '2026-01-01');
    }
    await app.advance('2026-01-10T00:00:00Z');
    await supersede(replaced, 'replace_on_renewal');
    await supersede(kept, 'grandfather');
  });
  afterAll(() => app.stop());

  it('shows the replacement in the draft of the next invoice', async () => {
    const [draft] = await shop.drafts('moves');
    expect(draft).toMatchObject({ amount: 45, line_items: [{ plan: { version: 2 }, amount: 45 }] });
  });

  it('moves it to the replacement at the boundary, and leaves it where it is grandfathered', async () => {
    await app.advance('2026-03-02T00:00:00Z');
    expect(await course('moves')).toEqual({ versions: [1, 2, 2], amounts: [30, 45, 45] });
    expect(await course('stays')).toEqual({ versions: [1, 1, 1], amounts: [30, 30, 30] });
    expect(await verifyAll(app)).toBe(6);
  });

  it('sells the new version to those who come now', async () => {
    const plans = (await app.request.get('/api/plans/').expect(200)).body;
    for (const { plan_id: planId } of plans) {
      const customer = `new-${planId}`;
      await shop.customer(customer);
      const subscription = await shop.subscribe(customer, planId, '2026-03-02');
      expect(subscription.billing_plan.version).toBe(2);
    }
  });
});
