import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const PER_UNIT = [
  {
    type: 'per_unit',
    range_start: 0,
    cost_per_batch: 1,
    metric_units_per_batch: 1,
    batch_rounding_type: 'no_rounding',
  },
];
const GAUGE = { metric_type: 'gauge', aggregation_type: 'max', event_type: 'total', property_name: 'level' };
const KINDS: readonly [name: string, metric: object, quantity: number, amount: number][] = [
  ['count', { aggregation_type: 'count', property_name: undefined }, 8, 8],
  ['sum', { aggregation_type: 'sum' }, 16, 16],
  ['max', { aggregation_type: 'max' }, 9, 9],
  ['unique', { aggregation_type: 'unique' }, 6, 6],
  ['average', { aggregation_type: 'average' }, 3.2, 3.2],
  ['peak', { ...GAUGE, granularity: 'months' }, 7, 7],
  ['level', { ...GAUGE, granularity: 'months', proration: 'days' }, 4.6451612903, 4.65],
  ['unit hours', { ...GAUGE, granularity: 'hours', proration: 'minutes' }, 3456, 3456],
  [
    'moved',
    { ...GAUGE, event_type: 'delta', property_name: 'delta', granularity: 'months', proration: 'days' },
    3.935483871,
    3.94,
  ],
  ['busiest hour', { metric_type: 'rate', aggregation_type: 'sum', granularity: 'hours' }, 14, 14],
  [
    'busiest day',
    { metric_type: 'rate', aggregation_type: 'count', property_name: undefined, granularity: 'days' },
    3,
    3,
  ],
];

describe('metrics of every kind', () => {
  let app: TestApp;
  let shop: Shop;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2025-12-20T00:00:00Z' });
    shop = shopOf(app);
    await shop.customer('acme');
  });
  afterAll(() => app.stop());

  it('are billed over a month and verified, with a level from before it', async () => {
    const components: object[] = [];
    for (const [metric_name, changes] of KINDS) {
      const metric = await shop.metric({ metric_name, property_name: 'n', ...changes });
      components.push(aComponentBody(metric, { tiers: PER_UNIT }));
    }
    const plan = await shop.plan('Everything', { recurring_charges: [], components });
    await shop.use({ at: '2025-12-20T00:00:00Z', properties: { level: 3, delta: 3 } });
    await app.advance('2026-01-01T00:00:00Z');
    await shop.subscribe('acme', plan, '2026-01-01');
    await app.advance('2026-01-25T00:00:00Z');
    await shop.use(
      { at: '2026-01-05T10:00:00Z', properties: { n: 5 } },
      { at: '2026-01-05T11:00:00Z', properties: { n: 9 } },
      { at: '2026-01-05T12:00:00.000001Z', properties: { n: -1 } },
      { at: '2026-01-11T00:00:00Z', properties: { level: 7, delta: 1 } },
      { at: '2026-01-21T00:00:00Z', properties: { level: 4 } },
      { at: '2026-01-22T00:00:00Z', properties: { n: 3, delta: 'many' } },
      { at: '2026-01-23T00:00:00Z', properties: { n: 'many' } },
      { at: '2026-01-24T00:00:00Z', properties: { n: 0, delta: 1 } },
    );
    await app.advance('2026-02-01T00:30:00Z');

    const [invoice] = await shop.invoices();
    const lines = new Map<string, { quantity: number; subtotal: number }>(
      invoice.line_items.map((line: { name: string }) => [line.name, line]),
    );
    const billed = KINDS.map(([name]) => [name, lines.get(name)?.quantity, lines.get(name)?.subtotal]);
    expect(billed).toEqual(KINDS.map(([name, , quantity, amount]) => [name, quantity, amount]));

    // The levels at the end of January hold for all of February, in which no event is sent.
    await app.advance('2026-03-01T00:30:00Z');
    const [february] = await shop.invoices();
    const carried = Object.fromEntries(
      february.line_items.map((line: { name: string; quantity: number }) => [line.name, line.quantity]),
    );
    expect(carried).toMatchObject({ count: 0, peak: 4, level: 4, moved: 5, 'busiest hour': 0 });
    expect(await verifyAll(app)).toBe(2);
  });
});
