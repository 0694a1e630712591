import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, aMetricBody, aPlanBody } from '../support/builders/catalog-bodies.js';
import { newCustomer, newPlan, type PlanAnswer } from '../support/subscribers.js';

const NOW = '2026-01-15T12:00:00Z';
let app: TestApp;
let monthly: PlanAnswer;

const subscribe = (body: object) => app.request.post('/api/subscriptions/').send(body);
const get = (id: string) => app.request.get(`/api/subscriptions/${id}/`);
const list = (query: string) => app.request.get(`/api/subscriptions/?${query}`);

beforeAll(async () => {
  app = await startTestApp({ clockStart: NOW });
  monthly = await newPlan(app);
});
afterAll(() => app.stop());

describe('POST /api/subscriptions/', () => {
  it('answers the whole subscription, and so does GET at once', async () => {
    const customer_id = await newCustomer(app, { customer_name: 'Zofia', email: 'zofia@example.com' });
    const sent = {
      customer_id,
      plan_id: monthly.plan_id,
      start_date: '2026-01-15T00:00:00Z',
      subscription_filters: [{ property_name: 'region', value: 'eu' }],
      metadata: { po: 'A-17', nested: { nothing: null } },
    };
    const { body } = await subscribe(sent).expect(201);
    expect(body).toEqual({
      subscription_id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
      start_date: '2026-01-15T00:00:00Z',
      end_date: '2026-02-14T23:59:59.999999Z',
      auto_renew: true,
      is_new: true,
      subscription_filters: [{ property_name: 'region', value: 'eu' }],
      customer: { customer_id, customer_name: 'Zofia', email: 'zofia@example.com' },
      billing_plan: {
        plan_name: expect.stringMatching(/^plan /),
        plan_id: monthly.plan_id,
        version_id: monthly.versions[0]!.version_id,
        version: 1,
      },
      fully_billed: false,
      addons: [],
      metadata: sent.metadata,
    });
    expect((await get(body.subscription_id).expect(200)).body).toEqual(body);
    const bare = body.subscription_id.slice('sub_'.length);
    expect((await get(bare).expect(200)).body).toEqual(body);
  });

  it('is reached by its older path, by a version, and reads nulls as left out', async () => {
    const sent = {
      customer_id: await newCustomer(app),
      version_id: monthly.versions[0]!.version_id,
      plan_id: null,
      start_date: '2026-01-01',
      end_date: null,
      auto_renew: false,
      is_new: false,
      subscription_filters: null,
      component_fixed_charges_initial_units: null,
      metadata: null,
      name: 'something else',
    };
    const { body } = await app.request.post('/api/subscriptions/add/').send(sent).expect(201);
    expect(body).toMatchObject({
      end_date: '2026-01-31T23:59:59.999999Z',
      auto_renew: false,
      is_new: false,
      subscription_filters: [],
      metadata: {},
    });
  });

  it('shows an end that was set as that instant, and its last second as the midnight after it', async () => {
    const endShown = async (end_date: string, timezone?: string) =>
      (
        await subscribe({
          customer_id: await newCustomer(app, { timezone }),
          plan_id: monthly.plan_id,
          start_date: NOW,
          end_date,
        }).expect(201)
      ).body.end_date;
    expect(await endShown('2026-03-10T13:00:00+01:00')).toBe('2026-03-10T12:00:00Z');
    expect(await endShown('2026-01-31T23:59:59Z')).toBe('2026-02-01T00:00:00Z');
    expect(await endShown('2026-01-31 22:59:59', 'Europe/Warsaw')).toBe('2026-01-31T23:00:00Z');
  });

  it("measures in the customer's zone", async () => {
    const customer_id = await newCustomer(app, { timezone: 'America/New_York' });
    const { body } = await subscribe({
      customer_id,
      plan_id: monthly.plan_id,
      start_date: '2026-01-01T05:00:00Z',
    });
    expect(body.end_date).toBe('2026-02-01T04:59:59.999999Z');
  });

  it('names every wrong field, and makes nothing', async () => {
    const customer_id = await newCustomer(app);
    const { body } = await subscribe({
      customer_id: 5,
      plan_id: 'no id',
      start_date: 'soon',
      end_date: '2026-02-30',
      auto_renew: 'maybe',
      is_new: 3,
      subscription_filters: [{ property_name: '', value: {} }, 'region=eu'],
      component_fixed_charges_initial_units: [{ metric_id: 'x', units: -1 }],
      metadata: 'text',
    }).expect(400);
    expect(fieldErrorsOf(body)).toEqual({
      customer_id: 'invalid',
      plan_id: 'does_not_exist',
      start_date: 'invalid',
      end_date: 'invalid',
      auto_renew: 'invalid',
      is_new: 'invalid',
      'subscription_filters.0.property_name': 'blank',
      'subscription_filters.0.value': 'invalid',
      'subscription_filters.1': 'invalid',
      'component_fixed_charges_initial_units.0.metric_id': 'does_not_exist',
      'component_fixed_charges_initial_units.0.units': 'min_value',
      metadata: 'invalid',
    });
    expect((await list(`customer_id=${customer_id}`).expect(200)).body).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['nothing', {}, { customer_id: 'required', start_date: 'required', non_field_errors: 'required' }],
    [
      'nulls',
      { customer_id: null, plan_id: null, start_date: null },
      { customer_id: 'null', start_date: 'null', non_field_errors: 'required' },
    ],
    [
      'a blank customer',
      { customer_id: '', plan_id: 'plan_0', start_date: NOW },
      { customer_id: 'blank', plan_id: 'does_not_exist' },
    ],
    [
      'a customer and a plan nobody has',
      { customer_id: 'nobody', plan_id: 'plan_00000000000040008000000000000001', start_date: NOW },
      { customer_id: 'does_not_exist', plan_id: 'does_not_exist' },
    ],
    [
      'a version nobody has',
      { customer_id: 'nobody', version_id: 'plan_version_00000000000040008000000000000001', start_date: NOW },
      { customer_id: 'does_not_exist', version_id: 'does_not_exist' },
    ],
  ])('refuses %s', async (_, sent, errors) => {
    expect(fieldErrorsOf((await subscribe(sent).expect(400)).body)).toEqual(errors);
  });

  it('refuses a plan beside a version, an end in the past and an end before the start', async () => {
    const asked = { customer_id: await newCustomer(app), plan_id: monthly.plan_id, start_date: '2026-01-01' };
    const refused = async (changes: object) =>
      fieldErrorsOf((await subscribe({ ...asked, ...changes }).expect(400)).body);
    expect(await refused({ version_id: monthly.versions[0]!.version_id })).toEqual({
      non_field_errors: 'invalid',
    });
    expect(await refused({ end_date: '2026-01-15T12:00:00Z' })).toEqual({ end_date: 'invalid' });
    expect(await refused({ start_date: '2026-03-01', end_date: '2026-02-01' })).toEqual({
      end_date: 'invalid',
    });
    expect(await refused({ start_date: '9999-12-31' })).toEqual({ start_date: 'invalid' });
    expect(await refused({ start_date: '0001-01-01' })).toEqual({ start_date: 'invalid' });
    expect((await list(`customer_id=${asked.customer_id}`)).body).toEqual([]);
    await subscribe(asked).expect(201);
  });

  it('refuses a version made for others, and takes it for its own customer', async () => {
    const [own, other] = [await newCustomer(app), await newCustomer(app)];
    const custom = await newPlan(app, { target_customer_ids: [own] });
    const version_id = custom.versions[0]!.version_id;
    for (const wanted of [{ version_id }, { plan_id: custom.plan_id }]) {
      const { body } = await subscribe({ customer_id: other, start_date: NOW, ...wanted }).expect(400);
      expect(body.title).toBe('invalid_operation');
    }
    const { body } = await subscribe({ customer_id: own, start_date: NOW, plan_id: custom.plan_id }).expect(
      201,
    );
    expect(body.billing_plan.version).toBe(0);
  });

  it('another tenant’s plan and customer are unknown', async () => {
    const other = await anotherTenant(app);
    const sent = { customer_id: await newCustomer(app), plan_id: monthly.plan_id, start_date: NOW };
    const { body } = await other.request.post('/api/subscriptions/').send(sent).expect(400);
    expect(fieldErrorsOf(body)).toEqual({ customer_id: 'does_not_exist', plan_id: 'does_not_exist' });
  });

  it('filters outside the keys of the organization are refused by name', async () => {
    const tenant = await anotherTenant(app);
    await tenant.request
      .patch('/api/organization/')
      .send({ subscription_filter_keys: ['region'] })
      .expect(200);
    await tenant.request.post('/api/customers/').send({ customer_id: 'c' }).expect(201);
    const { body: plan } = await tenant.request.post('/api/plans/').send(aPlanBody('theirs')).expect(201);
    const sent = (...names: string[]) =>
      tenant.request.post('/api/subscriptions/').send({
        customer_id: 'c',
        plan_id: plan.plan_id,
        start_date: NOW,
        subscription_filters: names.map((property_name) => ({ property_name, value: 1 })),
      });
    const { body } = await sent('region', 'shoe size').expect(400);
    expect(fieldErrorsOf(body)).toEqual({ 'subscription_filters.1.property_name': 'invalid' });
    const { body: made } = await sent('region').expect(201);
    expect(made.subscription_filters).toEqual([{ property_name: 'region', value: '1' }]);
  });

  it('a repeat under the same Idempotency-Key is the same subscription', async () => {
    const sent = { customer_id: await newCustomer(app), plan_id: monthly.plan_id, start_date: NOW };
    const first = await subscribe(sent).set('Idempotency-Key', 'once').expect(201);
    expect((await subscribe(sent).set('Idempotency-Key', 'once').expect(201)).body).toEqual(first.body);
    expect((await list(`customer_id=${sent.customer_id}`)).body).toHaveLength(1);
  });

  it('initial units are for prepaid components, and this plan has none', async () => {
    const { body: metric } = await app.request
      .post('/api/metrics/')
      .send(aMetricBody({ metric_name: 'seats' }))
      .expect(201);
    const plan = await newPlan(app, { components: [aComponentBody(metric.metric_id)] });
    const units = { component_fixed_charges_initial_units: [{ metric_id: metric.metric_id, units: 20 }] };
    const asked = { customer_id: await newCustomer(app), plan_id: plan.plan_id, start_date: NOW };
    const { body } = await subscribe({ ...asked, ...units }).expect(400);
    expect(fieldErrorsOf(body)).toEqual({ 'component_fixed_charges_initial_units.0.metric_id': 'invalid' });
    await subscribe({ ...asked, component_fixed_charges_initial_units: [] }).expect(201);
  });
});
