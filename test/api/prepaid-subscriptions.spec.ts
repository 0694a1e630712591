import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { full, prepaidShopOf } from '../support/prepaid-shop.js';

let app: TestApp;
let shop: ReturnType<typeof prepaidShopOf>;
let metric: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
  shop = prepaidShopOf(app);
  metric = await shop.theMetric();
});
afterAll(() => app.stop());

describe('a subscription with prepaid units', () => {
  it('is invoiced for them at its start', async () => {
    const { customer } = await shop.subscribed(full(20));
    const [invoice] = await shop.invoicesOf(customer);
    expect(invoice).toMatchObject({
      amount: 10,
      line_items: [{ name: 'requests (prepaid)', quantity: 20, billing_type: 'in_advance', base: 10 }],
    });
  });

  it('takes the units of the request before those of the plan', async () => {
    const units = { component_fixed_charges_initial_units: [{ metric_id: metric, units: 35.5 }] };
    const { customer } = await shop.subscribed(full(20), {}, units);
    expect(await shop.amountsOf(customer)).toEqual([25.5]);
  });

  it('of which only the week that has begun is billed, when units begin anew every week', async () => {
    const units = { component_fixed_charges_initial_units: [{ metric_id: metric, units: 15 }] };
    const { customer } = await shop.subscribed(full(null), { reset_interval_unit: 'week' }, units);
    expect(await shop.amountsOf(customer)).toEqual([5]);
  });

  it('without units of its own or of the plan is refused, and leaves nothing behind', async () => {
    const customer = await shop.newCustomer();
    const body = { customer_id: customer, plan_id: await shop.planOf(full(null)), start_date: '2026-01-01' };
    const refused = await app.request.post('/api/subscriptions/').send(body).expect(400);
    expect(refused.body.title).toBe('prepayment_cant_determine_units');
    expect((await app.request.get(`/api/subscriptions/?customer_id=${customer}`)).body).toEqual([]);
  });

  it('names every unknown reference of a body at once, at a start and at a switch', async () => {
    const nowhere = '00000000000040008000000000000000';
    const units = [
      { metric_id: metric, units: 1 },
      { metric_id: `metric_${nowhere}`, units: 1 },
    ];
    const faultsOf = async (path: string, body: object) => {
      const asked = { ...body, component_fixed_charges_initial_units: units };
      return fieldErrorsOf((await app.request.post(path).send(asked).expect(400)).body);
    };
    const unknownMetric = { 'component_fixed_charges_initial_units.1.metric_id': 'does_not_exist' };
    const start = { customer_id: 'nobody', plan_id: `plan_${nowhere}`, start_date: '2026-01-01' };
    expect(await faultsOf('/api/subscriptions/', start)).toEqual({
      customer_id: 'does_not_exist',
      plan_id: 'does_not_exist',
      ...unknownMetric,
    });
    const { id } = await shop.subscribed(full(20));
    expect(
      await faultsOf(`/api/subscriptions/${id}/switch_plan/`, { switch_plan_id: `plan_${nowhere}` }),
    ).toEqual({ switch_plan_id: 'does_not_exist', ...unknownMetric });
  });

  it('names every wrong unit', async () => {
    const customer = await shop.newCustomer();
    const plan = await shop.planOf(full(20));
    const asked = { customer_id: customer, plan_id: plan, start_date: '2026-01-01' };
    const other = await shop.metric({ metric_name: 'others', event_name: 'other' });
    const refused = async (...units: object[]) => {
      const body = { ...asked, component_fixed_charges_initial_units: units };
      return fieldErrorsOf((await app.request.post('/api/subscriptions/').send(body).expect(400)).body);
    };
    const at = (place: number, field: string) => `component_fixed_charges_initial_units.${place}.${field}`;
    expect(
      await refused(
        { metric_id: metric, units: 1 },
        { metric_id: other, units: 1 },
        { metric_id: metric.replace(/.$/, (last) => (last === '0' ? '1' : '0')), units: 1 },
        { metric_id: metric, units: 2 },
      ),
    ).toEqual({
      [at(1, 'metric_id')]: 'invalid',
      [at(2, 'metric_id')]: 'does_not_exist',
      [at(3, 'metric_id')]: 'invalid',
    });
    expect(await refused({ metric_id: metric, units: -1 })).toEqual({ [at(0, 'units')]: 'min_value' });
    expect(await refused({ metric_id: metric, units: 1e10 })).toEqual({ [at(0, 'units')]: 'max_value' });
    expect(await refused({ metric_id: metric })).toEqual({ [at(0, 'units')]: 'required' });
  });
});
