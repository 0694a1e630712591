import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let exporting: string;
let support: string;
let withExports: string;
let without: string;

const eu = { property_name: 'region', value: 'eu' };
const us = { property_name: 'region', value: 'us' };
const tier = { property_name: 'tier', value: '1' };

const feature = async (name: string): Promise<string> =>
  (await app.request.post('/api/features/').send({ feature_name: name }).expect(201)).body.feature_id;
const access = async (customer: string, query = '', id = exporting) =>
  (
    await app.request
      .get(`/api/feature_access/?customer_id=${customer}&feature_id=${id}${query && `&${query}`}`)
      .expect(200)
  ).body;
const filtersOf = (answer: { access_per_subscription: { subscription: object }[] }) =>
  answer.access_per_subscription.map(({ subscription }) => subscription);
const policy = (feature_access_policy: 'any' | 'all') =>
  app.request.patch('/api/organization/').send({ feature_access_policy }).expect(200);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
  shop = shopOf(app);
  exporting = await feature('Exports');
  support = await feature('Support');
  withExports = await shop.plan('With exports', { features: [exporting] });
  without = await shop.plan('Without', { features: [] });
});
afterAll(() => app.stop());

describe('GET /api/feature_access/', () => {
  it('answers the customer, the feature, and each running subscription with its plan', async () => {
    await shop.customer('whole', { email: 'whole@example.com' });
    const { billing_plan: plan } = await shop.subscribe('whole', withExports, '2026-01-01');
    expect(await access('whole')).toEqual({
      customer: { customer_id: 'whole', customer_name: 'whole Inc', email: 'whole@example.com' },
      feature: { feature_id: exporting, feature_name: 'Exports', feature_description: null },
      access: true,
      access_per_subscription: [
        {
          subscription: {
            start_date: '2026-01-01T00:00:00Z',
            end_date: '2026-01-31T23:59:59.999999Z',
            subscription_filters: [],
            plan,
          },
          access: true,
        },
      ],
    });
    expect(await access('whole', '', support)).toMatchObject({
      access: false,
      access_per_subscription: [{ access: false }],
    });
  });

  it('a customer without a running subscription has no access, and none that denies it', async () => {
    await shop.customer('nothing');
    await shop.customer('later');
    await shop.subscribe('later', withExports, '2026-01-10T00:00:01Z');
    for (const customer of ['nothing', 'later']) {
      expect(await access(customer)).toMatchObject({ access: false, access_per_subscription: [] });
    }
  });

  it('with filters only the subscriptions that have all of them count, in every encoding', async () => {
    await shop.customer('filtered');
    await shop.subscribe('filtered', withExports, '2026-01-01', { subscription_filters: [us] });
    await shop.subscribe('filtered', withExports, '2026-01-02', { subscription_filters: [eu, tier] });
    expect((await access('filtered')).access_per_subscription).toHaveLength(2);

    const json = (value: object) => encodeURIComponent(JSON.stringify(value));
    for (const query of [
      `subscription_filters=${json([eu])}`,
      `subscription_filters[]=${json(eu)}`,
      `subscription_filters=${json([tier, eu])}`,
      'subscription_filters[0][property_name]=region&subscription_filters[0][value]=eu',
      'subscription_filters[0].property_name=region&subscription_filters[0].value=eu',
      'subscription_filters[0]property_name=region&subscription_filters[0]value=eu',
    ]) {
      const answer = await access('filtered', query);
      expect(answer.access).toBe(true);
      expect(filtersOf(answer)).toMatchObject([{ subscription_filters: [eu, tier] }]);
    }
    for (const asked of [[eu, us], [{ ...eu, value: 'EU' }], [{ ...eu, value: '\u0000' }]]) {
      expect(await access('filtered', `subscription_filters=${json(asked)}`)).toMatchObject({
        access: false,
        access_per_subscription: [],
      });
    }
  });

  it('any subscription that grants it is enough, unless the organization wants all of them to', async () => {
    await shop.customer('mixed');
    await shop.subscribe('mixed', without, '2026-01-01');
    await shop.subscribe('mixed', withExports, '2026-01-02');
    const each = [{ access: false }, { access: true }];
    expect(await access('mixed')).toMatchObject({ access: true, access_per_subscription: each });
    await policy('all');
    expect(await access('mixed')).toMatchObject({ access: false, access_per_subscription: each });
    expect(await access('whole')).toMatchObject({ access: true });
    expect(await access('nothing')).toMatchObject({ access: false });
    await policy('any');
  });

  it.each([
    ['', { customer_id: 'required', feature_id: 'required' }],
    ['customer_id=&feature_id=x', { customer_id: 'blank', feature_id: 'does_not_exist' }],
    ['customer_id=whole&customer_id=mixed', { customer_id: 'invalid', feature_id: 'required' }],
    [
      'customer_id=nobody&feature_id=feature_00000000000040008000000000000001',
      { customer_id: 'does_not_exist', feature_id: 'does_not_exist' },
    ],
    [
      'customer_id=whole&feature_id=feature_00000000000040008000000000000001',
      { feature_id: 'does_not_exist' },
    ],
  ])('refuses ?%s', async (query, errors) => {
    const { body } = await app.request.get(`/api/feature_access/?${query}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual(errors);
    expect(body.title).toBe(Object.values(errors)[0]);
  });

  it('what cannot be read as filters is refused, never ignored', async () => {
    const query = `customer_id=whole&feature_id=${exporting}&subscription_filters=region`;
    const { body } = await app.request.get(`/api/feature_access/?${query}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual({ subscription_filters: 'invalid' });
  });

  it('another tenant’s customer and feature are as unknown as any', async () => {
    const other = await anotherTenant(app);
    const query = `customer_id=whole&feature_id=${exporting}`;
    const { body } = await other.request.get(`/api/feature_access/?${query}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual({ customer_id: 'does_not_exist', feature_id: 'does_not_exist' });
  });

  it('a term ends at its last instant, and one that renews itself leaves no gap', async () => {
    await shop.customer('once');
    await shop.customer('renews');
    await shop.subscribe('once', withExports, '2026-01-01', { auto_renew: false });
    await shop.subscribe('renews', withExports, '2026-01-01');

    await app.advance('2026-01-31T23:59:59.999999Z');
    for (const customer of ['once', 'renews']) expect((await access(customer)).access).toBe(true);

    await app.advance('2026-02-01T00:00:00Z');
    expect(await access('once')).toMatchObject({ access: false, access_per_subscription: [] });
    expect(filtersOf(await access('renews'))).toMatchObject([{ start_date: '2026-02-01T00:00:00Z' }]);

    await app.advance('2026-03-10T00:00:00Z');
    expect(await access('once')).toMatchObject({ access: false, access_per_subscription: [] });
    expect(filtersOf(await access('renews'))).toMatchObject([{ start_date: '2026-03-01T00:00:00Z' }]);
    expect(await verifyAll(app)).toBeGreaterThan(5);
  });

  it('between the end of a term that renews itself and its renewal nothing lapses', async () => {
    await app.pool.query(`update manual_clock set now = '2026-04-01T00:00:01Z'`);
    expect((await access('renews')).access).toBe(true);
    expect((await access('once')).access).toBe(false);
  });
});
