import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addonFixtureOf, addonFee, type AddonFixture } from '../support/addon-fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';
import { perUnitTiers } from '../support/builders/catalog-bodies.js';

let app: TestApp;
let shop: Shop;
let fixture: AddonFixture;
let metric: string;
const plans: Record<string, string> = {};
const addons: Record<string, string> = {};

const fee = (amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
});
const component = (metricId: string) => ({
  metric_id: metricId,
  tiers: perUnitTiers(),
});
const amounts = (invoice: { line_items: { amount: number }[] }) =>
  invoice.line_items.map(({ amount }) => amount).sort((a, b) => a - b);
const switching = (plan: string) =>
  app.request
    .post(`/api/subscriptions/${fixture.served().subscription.subscription_id}/switch_plan/`)
    .send({ switch_plan_id: plan });

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  fixture = addonFixtureOf(app);
  metric = await shop.metric();
  plans['a'] = await shop.plan('A', fee(30));
  plans['b'] = await shop.plan('B', fee(60));
  plans['counting'] = await shop.plan('counting', { ...fee(60), components: [component(metric)] });
  addons['once'] = await fixture.addon({ recurring_charges: addonFee() });
  addons['usage'] = await fixture.addon({
    recurring_charges: [],
    components: [component(metric)],
    billing_frequency: 'recurring',
  });
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('add-ons at a switch on 11 January (docs/contract.md#switch-a-plan)', () => {
  it('continue with the new subscription and are not billed again', async () => {
    await fixture.subscribed('one', plans['a']!, '2026-01-01');
    await app.advance('2026-01-02T00:00:00Z');
    await fixture.attach(addons['once']!);
    await fixture.attach(addons['usage']!);
    expect((await fixture.newest()).amount).toBe(9.68);
    await fixture.payAll();
    const { customer, subscription } = fixture.served();
    await shop.use(...times(7, '2026-01-02T00:00:00Z').map((event) => ({ ...event, customer })));
    await app.advance('2026-01-11T00:00:00Z');
    const { body } = await switching(plans['b']!).expect(200);
    expect(amounts(await fixture.newest())).toEqual([-30, 9.68, 40.65]);
    expect(await fixture.newest()).toMatchObject({ amount: 20.33 });
    expect(await fixture.shown()).toMatchObject({ addons: [] });
    fixture.turnTo(body);
    expect(await fixture.shown()).toEqual(body);
    expect(body.addons).toHaveLength(2);
    expect(body.addons[0]).toMatchObject({ start_date: '2026-01-02T00:00:00Z', end_date: body.end_date });
    expect(body.subscription_id).not.toBe(subscription.subscription_id);
  });

  it('one whose metric the new plan counts too is refused, and nothing changes', async () => {
    const before = await fixture.shown();
    const { body } = await switching(plans['counting']!).expect(400);
    expect(body.title).toBe('invalid_operation');
    expect(await fixture.shown()).toEqual(before);
  });

  it('are billed once at the end of the period and renew with the plan, also long after the old term', async () => {
    const { customer } = fixture.served();
    await shop.use(...times(2, '2026-01-11T00:00:00Z').map((event) => ({ ...event, customer })));
    await app.advance('2026-02-01T01:00:00Z');
    expect(amounts(await fixture.newest())).toEqual([9, 60]);
    const issued = (await fixture.invoices()).length;
    await app.advance('2026-02-25T00:00:00Z');
    expect(await fixture.invoices()).toHaveLength(issued);
    await app.advance('2026-03-01T01:00:00Z');
    expect(amounts(await fixture.newest())).toEqual([0, 60]);
    expect(await fixture.invoices()).toHaveLength(issued + 1);
  });
});
