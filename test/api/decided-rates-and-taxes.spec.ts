import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const WEEKLY = { reset_interval_unit: 'week', reset_interval_count: 1 };
const per = (cost: number) => [
  { type: 'per_unit', range_start: 0, cost_per_batch: cost, metric_units_per_batch: 1 },
];

describe('decided since, of rates and of taxes', () => {
  let app: TestApp;
  let shop: Shop;
  const weekly = (metric: string, tiers: readonly object[], changes: object = {}) => ({
    recurring_charges: [],
    components: [
      {
        metric_id: metric,
        tiers,
        invoicing_interval_unit: 'week',
        invoicing_interval_count: 1,
        ...changes,
      },
    ],
  });
  const newestLines = async (customer: string) => {
    const [newest] = await shop.invoices(`?customer_id=${customer}`);
    return newest.line_items
      .filter(({ plan }: { plan: object | null }) => plan)
      .map(({ quantity, base, amount }: Record<string, number>) => [quantity, base, amount]);
  };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
    shop = shopOf(app);
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  it('a rate looks back across the start of its window, never before that of the subscription', async () => {
    const metric = await shop.metric({
      metric_type: 'rate',
      aggregation_type: 'sum',
      property_name: 'n',
      granularity: 'days',
    });
    const plan = await shop.plan('Rate', weekly(metric, per(1), WEEKLY));
    await shop.customer('rated');
    await shop.subscribe('rated', plan, '2026-01-10T00:00:00Z');
    const use = (at: string, n: number) => ({ customer: 'rated', at, properties: { n } });
    await shop.use(use('2026-01-09T20:00:00Z', 5), use('2026-01-10T10:00:00Z', 3));
    await app.advance('2026-01-17T00:00:00Z');
    // The 2 on the 16th and the 4 on the 17th are within 24 hours of each other.
    await shop.use(use('2026-01-16T20:00:00Z', 2), use('2026-01-17T10:00:00Z', 4));
    await app.advance('2026-01-18T00:00:00Z');
    expect(await newestLines('rated')).toEqual([[3, 3, 3]]);
    await app.advance('2026-01-25T00:00:00Z');
    expect(await newestLines('rated')).toEqual([[6, 6, 6]]);
  });

  it('a negative difference has the tax of the new total less the tax charged', async () => {
    const metric = await shop.metric({ aggregation_type: 'sum', property_name: 'n', metric_name: 'units' });
    const cheaper = [
      { type: 'per_unit', range_start: 0, range_end: 20, cost_per_batch: 1, metric_units_per_batch: 100 },
      { type: 'per_unit', range_start: 20, cost_per_batch: 1, metric_units_per_batch: 1_000 },
    ].map((tier) => ({ ...tier, batch_rounding_type: 'no_rounding' }));
    const plan = await shop.plan('Volume', weekly(metric, cheaper, { bulk_pricing_enabled: true }));
    await shop.customer('taxed', { tax_rate: 10 });
    await shop.subscribe('taxed', plan, '2026-01-25T00:00:00Z');
    const use = (at: string, n: number) => shop.use({ customer: 'taxed', at, properties: { n } });
    await use('2026-01-26T00:00:00Z', 14);
    await app.advance('2026-02-02T00:00:00Z');
    // The exact tax is 0.014.
    expect(await newestLines('taxed')).toEqual([[14, 0.14, 0.15]]);
    await use('2026-02-03T00:00:00Z', 46);
    await app.advance('2026-02-09T00:00:00Z');
    // The total is 0.06 with a tax of 0.006, which rounds to the tax that was charged. 10 % of −0.08 would credit back 0.01.
    expect(await newestLines('taxed')).toEqual([[46, -0.08, -0.08]]);
  });
});
