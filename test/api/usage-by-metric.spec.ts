import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromWireId } from '../../src/kernel/ids.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

interface Row {
  readonly day: string;
  readonly metric_id: string;
  readonly quantity: number | null;
  readonly events: number;
}
interface Report {
  readonly rows: readonly Row[];
  readonly metrics: readonly { readonly metric_id: string; readonly metric_name: string }[];
  readonly metrics_left_out: number;
}

let app: TestApp;
let shop: Shop;
/** Ids of metrics by name. */
const ids: Record<string, string> = {};

const OVER_BYTES = { property_name: 'bytes' };
const METRICS: Readonly<Record<string, object>> = {
  requests: {},
  'bytes sent': { ...OVER_BYTES, aggregation_type: 'sum' },
  'bytes sent to the union': {
    ...OVER_BYTES,
    aggregation_type: 'sum',
    categorical_filters: [{ property_name: 'region', operator: 'isin', comparison_value: ['eu'] }],
  },
  'large requests': {
    numeric_filters: [{ property_name: 'bytes', operator: 'gte', comparison_value: 20 }],
  },
  'largest request': { ...OVER_BYTES, aggregation_type: 'max' },
  regions: { property_name: 'region', aggregation_type: 'unique' },
  'size on average': { ...OVER_BYTES, aggregation_type: 'average' },
  level: {
    ...OVER_BYTES,
    metric_type: 'gauge',
    aggregation_type: 'max',
    event_type: 'total',
    granularity: 'days',
  },
};
const ADDED_UP = [
  'requests',
  'bytes sent',
  'bytes sent to the union',
  'large requests',
  'largest request',
  'regions',
];

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  for (const [name, definition] of Object.entries(METRICS))
    ids[name] = await shop.metric({ metric_name: name, ...definition });
  const plan = await shop.plan('All', { components: ADDED_UP.map((name) => aComponentBody(ids[name]!)) });
  for (const customer of ['acme', 'beta']) {
    await shop.customer(customer);
    await shop.subscribe(customer, plan, '2026-01-01');
  }
  await app.advance('2026-01-20T00:00:00Z');
  const used = (customer: string, at: string, bytes: number | string, region: string) => ({
    customer,
    at,
    properties: { bytes, region },
  });
  await shop.use(
    used('acme', '2026-01-10T00:00:00Z', 10, 'eu'),
    used('acme', '2026-01-10T23:59:59.999999Z', 20.5, 'us'),
    used('acme', '2026-01-11T00:00:00Z', 30, 'eu'),
    used('beta', '2026-01-10T12:00:00Z', 40, 'eu'),
    used('beta', '2026-01-10T13:00:00Z', 'not a number', 'eu'),
    used('nobody', '2026-01-10T12:00:00Z', 5, 'asia'),
  );
});
afterAll(() => app.stop());

const report = async (query: string): Promise<Report> =>
  (await app.request.get(`/api/analytics/usage-by-metric/?${query}`).expect(200)).body as Report;
const RANGE = 'range_start=2026-01-10&range_end=2026-01-12';
const quantities = (rows: readonly Row[], name: string) =>
  rows.filter(({ metric_id: id }) => id === ids[name]).map(({ day, quantity }) => [day, quantity]);

describe('usage by metric', () => {
  it('adds up what the events of each customer amount to', async () => {
    const { rows, metrics, metrics_left_out: leftOut } = await report(RANGE);
    const [first, second] = ['2026-01-10', '2026-01-11'];
    const expected: Record<string, unknown> = {
      requests: [
        [first, 5],
        [second, 1],
      ],
      'bytes sent': [
        [first, 75.5],
        [second, 30],
      ],
      'bytes sent to the union': [
        [first, 50],
        [second, 30],
      ],
      'large requests': [
        [first, 2],
        [second, 1],
      ],
      'largest request': [
        [first, 65.5],
        [second, 30],
      ],
      regions: [
        [first, 4],
        [second, 1],
      ],
      'size on average': [
        [first, null],
        [second, null],
      ],
      level: [
        [first, null],
        [second, null],
      ],
    };
    for (const [name, own] of Object.entries(expected))
      expect([name, quantities(rows, name)]).toEqual([name, own]);
    expect(metrics.map(({ metric_name: name }) => name).sort()).toEqual(Object.keys(METRICS).sort());
    expect(leftOut).toBe(0);
  });

  it('is the sum of the usage of each customer where all are subscribed', async () => {
    const { rows } = await report(RANGE);
    for (const name of ADDED_UP) {
      const sums = new Map<string, number>();
      for (const customer of ['acme', 'beta']) {
        const query = `customer_id=${customer}&metric_id=${ids[name]}&granularity=day&range_start=2026-01-10&range_end=2026-01-12`;
        const { body } = await app.request.get(`/api/usage/?${query}`).expect(200);
        for (const { start_date: start, quantity } of body as { start_date: string; quantity: number }[])
          sums.set(start.slice(0, 10), (sums.get(start.slice(0, 10)) ?? 0) + quantity);
      }
      // Usage of an unknown customer: 5 bytes from one region.
      const unknown = { requests: 1, 'bytes sent': 5, 'largest request': 5, regions: 1 }[name] ?? 0;
      sums.set('2026-01-10', sums.get('2026-01-10')! + unknown);
      expect([name, quantities(rows, name)]).toEqual([name, [...sums]]);
    }
  });

  it('by month is counted anew, not added up from days', async () => {
    const { rows } = await report('granularity=month&range_start=2025-12-01');
    expect(quantities(rows, 'regions')).toEqual([['2026-01-01', 4]]);
    expect(quantities(rows, 'bytes sent')).toEqual([['2026-01-01', 105.5]]);
    const { body } = await app.request.get('/api/analytics/usage/?granularity=month').expect(200);
    expect(body.rows).toEqual([{ day: '2026-01-01', event_name: 'request', events: 6 }]);
  });

  it('stays as it was counted until more events arrive, also late ones', async () => {
    const query = `${RANGE}&metric_id=${ids['bytes sent']}`;
    const before = quantities((await report(query)).rows, 'bytes sent');
    const keep = 'update usage_of_metrics set total = 999 where metric_id = $1';
    const { rows: kept } = await app.pool.query<{ metric_id: string; granularity: string }>(
      'select distinct metric_id, granularity from usage_of_metrics',
    );
    // Metrics that count every event have no rows here: their report reads the sums by day.
    expect(kept.filter(({ granularity }) => granularity === 'day')).toHaveLength(
      Object.keys(METRICS).length - 1,
    );
    await app.pool.query(keep, [fromWireId('metric', ids['bytes sent']!)]);
    expect(quantities((await report(query)).rows, 'bytes sent')).toEqual(before.map(([day]) => [day, 999]));
    await shop.use({ customer: 'beta', at: '2026-01-11T05:00:00Z', properties: { bytes: 7, region: 'eu' } });
    expect(quantities((await report(query)).rows, 'bytes sent')).toEqual([
      ['2026-01-10', 999],
      ['2026-01-11', 37],
    ]);
    await app.pool.query('delete from usage_of_metrics');
    expect(quantities((await report(query)).rows, 'bytes sent')).toEqual([
      ['2026-01-10', 75.5],
      ['2026-01-11', 37],
    ]);
  });

  it('counts one metric alone, and of many those with most events', async () => {
    const { rows, metrics } = await report(`${RANGE}&metric_id=${ids['bytes sent']}`);
    expect(metrics).toMatchObject([{ metric_name: 'bytes sent' }]);
    expect(new Set(rows.map(({ metric_id: id }) => id))).toEqual(new Set([ids['bytes sent']]));
    for (let index = 0; index < 14; index += 1) await shop.metric({ metric_name: `more ${index}` });
    await shop.metric({ metric_name: 'unused', event_name: 'never' });
    const all = await report(RANGE);
    expect(all.metrics).toHaveLength(20);
    expect(all.metrics_left_out).toBe(2);
  });

  it('answers an organization its own usage alone, in a range that has an order and a length', async () => {
    const other = await anotherTenant(app);
    const { body } = await other.request.get(`/api/analytics/usage-by-metric/?${RANGE}`).expect(200);
    expect(body).toMatchObject({ rows: [], metrics: [], metrics_left_out: 0 });
    const refused = async (query: string) =>
      (await app.request.get(`/api/analytics/usage-by-metric/?${query}`).expect(400)).body
        .validation_errors[0].attr;
    expect(await refused('range_start=2025-01-01')).toBe('range_start');
    expect(await refused('granularity=month&range_start=1990-01-01')).toBe('range_start');
    expect(await refused('granularity=week')).toBe('granularity');
    expect(await refused(`metric_id=metric_${'0'.repeat(32)}`)).toBe('metric_id');
  });

  it('leaves out no metric uncounted, however many the organization has', async () => {
    const { metrics, metrics_left_out: before } = await report(RANGE);
    const more = 1_000;
    const { rows: columns } = await app.pool.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = 'metrics'::regclass and attnum > 0`,
    );
    const values = columns.map(({ name }) =>
      name === 'metric_id' ? 'gen_random_uuid()' : name === 'name' ? `'later ' || n` : `m.${name}`,
    );
    await app.pool.query(
      `insert into metrics select ${values.join(', ')} from metrics m cross join generate_series(1, ${more}) n
        where m.org = $1 and m.name = 'requests'`,
      [app.org],
    );
    expect((await report(RANGE)).metrics_left_out).toBe(before + more);
    const { body } = await app.request.get('/api/analytics/usage/').expect(200);
    expect(body.metrics).toHaveLength(metrics.length + before + more);
  });
});
