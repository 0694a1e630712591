import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

/** Weekly invoices of two customers: `counted` has one window that is invoiced in parts, `level` a gauge by weeks. */
describe('late usage in GET /api/upcoming_work/', () => {
  let app: TestApp;
  let shop: Shop;

  const week = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
  const late = async () => {
    const { body } = await app.request.get('/api/upcoming_work/').expect(200);
    return body.late_usage.windows;
  };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const sum = await shop.metric({ aggregation_type: 'sum', property_name: 'n' });
    const gauge = await shop.metric({
      metric_name: 'seats',
      event_name: 'seat',
      metric_type: 'gauge',
      aggregation_type: 'max',
      event_type: 'total',
      granularity: 'months',
      property_name: 'n',
    });
    const components = {
      counted: aComponentBody(sum, { tiers: perUnitTiers(), ...week }),
      level: aComponentBody(gauge, {
        tiers: perUnitTiers(),
        ...week,
        reset_interval_unit: 'week',
        reset_interval_count: 1,
      }),
    };
    for (const [customer, component] of Object.entries(components)) {
      await shop.customer(customer);
      const plan = await shop.plan(customer, { recurring_charges: [], components: [component] });
      await shop.subscribe(customer, plan, '2026-01-01');
      await shop.use({ customer, at: '2026-01-02T00:00:00Z', properties: { n: 1 } });
    }
    await app.advance('2026-01-08T00:31:00Z');
  });
  afterAll(() => app.stop());

  it('counts a window that is invoiced in parts until its next count', async () => {
    expect(await late()).toBe(0);
    await shop.use({ customer: 'counted', at: '2026-01-05T00:00:00Z', properties: { n: 2 } });
    expect(await late()).toBe(1);
    await app.advance('2026-01-15T00:31:00Z');
    expect((await shop.invoices('?customer_id=counted'))[0].amount).toBe(2);
    expect(await late()).toBe(0);
  });

  it('counts every window of a gauge that a level reaches', async () => {
    const reading = { customer: 'level', name: 'seat', at: '2026-01-05T00:00:00Z', properties: { n: 3 } };
    await shop.use(reading);
    expect(await late()).toBe(2);
    await app.advance('2026-01-22T00:31:00Z');
    const [invoice] = await shop.invoices('?customer_id=level');
    expect(invoice.line_items.map(({ base }: { base: number }) => base)).toEqual([3, 3, 3]);
    expect(await late()).toBe(0);
  });
});
