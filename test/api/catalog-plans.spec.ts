import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, aMetricBody, aPlanBody } from '../support/builders/catalog-bodies.js';

const USD = { code: 'USD', name: 'US Dollar', symbol: '$' };
const NO_INTERVALS = {
  invoicing_interval_unit: null,
  invoicing_interval_count: null,
  reset_interval_unit: null,
  reset_interval_count: null,
};

describe('plans', () => {
  let app: TestApp;
  let metric: { metric_id: string };
  let feature: { feature_id: string };
  const post = (body: object) => app.request.post('/api/plans/').send(body);
  const read = async (planId: string) => (await app.request.get(`/api/plans/${planId}/`).expect(200)).body;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-15T08:00:00Z' });
    metric = (await app.request.post('/api/metrics/').send(aMetricBody()).expect(201)).body;
    feature = (await app.request.post('/api/features/').send({ feature_name: 'sso' }).expect(201)).body;
    await app.request
      .post('/api/customers/')
      .send({ customer_id: 'acme', customer_name: 'Acme' })
      .expect(201);
  });
  afterAll(() => app.stop());

  it('are answered whole, with what is derived, as they are read back', async () => {
    const charge = aChargeBody({ amount: 29.99, reset_interval_unit: 'week', reset_interval_count: 2 });
    const version = {
      recurring_charges: [charge, aChargeBody({ name: 'setup', charge_timing: 'in_arrears', amount: 0.1 })],
      components: [aComponentBody(metric.metric_id)],
      features: [feature.feature_id],
      price_adjustment: {
        price_adjustment_name: 'launch',
        price_adjustment_type: 'percentage',
        price_adjustment_amount: -12.5,
      },
      localized_name: 'Podstawowy',
      day_anchor: 31,
      month_anchor: 12,
      version: 7,
    };
    const plan = {
      plan_description: 'for everybody',
      tags: ['Public', { tag_name: 'eu-1' }, 'PUBLIC'],
      initial_external_links: [{ source: 'provider_a', external_plan_id: 'price_1' }],
    };
    const { body: created } = await post(aPlanBody('Whole', version, plan)).expect(201);
    const shownVersion = {
      version_id: expect.stringMatching(/^plan_version_[0-9a-f]{32}$/),
      recurring_charges: [
        {
          ...charge,
          pricing_unit: USD,
          ...NO_INTERVALS,
          reset_interval_unit: 'week',
          reset_interval_count: 2,
        },
        {
          name: 'setup',
          charge_timing: 'in_arrears',
          charge_behavior: 'prorate',
          amount: 0.1,
          pricing_unit: USD,
          ...NO_INTERVALS,
        },
      ],
      components: [
        {
          billable_metric: metric,
          tiers: [
            {
              type: 'free',
              range_start: 0,
              range_end: 100,
              cost_per_batch: null,
              metric_units_per_batch: null,
              batch_rounding_type: null,
            },
            {
              type: 'per_unit',
              range_start: 100,
              range_end: null,
              cost_per_batch: 0.5,
              metric_units_per_batch: 1000,
              batch_rounding_type: 'round_up',
            },
          ],
          bulk_pricing_enabled: false,
          pricing_unit: USD,
          ...NO_INTERVALS,
          prepaid_charge: null,
        },
      ],
      features: [feature],
      price_adjustment: {
        price_adjustment_name: 'launch',
        price_adjustment_description: null,
        price_adjustment_type: 'percentage',
        price_adjustment_amount: -12.5,
      },
      version: 7,
      status: 'active',
      plan_name: 'Whole',
      currency: USD,
      active_from: '2026-01-15T08:00:00Z',
      active_to: null,
      localized_name: 'Podstawowy',
      day_anchor: 31,
      month_anchor: 12,
      target_customers: [],
      created_on: '2026-01-15T08:00:00Z',
      usage_billing_frequency: null,
      flat_fee_billing_type: 'in_advance',
      flat_rate: 30.09,
      description: 'for everybody',
    };
    expect(created).toEqual({
      plan_id: expect.stringMatching(/^plan_[0-9a-f]{32}$/),
      plan_name: 'Whole',
      plan_duration: 'monthly',
      plan_description: 'for everybody',
      external_links: [{ source: 'provider_a', external_plan_id: 'price_1' }],
      num_versions: 1,
      active_version: 7,
      active_subscriptions: 0,
      tags: ['Public', 'eu-1'],
      versions: [shownVersion],
      parent_plan: null,
      target_customer: null,
      display_version: shownVersion,
      status: 'active',
    });
    expect(await read(created.plan_id)).toEqual(created);
  });

  it('need a name and a version, and nothing in it', async () => {
    const { body } = await post({ plan_name: 'Bare', initial_version: {} }).expect(201);
    expect(body).toMatchObject({ plan_duration: null, plan_description: null, tags: [], external_links: [] });
    expect(body.versions).toMatchObject([
      {
        version: 1,
        currency: USD,
        recurring_charges: [],
        components: [],
        flat_rate: 0,
        flat_fee_billing_type: 'in_advance',
      },
    ]);
  });

  it('take null for an optional field as if it were left out', async () => {
    const nulls = {
      day_anchor: null,
      features: null,
      components: null,
      price_adjustment: null,
      currency_code: null,
    };
    const charge = aChargeBody({
      charge_behavior: null,
      reset_interval_unit: null,
      invoicing_interval_count: null,
    });
    const version = { ...nulls, recurring_charges: [charge] };
    const { body } = await post(aPlanBody('Nulls', version, { plan_duration: null, tags: null })).expect(201);
    expect(body.versions[0]).toMatchObject({
      currency: USD,
      features: [],
      recurring_charges: [{ charge_behavior: 'prorate' }],
    });
  });

  it.each([1e-7, 0.1 + 0.2, 1 / 3, 9_999_999_999.999998])(
    'keep every digit of a price: %d',
    async (price) => {
      const tier = { type: 'per_unit', range_start: 0, cost_per_batch: price, metric_units_per_batch: 0.01 };
      const version = { components: [aComponentBody(metric.metric_id, { tiers: [tier] })] };
      const { body } = await post(aPlanBody(`Digits of ${price}`, version)).expect(201);
      expect(body.versions[0].components[0].tiers).toEqual([
        { ...tier, range_end: null, batch_rounding_type: 'no_rounding' },
      ]);
    },
  );

  it('for named customers are custom: they have no number and show their targets', async () => {
    const { body } = await post(
      aPlanBody('For Acme', { target_customer_ids: ['acme', 'acme'], version: 4 }),
    ).expect(201);
    expect(body).toMatchObject({ num_versions: 0, active_version: 0 });
    expect(body.versions).toMatchObject([
      {
        version: 'custom_version',
        target_customers: [{ customer_id: 'acme', customer_name: 'Acme', email: null }],
      },
    ]);
    expect(body.display_version.version).toBe('custom_version');
    expect(await read(body.plan_id)).toEqual(body);
  });

  it('read an interval unit alone as one, and a count of 0 as none', async () => {
    const charge = aChargeBody({
      invoicing_interval_unit: 'month',
      reset_interval_unit: 'day',
      reset_interval_count: 0,
    });
    const { body } = await post(aPlanBody('Intervals', { recurring_charges: [charge] })).expect(201);
    expect(body.versions[0].recurring_charges[0]).toMatchObject({
      ...NO_INTERVALS,
      invoicing_interval_unit: 'month',
      invoicing_interval_count: 1,
    });
  });

  it('have a name of their own, and nothing is left of one that was refused', async () => {
    await post(aPlanBody('Taken')).expect(201);
    const { body } = await post(aPlanBody('Taken')).expect(400);
    expect(body.title).toBe('duplicate_resource');
    const { body: list } = await app.request.get('/api/plans/').expect(200);
    expect(list.filter((plan: { plan_name: string }) => plan.plan_name === 'Taken')).toHaveLength(1);
  });

  it('show the prepaid units of a component as they were given', async () => {
    for (const units of [10, null]) {
      const charge = { units, charge_behavior: 'prorate' };
      const component = aComponentBody(metric.metric_id, { prepaid_charge: charge });
      const { body } = await post(aPlanBody(`Prepaid ${units}`, { components: [component] })).expect(201);
      expect(body.versions[0].components[0].prepaid_charge).toEqual(charge);
    }
  });

  it('show whether one tier prices the whole usage of a component', async () => {
    for (const isBulk of [true, false]) {
      const component = aComponentBody(metric.metric_id, { bulk_pricing_enabled: isBulk });
      const { body } = await post(aPlanBody(`Bulk ${isBulk}`, { components: [component] })).expect(201);
      expect(body.versions[0].components[0].bulk_pricing_enabled).toBe(isBulk);
      const { body: read } = await app.request.get(`/api/plans/${body.plan_id}/`).expect(200);
      expect(read).toEqual(body);
    }
  });

  it('are made once by a request that is repeated under its key', async () => {
    const send = () => post(aPlanBody('Repeated')).set('Idempotency-Key', 'plan-1').expect(201);
    const { body: first } = await send();
    const { body: again } = await send();
    expect(again).toEqual(first);
  });

  it('that were malformed may be corrected under the same key', async () => {
    await post(aPlanBody('')).set('Idempotency-Key', 'plan-2').expect(400);
    await post(aPlanBody('Corrected')).set('Idempotency-Key', 'plan-2').expect(201);
  });

  it('that do not exist, cannot exist or are another tenant’s are not found', async () => {
    const other = await anotherTenant(app);
    const { body: theirs } = await other.request.post('/api/plans/').send(aPlanBody('Theirs')).expect(201);
    for (const id of [theirs.plan_id, 'plan_00000000000000000000000000000000', 'nonsense']) {
      const { body } = await app.request.get(`/api/plans/${id}/`).expect(404);
      expect(body.title).toBe('not_found');
    }
  });

  it('cannot use another tenant’s metrics, features and customers', async () => {
    const other = await anotherTenant(app);
    const version = {
      components: [aComponentBody(metric.metric_id)],
      features: [feature.feature_id],
      target_customer_ids: ['acme'],
    };
    const { body } = await other.request.post('/api/plans/').send(aPlanBody('Borrowed', version)).expect(400);
    expect(
      body.validation_errors.map(({ attr, code }: { attr: string; code: string }) => `${attr}: ${code}`),
    ).toEqual([
      'initial_version.components.0.metric_id: does_not_exist',
      'initial_version.features.0: does_not_exist',
      'initial_version.target_customer_ids.0: does_not_exist',
    ]);
  });
});
