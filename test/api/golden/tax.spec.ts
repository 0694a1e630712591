import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody, aComponentBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden, perUnit } from './golden.js';

describe('golden: taxes', () => {
  let app: TestApp;
  let shop: Shop;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  const organization = (changes: object) => app.request.patch('/api/organization/').send(changes).expect(200);

  golden('tax-customer-wins', async ({ expect: wanted }) => {
    await organization({ tax_rate: 10 });
    await shop.customer('taxed', { tax_rate: 20 });
    await shop.subscribe('taxed', await shop.plan('P'), '2026-01-01');
    const [invoice] = await shop.invoices('?customer_id=taxed');
    expect(invoice.cost_due.toFixed(2)).toBe(wanted!.amount);
    expect(invoice.line_items).toMatchObject([
      { base: 30, adjustments: [{ adjustment_type: 'sales_tax', amount: wanted!.tax, account: '41100' }] },
    ]);
  });

  golden('tax-after-fixed-adjustment', async ({ expect: wanted }) => {
    await organization({ tax_rate: 10, payment_grace_period: 14 });
    await shop.customer('adjusted');
    const plan = await shop.plan('Q', {
      recurring_charges: [aChargeBody({ amount: 100 })],
      price_adjustment: {
        price_adjustment_name: 'ten off',
        price_adjustment_type: 'fixed',
        price_adjustment_amount: -10,
      },
    });
    await shop.subscribe('adjusted', plan, '2026-01-01');
    const [invoice] = await shop.invoices('?customer_id=adjusted');
    expect(invoice.cost_due.toFixed(2)).toBe(wanted!.amount);
    expect(invoice.due_date).toBe('2026-01-15T00:00:00Z');
    const [{ adjustments }] = invoice.line_items;
    expect(adjustments.map(({ amount }: { amount: string }) => Number(amount))).toEqual([-10, 9]);
  });

  golden('tax-test-suite', async () => {
    await organization({ tax_rate: null });
    await shop.customer('drafted');
    const components = [aComponentBody(await shop.metric(), { tiers: [perUnit(1)] })];
    await shop.subscribe(
      'drafted',
      await shop.plan('U', { recurring_charges: [], components }),
      '2026-01-01',
    );
    await shop.use(...times(25, '2026-01-01T00:00:00Z').map((event) => ({ ...event, customer: 'drafted' })));
    const drafted = async (): Promise<number> =>
      (await shop.drafts('drafted', '?include_next_period=false'))[0].cost_due;
    const untaxed = await drafted();
    await organization({ tax_rate: 10 });
    expect(await drafted()).toBeCloseTo(1.1 * untaxed, 2);
    await app.request.patch('/api/customers/drafted/').send({ tax_rate: 20 }).expect(200);
    expect(await drafted()).toBeCloseTo(1.2 * untaxed, 2);
  });
});
