import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let calls: string;

const NOW = '2026-01-20T12:00:00Z';
const eu = { property_name: 'region', value: 'eu' };
const us = { property_name: 'region', value: 'us' };

const free = (range_start: number, range_end?: number) => ({ type: 'free', range_start, range_end });
const perUnit = (range_start: number, range_end?: number) => ({
  type: 'per_unit',
  range_start,
  range_end,
  cost_per_batch: 10,
  metric_units_per_batch: 1,
});
let plans = 0;
const plan = (tiers: object[], component: object = {}, metricId = calls): Promise<string> =>
  shop.plan(`plan ${(plans += 1)}`, {
    recurring_charges: [],
    components: [{ metric_id: metricId, tiers, ...component }],
  });
const used = (customer: string, count: number, at = NOW, properties: object = {}) =>
  shop.use(...times(count, at, properties).map((event) => ({ ...event, customer })));
const ask = (customer: string, query = '', id = calls) =>
  app.request.get(`/api/metric_access/?customer_id=${customer}&metric_id=${id}${query && `&${query}`}`);
const access = async (customer: string, query = '', id = calls) =>
  (await ask(customer, query, id).expect(200)).body;
/** Creates a customer on a plan with these tiers that has used `count` units. */
async function customer(id: string, tiers: object[], count: number): Promise<void> {
  await shop.customer(id);
  await shop.subscribe(id, await plan(tiers), '2026-01-01');
  if (count > 0) await used(id, count);
}
/** Returns the tables that an access answer read, one entry per statement. Background work does not send these statements. */
async function readsOf(id: string): Promise<{ reads: string[]; subscriptions: number }> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const { access_per_subscription: each } = await access(id);
    const texts = query.mock.calls.map(([asked]) => textOf(asked));
    const reads = texts.flatMap((text) => {
      if (/^\s*with questions as/.test(text)) return 'usage';
      return /^select .*? from "(customers|metrics|subscriptions)"/s.exec(text)?.[1] ?? [];
    });
    return { reads: reads.sort(), subscriptions: each.length };
  } finally {
    query.mockRestore();
  }
}
const textOf = (asked: unknown): string =>
  typeof asked === 'string' ? asked : String((asked as { text?: unknown }).text);
const limits = (usage: number, freeLimit: number | null, total: number | null) => ({
  metric_usage: usage,
  metric_free_limit: freeLimit,
  metric_total_limit: total,
});

beforeAll(async () => {
  app = await startTestApp({ clockStart: NOW });
  shop = shopOf(app);
  calls = await shop.metric({ metric_name: 'Calls' });
});
afterAll(() => app.stop());

describe('GET /api/metric_access/', () => {
  it('answers the customer, the metric, and each running subscription with its usage and limits', async () => {
    await customer('whole', [free(0, 10), perUnit(10, 20)], 7);
    const answer = await access('whole');
    expect(answer).toMatchObject({
      customer: { customer_id: 'whole', customer_name: 'whole Inc', email: null },
      access: true,
      access_per_subscription: [
        {
          subscription: {
            start_date: '2026-01-01T00:00:00Z',
            end_date: '2026-01-31T23:59:59.999999Z',
            subscription_filters: [],
            plan: { plan_name: 'plan 1', version: 1 },
          },
          ...limits(7, 10, 20),
        },
      ],
    });
    expect(Object.keys(answer)).toEqual(['customer', 'metric', 'access', 'access_per_subscription']);
    expect(answer.metric).toEqual((await app.request.get(`/api/metrics/${calls}/`).expect(200)).body);
  });

  it.each([
    ['limit-deny', [free(0, 1), perUnit(1, 3)], 5, false, limits(5, 1, 3)],
    ['free-allow', [free(0, 20)], 0, true, limits(0, 20, 20)],
    ['at-limit', [free(0, 1), perUnit(1, 5)], 5, false, limits(5, 1, 5)],
    ['free-unlimited', [free(0)], 5, true, limits(5, null, null)],
    ['free-only-below', [free(0, 5)], 4, true, limits(4, 5, 5)],
    ['charged-from-the-first', [perUnit(0)], 3, true, limits(3, 0, null)],
  ])('%s', async (name, tiers, count, allowed, entry) => {
    await customer(name, tiers, count);
    expect(await access(name)).toMatchObject({ access: allowed, access_per_subscription: [entry] });
  });

  it('any subscription that still has room is enough', async () => {
    await customer('mixed', [perUnit(0, 3)], 5);
    await shop.subscribe('mixed', await plan([perUnit(0, 100)]), '2026-01-02');
    expect(await access('mixed')).toMatchObject({
      access: true,
      access_per_subscription: [limits(5, 0, 3), limits(5, 0, 100)],
    });
  });

  it('a metric that no running plan has, and a customer without a plan, have no access', async () => {
    const other = await shop.metric({ metric_name: 'Elsewhere', event_name: 'elsewhere' });
    expect(await access('whole', '', other)).toMatchObject({
      access: false,
      access_per_subscription: [limits(0, 0, 0)],
    });
    await shop.customer('nothing');
    expect(await access('nothing')).toMatchObject({ access: false, access_per_subscription: [] });
  });

  it('with filters only the subscriptions that have them count, each with the usage that it counts', async () => {
    await shop.customer('filtered');
    const limited = await plan([free(0, 2)]);
    for (const filter of [eu, us]) {
      await shop.subscribe('filtered', limited, '2026-01-01', { subscription_filters: [filter] });
    }
    await used('filtered', 2, NOW, { region: 'eu' });
    await used('filtered', 1, NOW, { region: 'us' });
    const asked = (value: string) =>
      `subscription_filters[0][property_name]=region&subscription_filters[0][value]=${value}`;
    expect(await access('filtered', asked('eu'))).toMatchObject({
      access: false,
      access_per_subscription: [limits(2, 2, 2)],
    });
    expect(await access('filtered', asked('us'))).toMatchObject({
      access: true,
      access_per_subscription: [limits(1, 2, 2)],
    });
    expect((await access('filtered')).access_per_subscription).toHaveLength(2);
  });

  it.each([
    ['tiny', 1e-7],
    ['huge', 1e21],
  ])('a filter of a %s number matches the events that have it', async (name, value) => {
    await shop.customer(name);
    const filters = [{ property_name: 'p', value }];
    await shop.subscribe(name, await plan([free(0, 5)]), '2026-01-01', { subscription_filters: filters });
    await used(name, 2, NOW, { p: value });
    const asked = `subscription_filters=${encodeURIComponent(JSON.stringify(filters))}`;
    expect((await access(name, asked)).access_per_subscription).toMatchObject([limits(2, 5, 5)]);
  });

  it('a sum is exact, of what was received by now, and only of the running window', async () => {
    const bytes = await shop.metric({
      metric_name: 'Bytes',
      aggregation_type: 'sum',
      property_name: 'bytes',
    });
    await shop.customer('weekly');
    const weekly = { reset_interval_unit: 'week', reset_interval_count: 1 };
    await shop.subscribe('weekly', await plan([perUnit(0, 0.3)], weekly, bytes), '2026-01-01');
    // Weekly windows count from the start of the term: the current one is from the 15th to the 22nd.
    await used('weekly', 1, '2026-01-14T23:59:59.999999Z', { bytes: 50 });
    await used('weekly', 2, '2026-01-15T00:00:00Z', { bytes: 0.1 });
    const usage = async () => (await access('weekly', '', bytes)).access_per_subscription[0].metric_usage;
    expect(await usage()).toBe(0.2);
    expect((await access('weekly', '', bytes)).access).toBe(true);
    await used('weekly', 1, NOW, { bytes: '0.1' });
    expect(await usage()).toBe(0.3);
    expect((await access('weekly', '', bytes)).access).toBe(false);
  });

  it('every kind of counter is compared as it is billed', async () => {
    await shop.customer('kinds');
    const of = (aggregation_type: string) =>
      shop.metric({ metric_name: `by ${aggregation_type}`, aggregation_type, property_name: 'n' });
    const ids = { max: await of('max'), unique: await of('unique'), average: await of('average') };
    const components = Object.values(ids).map((metric_id) => ({ metric_id, tiers: [perUnit(0, 5.4)] }));
    const all = await shop.plan('kinds', { recurring_charges: [], components });
    await shop.subscribe('kinds', all, '2026-01-01');
    for (const n of [5, 2, 9]) await used('kinds', 1, NOW, { n });
    const seen = async (id: string) => {
      const { access: allowed, access_per_subscription: each } = await access('kinds', '', id);
      return [allowed, each[0].metric_usage];
    };
    expect(await seen(ids.max)).toEqual([false, 9]);
    expect(await seen(ids.unique)).toEqual([true, 3]);
    expect(await seen(ids.average)).toEqual([true, 5.3333333333]);
  });

  it('asks the database as often for many subscriptions as for one', async () => {
    await shop.customer('many');
    const shared = await plan([free(0, 5)]);
    const subscribe = (n: number) => {
      const subscription_filters = [{ property_name: 'region', value: `r${n}` }];
      return shop.subscribe('many', shared, '2026-01-01', { subscription_filters });
    };
    await subscribe(0);
    const once = ['customers', 'metrics', 'subscriptions', 'usage'];
    expect(await readsOf('many')).toEqual({ reads: once, subscriptions: 1 });
    for (let n = 1; n < 12; n += 1) await subscribe(n);
    expect(await readsOf('many')).toEqual({ reads: once, subscriptions: 12 });
  });

  it.each([
    ['', { customer_id: 'required', metric_id: 'required' }],
    ['customer_id=nobody&metric_id=metric_1', { customer_id: 'does_not_exist', metric_id: 'does_not_exist' }],
    [
      'customer_id=nobody&metric_id=metric_00000000000040008000000000000001',
      { customer_id: 'does_not_exist', metric_id: 'does_not_exist' },
    ],
    [
      'customer_id=whole&metric_id=&subscription_filters=x',
      { metric_id: 'blank', subscription_filters: 'invalid' },
    ],
  ])('refuses ?%s', async (query, errors) => {
    const { body } = await app.request.get(`/api/metric_access/?${query}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual(errors);
  });

  it('a tenant’s customer and metric do not exist for another, and its usage is not counted', async () => {
    const other = await anotherTenant(app);
    const { body } = await other.request
      .get(`/api/metric_access/?customer_id=whole&metric_id=${calls}`)
      .expect(400);
    expect(fieldErrorsOf(body)).toEqual({ customer_id: 'does_not_exist', metric_id: 'does_not_exist' });
  });

  it('a renewal begins anew, and nothing asked has changed what is billed', async () => {
    expect((await access('at-limit')).access).toBe(false);
    await app.advance('2026-02-01T00:00:00Z');
    expect(await access('at-limit')).toMatchObject({
      access: true,
      access_per_subscription: [limits(0, 1, 5)],
    });
    await app.advance('2026-02-02T00:00:00Z');
    const invoices = await shop.invoices('?customer_id=at-limit');
    expect(invoices).toMatchObject([{ amount: 40 }]);
    expect(await verifyAll(app)).toBeGreaterThan(1);
  });
});
