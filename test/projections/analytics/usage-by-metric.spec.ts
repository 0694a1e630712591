import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aComponentBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../../support/shop.js';

const FILTERED = [{ property_name: 'region', operator: 'isin', comparison_value: ['eu'] }];
const ABOVE = [{ property_name: 'n', operator: 'gte', comparison_value: 3 }];
const COUNTERS: Readonly<Record<string, object>> = {
  count: { aggregation_type: 'count', property_name: undefined },
  sum: { aggregation_type: 'sum' },
  max: { aggregation_type: 'max' },
  unique: { aggregation_type: 'unique' },
  average: { aggregation_type: 'average' },
  filtered: { aggregation_type: 'sum', categorical_filters: FILTERED, numeric_filters: ABOVE },
};

interface Row {
  readonly name: string;
  readonly day: string;
  readonly events: number;
  readonly quantity: number | null;
}

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  shop = shopOf(app);
  await shop.customer('acme');
  const components: object[] = [];
  for (const [metric_name, changes] of Object.entries(COUNTERS)) {
    const metric = await shop.metric({ metric_name, property_name: 'n', ...changes });
    components.push(aComponentBody(metric));
  }
  await shop.metric({
    metric_name: 'level',
    metric_type: 'gauge',
    aggregation_type: 'max',
    property_name: 'n',
    event_type: 'total',
    granularity: 'months',
  });
  const plan = await shop.plan('Everything', { recurring_charges: [], components });
  await shop.subscribe('acme', plan, '2026-01-01');
  const events = Array.from({ length: 60 }, (_, place) => ({
    at: new Date(Date.UTC(2026, 0, 2 + (place % 9), place % 24)).toISOString(),
    properties: {
      n: [1.5, 2, '3', 4.25, -7, 'many', null][place % 7],
      region: ['eu', 'us', 'as'][place % 3],
    },
  }));
  await shop.use(...events);
});
afterAll(() => app.stop());

it('usage by customer, metric and day is that of the API', async () => {
  const { body } = await app.request
    .get('/api/usage/?customer_id=acme&granularity=day&range_start=2026-01-01T00:00:00Z&limit=1000')
    .expect(200);
  const { rows } = await app.pool.query<Row>(
    `select metric_name as name, day::text, events::int, quantity::float from analytics.usage_by_metric_and_day
     where org = $1 order by metric_name, day`,
    [app.org],
  );
  const levels = rows.filter(({ name }) => name === 'level');
  expect(levels).toHaveLength(9);
  expect(new Set(levels.map(({ quantity }) => quantity))).toEqual(new Set([null]));
  const shown = (body as { metric_name: string; start_date: string; event_count: number; quantity: number }[])
    .filter(({ event_count: events }) => events > 0)
    .map(({ metric_name: name, start_date, event_count: events, quantity }) => ({
      name,
      day: start_date.slice(0, 10),
      events,
      quantity,
    }));
  const key = ({ name, day }: { name: string; day: string }): string => `${name} ${day}`;
  const sorted = (list: readonly Row[]) => [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const counters = sorted(rows.filter(({ name }) => name in COUNTERS));
  const expected = sorted(shown);
  expect(counters.map(key)).toEqual(expected.map(key));
  expect(counters.map(({ events }) => events)).toEqual(expected.map(({ events }) => events));
  for (const [place, { quantity }] of counters.entries()) {
    expect(quantity).toBeCloseTo(expected[place]!.quantity!, 9);
  }
  expect(counters.length).toBeGreaterThan(40);
});
