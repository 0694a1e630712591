import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addonFixtureOf, addonFee, type AddonFixture } from '../support/addon-fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let fixture: AddonFixture;
let feature: string;
let metric: string;
let rate: string;
let plan: string;
const addons: Record<string, string> = {};

const feesOf = { recurring_charges: addonFee() };
const has = async (): Promise<boolean> => {
  const { customer } = fixture.served();
  const { body } = await app.request
    .get(`/api/feature_access/?customer_id=${customer}&feature_id=${feature}`)
    .expect(200);
  return body.access;
};
const counted = async (counts = metric) => {
  const { customer } = fixture.served();
  const { body } = await app.request
    .get(`/api/metric_access/?customer_id=${customer}&metric_id=${counts}`)
    .expect(200);
  const [{ subscription: _, ...limits }] = body.access_per_subscription;
  return { access: body.access, ...limits };
};
const uses = (count: number, at: string) =>
  shop.use(...times(count, at).map((event) => ({ ...event, customer: fixture.served().customer })));

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  fixture = addonFixtureOf(app);
  metric = await shop.metric();
  feature = (await app.request.post('/api/features/').send({ feature_name: 'Exports' }).expect(201)).body
    .feature_id;
  plan = await shop.plan('plain', { recurring_charges: [] });
  addons['recurring'] = await fixture.addon({
    ...feesOf,
    features: [feature],
    billing_frequency: 'recurring',
  });
  addons['once'] = await fixture.addon({ ...feesOf, features: [feature], billing_frequency: 'one_time' });
  addons['usage'] = await fixture.addon({
    recurring_charges: [],
    billing_frequency: 'recurring',
    components: [
      {
        metric_id: metric,
        tiers: [
          { type: 'free', range_start: 0, range_end: 2 },
          { type: 'per_unit', range_start: 2, range_end: 5, cost_per_batch: 1, metric_units_per_batch: 1 },
        ],
      },
    ],
  });
  rate = await shop.metric({
    metric_name: 'requests an hour',
    metric_type: 'rate',
    granularity: 'hours',
  });
  addons['rated'] = await fixture.addon({
    recurring_charges: [],
    billing_frequency: 'recurring',
    components: [{ metric_id: rate, tiers: [{ type: 'free', range_start: 0 }] }],
  });
  for (const name of ['recurring', 'once', 'usage', 'rated'])
    await fixture.subscribed(name, plan, '2026-01-01');
  await fixture.subscribed('ending', plan, '2026-01-01', { auto_renew: false });
  await app.advance('2026-01-10T00:00:00Z');
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('access by an add-on', () => {
  it.each(['recurring', 'once', 'ending'])('%s: a feature is granted from its start on', async (name) => {
    fixture.resume(name);
    expect(await has()).toBe(false);
    await fixture.attach(addons[name === 'ending' ? 'recurring' : name]!);
    expect(await has()).toBe(true);
  });

  it('a metric is counted from its start on, up to its limit', async () => {
    fixture.resume('usage');
    await uses(1, '2026-01-09T00:00:00Z');
    expect(await counted()).toEqual({
      access: false,
      metric_usage: 0,
      metric_free_limit: 0,
      metric_total_limit: 0,
    });
    await fixture.attach(addons['usage']!);
    await uses(4, '2026-01-10T00:00:00Z');
    const limits = { metric_free_limit: 2, metric_total_limit: 5 };
    expect(await counted()).toEqual({ access: true, metric_usage: 4, ...limits });
    await uses(1, '2026-01-10T00:00:00Z');
    expect(await counted()).toEqual({ access: false, metric_usage: 5, ...limits });
  });

  it('continues over a switch of plans', async () => {
    const other = await shop.plan('other', { recurring_charges: [] });
    for (const name of ['usage', 'recurring']) {
      const { subscription } = fixture.resume(name);
      const { body } = await app.request
        .post(`/api/subscriptions/${subscription.subscription_id}/switch_plan/`)
        .send({ switch_plan_id: other })
        .expect(200);
      if (name === 'recurring') expect(await has()).toBe(true);
      else expect(await counted()).toMatchObject({ access: false, metric_usage: 5, metric_total_limit: 5 });
      fixture.turnTo(body);
    }
  });

  it('at the instant the term ends: recurring ones continue, one_time ones and those of an ended term are over', async () => {
    await app.advance('2026-01-31T23:59:59.999999Z');
    for (const name of ['recurring', 'once', 'ending']) {
      fixture.resume(name);
      expect(await has()).toBe(true);
    }
    await app.advance('2026-02-01T00:00:00Z');
    const after = { recurring: true, once: false, ending: false };
    for (const [name, expected] of Object.entries(after)) {
      fixture.resume(name);
      expect({ [name]: await has() }).toEqual({ [name]: expected });
    }
    fixture.resume('usage');
    expect(await counted()).toMatchObject({ access: true, metric_usage: 0, metric_total_limit: 5 });
  });

  it('ends at the instant of its own cancellation', async () => {
    fixture.resume('recurring');
    const { customer } = fixture.served();
    const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`);
    fixture.turnTo(body[0]);
    await fixture.cancel(addons['recurring']!);
    expect(await has()).toBe(false);
  });

  it('counts a rate as billing does, also after a switch that kept usage separate', async () => {
    const { customer } = fixture.resume('rated');
    const turnToRunning = async () => {
      const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`);
      return fixture.turnTo(body[0]).subscription.subscription_id;
    };
    await turnToRunning();
    await fixture.attach(addons['rated']!);
    await app.advance('2026-03-01T00:20:00Z');
    await uses(2, '2026-02-28T23:30:00Z');
    await uses(3, '2026-03-01T00:10:00Z');
    expect(await counted(rate)).toMatchObject({ metric_usage: 5 });
    const other = await shop.plan('another', { recurring_charges: [] });
    await app.request
      .post(`/api/subscriptions/${await turnToRunning()}/switch_plan/`)
      .send({ switch_plan_id: other, usage_behavior: 'keep_separate' })
      .expect(200);
    expect(await counted(rate)).toMatchObject({ metric_usage: 5 });
  });
});
