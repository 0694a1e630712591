import { addonFixtureOf, addonFee } from '../support/addon-fixture.js';
import type { TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

export const KINDS_CLOCK_START = '2025-12-20T00:00:00Z';

const TIERS = [
  {
    type: 'per_unit',
    range_start: 0,
    cost_per_batch: 1,
    metric_units_per_batch: 1,
    batch_rounding_type: 'no_rounding',
  },
];
const GAUGE = { metric_type: 'gauge', aggregation_type: 'max', event_type: 'total', property_name: 'level' };

/** Metrics of every kind, by name. */
export const KINDS: readonly (readonly [string, object])[] = [
  ['count', { aggregation_type: 'count', property_name: undefined }],
  ['sum', { aggregation_type: 'sum' }],
  ['unique', { aggregation_type: 'unique' }],
  ['average', { aggregation_type: 'average' }],
  ['level', { ...GAUGE, granularity: 'months', proration: 'days' }],
  [
    'moved',
    { ...GAUGE, event_type: 'delta', property_name: 'delta', granularity: 'months', proration: 'days' },
  ],
  ['busiest hour', { metric_type: 'rate', aggregation_type: 'sum', granularity: 'hours' }],
];

/** Writes two months of a customer with counters, gauges, rates and an add-on. */
export async function writeKindsBooks(app: TestApp): Promise<void> {
  const shop = shopOf(app);
  await shop.customer('acme', { tax_rate: 10 });
  const components: object[] = [];
  for (const [metric_name, changes] of KINDS) {
    const metric = await shop.metric({ metric_name, property_name: 'n', ...changes });
    components.push(aComponentBody(metric, { tiers: TIERS }));
  }
  const plan = await shop.plan('Everything', { recurring_charges: [], components });
  await shop.use({ at: '2025-12-20T00:00:00Z', properties: { level: 3, delta: 3 } });
  await app.advance('2026-01-01T00:00:00Z');
  const { subscription_id: subscription } = await shop.subscribe('acme', plan, '2026-01-01');
  const fixture = addonFixtureOf(app);
  const addon = await fixture.addon({ recurring_charges: addonFee(), billing_frequency: 'recurring' });
  await app.request
    .post(`/api/subscriptions/${subscription}/addons/attach/`)
    .send({ addon_id: addon })
    .expect(201);
  for (const month of ['01', '02']) {
    await app.advance(`2026-${month}-25T00:00:00Z`);
    await shop.use(
      { at: `2026-${month}-05T10:00:00Z`, properties: { n: 5.25 } },
      { at: `2026-${month}-11T00:00:00Z`, properties: { level: 7, delta: 1 } },
      { at: `2026-${month}-22T00:00:00Z`, properties: { n: 3, delta: 'many' } },
      { at: `2026-${month}-23T00:00:00Z`, properties: { n: 'many' } },
    );
  }
  await app.advance('2026-03-01T00:30:00Z');
}
