import { afterAll, beforeAll, expect } from '@jest/globals';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import type { GoldenCase } from '../../golden/cases.js';
import { golden } from './golden.js';

const NOW = '2026-01-20T12:00:00Z';
const EU = { property_name: 'region', value: 'eu' };
const US = { property_name: 'region', value: 'us' };
const GOLD = { property_name: 'tier', value: 'gold' };

let app: TestApp;
let shop: Shop;
let calls: string;
let f1: string;
let f2: string;
let withF1: string;
let plans = 0;

const json = (filters: object[]) => encodeURIComponent(JSON.stringify(filters));
const feature = async (feature_name: string): Promise<string> =>
  (await app.request.post('/api/features/').send({ feature_name }).expect(201)).body.feature_id;
const featureAccess = async (customer: string, filters: object[] = [], id = f1) => {
  const query = filters.length > 0 ? `&subscription_filters=${json(filters)}` : '';
  const path = `/api/feature_access/?customer_id=${customer}&feature_id=${id}${query}`;
  return (await app.request.get(path).expect(200)).body;
};
const metricAccess = async (customer: string, id = calls) =>
  (await app.request.get(`/api/metric_access/?customer_id=${customer}&metric_id=${id}`).expect(200)).body;

const free = (range_start: number, range_end?: number) => ({ type: 'free', range_start, range_end });
const perUnit = (range_start: number, range_end: number, cost_per_batch = 10) => ({
  type: 'per_unit',
  range_start,
  range_end,
  cost_per_batch,
  metric_units_per_batch: 1,
});
/** Subscribes the customer to a new plan whose only component has these tiers. */
async function subscribe(customer: string, tiers: object[], metric_id = calls): Promise<void> {
  const planId = await shop.plan(`plan ${(plans += 1)}`, {
    recurring_charges: [],
    components: [{ metric_id, tiers }],
  });
  await shop.subscribe(customer, planId, '2026-01-01');
}
const used = (customer: string, events: number) =>
  shop.use(...times(events, '2026-01-15T00:00:00Z').map((event) => ({ ...event, customer })));

beforeAll(async () => {
  app = await startTestApp({ clockStart: NOW });
  shop = shopOf(app);
  calls = await shop.metric();
  f1 = await feature('F1');
  f2 = await feature('F2');
  withF1 = await shop.plan('P', { features: [f1] });
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(4);
  await app.stop();
});

golden('feature-allow', async ({ expect: wanted }) => {
  await shop.customer('allowed');
  const { billing_plan: plan } = await shop.subscribe('allowed', withF1, '2026-01-01');
  expect(await featureAccess('allowed')).toMatchObject({
    ...wanted,
    feature: { feature_id: f1, feature_name: 'F1' },
    access_per_subscription: [
      {
        access: true,
        subscription: {
          start_date: '2026-01-01T00:00:00Z',
          end_date: '2026-01-31T23:59:59.999999Z',
          subscription_filters: [],
          plan,
        },
      },
    ],
  });
  expect(await featureAccess('allowed', [], f2)).toMatchObject({
    access: false,
    access_per_subscription: [{ access: false }],
  });
});

golden('feature-filters', async ({ expect: wanted }) => {
  await shop.customer('two');
  for (const filter of [EU, US]) {
    await shop.subscribe('two', withF1, '2026-01-01', { subscription_filters: [filter] });
  }
  const all = await featureAccess('two');
  const filtered = await featureAccess('two', [EU]);
  expect({
    all: all.access_per_subscription.length,
    filtered: filtered.access_per_subscription.length,
  }).toEqual(wanted);
  expect(all).toMatchObject({ access: true, access_per_subscription: [{ access: true }, { access: true }] });
  expect(filtered).toMatchObject({
    access: true,
    access_per_subscription: [{ access: true, subscription: { subscription_filters: [EU] } }],
  });
});

golden('ref-feature-filters', async () => {
  await shop.customer('both filters');
  await shop.subscribe('both filters', withF1, '2026-01-01', { subscription_filters: [EU, GOLD] });
  expect(await featureAccess('both filters', [EU])).toMatchObject({
    access: true,
    access_per_subscription: [{ access: true, subscription: { subscription_filters: [EU, GOLD] } }],
  });
  expect(await featureAccess('both filters', [US])).toMatchObject({
    access: false,
    access_per_subscription: [],
  });
});

golden('feature-missing-params', async ({ expect: wanted }) => {
  const { body } = await app.request.get('/api/feature_access/');
  expect(body).toMatchObject({ ...wanted, title: 'required' });
  expect(fieldErrorsOf(body)).toEqual({ customer_id: 'required', feature_id: 'required' });
});

/** Tests the access of a customer on a plan with these tiers, after this many calls. */
const limited = (id: string, tiers: object[], events: number): void =>
  golden(id, async ({ expect: wanted }) => {
    await shop.customer(id);
    await subscribe(id, tiers);
    if (events > 0) await used(id, events);
    expect(await metricAccess(id)).toMatchObject(answerOf(wanted));
  });
const answerOf = (wanted: GoldenCase['expect']) => ({
  access: wanted?.['access'],
  access_per_subscription: [
    {
      metric_usage: wanted?.['usage'],
      metric_free_limit: wanted?.['free'],
      metric_total_limit: wanted?.['total'],
    },
  ],
});

limited('metric-limit-deny', [free(0, 1), perUnit(1, 3)], 5);
limited('metric-free-allow', [free(0, 20)], 0);
limited('metric-at-limit', [free(0, 1), perUnit(1, 5)], 5);
limited('metric-free-unlimited', [free(0)], 5);
limited('metric-free-only-below', [free(0, 5)], 4);

golden('metric-mixed-subs', async ({ expect: wanted }) => {
  await shop.customer('mixed');
  await subscribe('mixed', [perUnit(0, 3)]);
  await subscribe('mixed', [perUnit(0, 100)]);
  await used('mixed', 5);
  const { access, access_per_subscription: each } = await metricAccess('mixed');
  expect({ access }).toEqual(wanted);
  const entries = each.map((entry: Record<string, number>) => [
    entry['metric_usage'],
    entry['metric_total_limit'],
  ]);
  expect(entries.sort((a: number[], b: number[]) => a[1]! - b[1]!)).toEqual([
    [5, 3],
    [5, 100],
  ]);
});

golden('metric-no-subscription', async ({ expect: wanted }) => {
  await shop.customer('c2');
  expect(await metricAccess('c2')).toMatchObject({ ...wanted, access_per_subscription: [] });
});

golden('metric-gauge-current', async ({ expect: wanted }) => {
  const seats = await shop.metric({
    metric_name: 'seats',
    metric_type: 'gauge',
    aggregation_type: 'max',
    event_type: 'total',
    granularity: 'total',
    property_name: 'seats',
  });
  await shop.customer('gauge');
  await subscribe('gauge', [perUnit(0, 10, 5)], seats);
  const levels = [
    ['2026-01-18T12:00:00Z', 1],
    ['2026-01-19T12:00:00Z', 10],
    ['2026-01-20T06:00:00Z', 1],
  ] as const;
  await shop.use(...levels.map(([at, level]) => ({ customer: 'gauge', at, properties: { seats: level } })));
  const { access, access_per_subscription: each } = await metricAccess('gauge', seats);
  expect(access).toBe(wanted?.['access']);
  expect(each).toMatchObject([{ metric_usage: 1, metric_total_limit: 10 }]);
  expect(each[0].metric_usage).toBeLessThan(Number(wanted?.['usage_lt']));
});

golden('feature-ended-subscription', async ({ expect: wanted }) => {
  await shop.customer('ended');
  await shop.subscribe('ended', withF1, '2026-01-01', { auto_renew: false });
  expect(await featureAccess('ended')).toMatchObject({ access: true });
  await app.advance('2026-03-10T00:00:00Z');
  expect(await featureAccess('ended')).toMatchObject({ ...wanted, access_per_subscription: [] });
});
