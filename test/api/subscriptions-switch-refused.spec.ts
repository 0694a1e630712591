import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

/** Returns a version with a fee and with requests, some of which are free. */
const version = (metric: string, fee: number, free: number, cost: number) => ({
  recurring_charges: [{ name: 'fee', amount: fee, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
  components: [
    {
      metric_id: metric,
      tiers: [
        { type: 'free', range_start: 0, range_end: free },
        { type: 'per_unit', range_start: free, cost_per_batch: cost, metric_units_per_batch: 1 },
      ],
    },
  ],
});

describe('a switch is refused', () => {
  let app: TestApp;
  let shop: Shop;
  let metric: string;
  let customer: string;
  let id: string;
  let plans: Record<'a' | 'b' | 'yearly' | 'euro' | 'custom', string>;
  let count = 0;

  const refused = async (body: object, subscription = id) =>
    (await app.request.post(`/api/subscriptions/${subscription}/switch_plan/`).send(body).expect(400)).body;
  const titleOf = async (body: object, subscription = id) => (await refused(body, subscription)).title;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    metric = await shop.metric();
    await shop.customer('another');
    plans = {
      a: await shop.plan('plan a', version(metric, 30, 10, 2)),
      b: await shop.plan('plan b', version(metric, 60, 5, 3)),
      yearly: await shop.plan('yearly', version(metric, 300, 5, 3), { plan_duration: 'yearly' }),
      euro: await shop.plan('euro', { ...version(metric, 60, 5, 3), currency_code: 'EUR' }),
      custom: await shop.plan('custom', { ...version(metric, 60, 5, 3), target_customer_ids: ['another'] }),
    };
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    customer = `customer ${(count += 1)}`;
    await shop.customer(customer);
    id = (await shop.subscribe(customer, plans.a, '2026-01-01')).subscription_id;
  });

  it('without a target, with unknown ones, with choices that are none', async () => {
    const unknown = { plan: `plan_${'a'.repeat(32)}`, version: `plan_version_${'a'.repeat(32)}` };
    expect(fieldErrorsOf(await refused({}))).toEqual({ switch_plan_id: 'required' });
    const plan = await refused({ switch_plan_id: unknown.plan });
    expect(plan.title).toBe('does_not_exist');
    expect(fieldErrorsOf(plan)).toEqual({ switch_plan_id: 'does_not_exist' });
    expect(
      fieldErrorsOf(await refused({ switch_plan_id: plans.b, switch_plan_version_id: unknown.version })),
    ).toEqual({ switch_plan_version_id: 'does_not_exist' });
    const choices = await refused({ switch_plan_id: plans.b, usage_behavior: 'x', invoicing_behavior: 'y' });
    expect(choices.title).toBe('invalid_choice');
    expect(fieldErrorsOf(choices)).toEqual({
      usage_behavior: 'invalid_choice',
      invoicing_behavior: 'invalid_choice',
    });
  });

  it('to the same version, another duration, another currency, a version of others', async () => {
    for (const plan of [plans.a, plans.yearly, plans.euro, plans.custom]) {
      expect(await titleOf({ switch_plan_id: plan })).toBe('invalid_operation');
    }
    const { versions } = (await app.request.get(`/api/plans/${plans.custom}/`).expect(200)).body;
    expect(await titleOf({ switch_plan_version_id: versions[0].version_id })).toBe('invalid_operation');
  });

  it('for units of what the new plan has no prepaid component of', async () => {
    const units = [{ metric_id: metric, units: 5 }];
    expect(
      fieldErrorsOf(await refused({ switch_plan_id: plans.b, component_fixed_charges_initial_units: units })),
    ).toEqual({ 'component_fixed_charges_initial_units.0.metric_id': 'invalid' });
  });

  it('onto another subscription of the target version', async () => {
    await shop.subscribe(customer, plans.b, '2026-02-01');
    expect(await titleOf({ switch_plan_id: plans.b })).toBe('overlapping_plans');
    const preview = await app.request
      .post(`/api/subscriptions/${id}/switch_plan/?preview=true`)
      .send({ switch_plan_id: plans.b });
    expect(preview.body.title).toBe('overlapping_plans');
  });

  it('once the subscription has ended, and where there is none', async () => {
    await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    expect(await titleOf({ switch_plan_id: plans.b })).toBe('invalid_state');
    for (const unknown of [`sub_${'a'.repeat(32)}`, 'no-id']) {
      const { body } = await app.request
        .post(`/api/subscriptions/${unknown}/switch_plan/`)
        .send({ switch_plan_id: plans.b })
        .expect(404);
      expect(body.title).toBe('resource_not_found');
    }
  });

  it('a second time; the old reservation is released, the new one holds', async () => {
    await app.request
      .post(`/api/subscriptions/${id}/switch_plan/`)
      .send({ switch_plan_id: plans.b })
      .expect(200);
    expect(await titleOf({ switch_plan_id: plans.b })).toBe('invalid_state');
    await shop.subscribe(customer, plans.a, '2026-01-02');
    const taken = { customer_id: customer, plan_id: plans.b, start_date: '2026-01-02' };
    expect((await app.request.post('/api/subscriptions/').send(taken).expect(400)).body.title).toBe(
      'overlapping_plans',
    );
  });

  it('and changes nothing', async () => {
    await refused({ switch_plan_id: plans.yearly });
    const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}`).expect(200);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ subscription_id: id, auto_renew: true });
  });

  it('the same key switches once and answers the same', async () => {
    const act = () =>
      app.request
        .post(`/api/subscriptions/${id}/switch_plan/`)
        .set('Idempotency-Key', id)
        .send({ switch_plan_id: plans.b })
        .expect(200);
    const [once, again] = [await act(), await act()];
    expect(again.body).toEqual(once.body);
    expect(await shop.invoices(`?customer_id=${encodeURIComponent(customer)}`)).toHaveLength(2);
  });

  it('one of two at the same time, and its reservation is released', async () => {
    const other = await shop.plan('plan c', version(metric, 90, 5, 3));
    const wanted = [plans.b, other];
    const answers = await Promise.all(
      wanted.map((plan) =>
        app.request.post(`/api/subscriptions/${id}/switch_plan/`).send({ switch_plan_id: plan }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 400]);
    const { body: won } = answers[statuses.indexOf(200)]!;
    const lost = wanted[statuses.indexOf(400)];
    expect(answers[statuses.indexOf(400)]!.body.title).toBe('invalid_state');
    await app.request
      .post(`/api/subscriptions/${won.subscription_id}/switch_plan/`)
      .send({ switch_plan_id: lost })
      .expect(200);
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(3);
  });
});
