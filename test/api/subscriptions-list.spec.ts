import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf, pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newCustomer, newPlan, type PlanAnswer } from '../support/subscribers.js';

const NOW = '2026-01-15T12:00:00Z';
let app: TestApp;
let monthly: PlanAnswer;

const subscribe = (body: object) => app.request.post('/api/subscriptions/').send(body);
const get = (id: string) => app.request.get(`/api/subscriptions/${id}/`);
const list = (query: string) => app.request.get(`/api/subscriptions/?${query}`);
const idsOf = (subscriptions: readonly { subscription_id: string }[]) =>
  subscriptions.map((subscription) => subscription.subscription_id);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2025-11-01T00:00:00Z' });
  monthly = await newPlan(app);
});
afterAll(() => app.stop());

describe('GET /api/subscriptions/', () => {
  let customer: string;
  let ids: Record<'past' | 'running' | 'next' | 'filtered', string>;
  const eu = { property_name: 'region', value: 'eu' };
  const tier = { property_name: 'tier', value: '1' };

  beforeAll(async () => {
    customer = await newCustomer(app);
    const other = await newPlan(app);
    const made = async (changes: object) =>
      (await subscribe({ customer_id: customer, plan_id: monthly.plan_id, ...changes }).expect(201)).body
        .subscription_id as string;
    const past = await made({ start_date: '2025-11-01', auto_renew: false });
    await app.advance(NOW);
    ids = {
      past,
      running: await made({ start_date: '2026-01-01', auto_renew: false }),
      next: await made({ start_date: '2026-03-01' }),
      filtered: await made({
        plan_id: other.plan_id,
        start_date: '2026-01-10',
        subscription_filters: [eu, tier],
      }),
    };
  });

  const found = async (query: string) =>
    idsOf((await list(`customer_id=${customer}&${query}`).expect(200)).body);

  it('answers all of a customer, the latest start first', async () => {
    expect(await found('')).toEqual([ids.next, ids.filtered, ids.running, ids.past]);
  });

  it('by status, one or several', async () => {
    expect(await found('status=active')).toEqual([ids.filtered, ids.running]);
    expect(await found('status=ended')).toEqual([ids.past]);
    expect(await found('status=not_started')).toEqual([ids.next]);
    expect(await found('status=ended&status=not_started')).toEqual([ids.next, ids.past]);
    expect(await found('status[]=active,ended')).toEqual([ids.filtered, ids.running, ids.past]);
  });

  it('by plan', async () => {
    expect(await found(`plan_id=${monthly.plan_id}`)).toEqual([ids.next, ids.running, ids.past]);
  });

  it('by the time that some part of the term lies in', async () => {
    expect(await found('range_start=2026-02-01')).toEqual([ids.next, ids.filtered]);
    expect(await found('range_end=2025-12-31')).toEqual([ids.past]);
    expect(await found('range_start=2025-11-30T23:59:59Z&range_end=2026-01-01')).toEqual([
      ids.running,
      ids.past,
    ]);
    expect(await found('range_start=2025-12-01&range_end=2025-12-31')).toEqual([]);
  });

  it('by filters: those that have all of them', async () => {
    const filters = (...pairs: object[]) =>
      `subscription_filters=${encodeURIComponent(JSON.stringify(pairs))}`;
    expect(await found(filters(eu))).toEqual([ids.filtered]);
    expect(await found(filters(tier, eu))).toEqual([ids.filtered]);
    expect(await found(filters(eu, { ...tier, value: '2' }))).toEqual([]);
    expect(await found(filters({ ...eu, value: '\u0000' }))).toEqual([]);
    expect(
      await found('subscription_filters[0][property_name]=region&subscription_filters[0][value]=eu'),
    ).toEqual([ids.filtered]);
  });

  it('pages through every subscription once', async () => {
    const all = idsOf((await list('limit=1000').expect(200)).body);
    const pages = await pagesOf<{ subscription_id: string }>(app.request, '/api/subscriptions/?limit=3');
    const seen = idsOf(pages.flat());
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ['customer_id=nobody', 'does_not_exist'],
    ['customer_id=', 'blank'],
    ['plan_id=plan_1', 'does_not_exist'],
    ['plan_id=plan_00000000000040008000000000000001', 'does_not_exist'],
    ['status=running', 'invalid_choice'],
    ['range_start=yesterday', 'invalid'],
    ['range_end=2026-02-30', 'invalid'],
    ['subscription_filters=region', 'invalid'],
    ['cursor=x', 'invalid'],
  ])('refuses ?%s', async (query, code) => {
    const { body } = await list(query).expect(400);
    expect(fieldErrorsOf(body)).toEqual({ [query.split('=')[0]!]: code });
  });

  it('an unknown id, one that cannot be one, and another tenant’s are not found', async () => {
    const other = await anotherTenant(app);
    for (const id of ['sub_00000000000040008000000000000001', 'sub_1', 'add', '%20']) {
      expect((await get(id).expect(404)).body.title).toBe('resource_not_found');
    }
    const foreign = await other.request.get(`/api/subscriptions/${ids.running}/`).expect(404);
    expect(foreign.body.title).toBe('resource_not_found');
    expect((await other.request.get('/api/subscriptions/').expect(200)).body).toEqual([]);
  });
});
