import type { TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, aMetricBody, aPlanBody } from '../support/builders/catalog-bodies.js';

/** Writes histories in January 2026 whose periods are cut, extended or settled where nothing else is due. */
export async function writeCuts({ request, advance }: TestApp): Promise<void> {
  const plan = async (name: string, version: object): Promise<string> =>
    (await request.post('/api/plans/').send(aPlanBody(name, version)).expect(201)).body.plan_id;
  const subscribe = async (customer: string, planId: string, changes: object = {}): Promise<string> => {
    const body = { customer_id: customer, plan_id: planId, start_date: '2026-01-01T00:00:00Z', ...changes };
    return (await request.post('/api/subscriptions/').send(body).expect(201)).body.subscription_id;
  };
  const adjustment = (type: string, amount: number) => ({
    price_adjustment: {
      price_adjustment_name: type,
      price_adjustment_type: type,
      price_adjustment_amount: amount,
    },
  });
  const week = { reset_interval_unit: 'week', reset_interval_count: 1 };
  const weekly = await plan('Weekly', {
    recurring_charges: [aChargeBody({ amount: 7, ...week })],
    ...adjustment('price_override', 31),
  });
  const reduced = await plan('Reduced', {
    recurring_charges: [aChargeBody({ charge_behavior: 'full' })],
    ...adjustment('fixed', -4),
  });
  const seats = { metric_name: 'seats', event_name: 'seats', aggregation_type: 'sum', property_name: 'n' };
  const { body: metric } = await request.post('/api/metrics/').send(aMetricBody(seats)).expect(201);
  const components = [
    aComponentBody(metric.metric_id, {
      tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }],
      prepaid_charge: { units: 31, charge_behavior: 'prorate' },
    }),
  ];
  const bought = await plan('Bought', {
    recurring_charges: [aChargeBody({ amount: 31 })],
    components,
    ...adjustment('price_override', 20),
  });
  // The fee stays, so the units bear what the override of the whole plan is less.
  const fixedFee = await plan('Bought beside a fee', {
    recurring_charges: [aChargeBody({ amount: 124, charge_behavior: 'full' })],
    components,
    ...adjustment('price_override', 62),
  });
  // The invoices of this plan show that nothing of the others is charged later.
  const beside = await plan('Beside', { recurring_charges: [aChargeBody({ charge_timing: 'in_arrears' })] });
  const before = await plan('Before', { recurring_charges: [aChargeBody({ amount: 31 })] });
  const after = await plan('After', { recurring_charges: [aChargeBody({ amount: 62 })] });

  const customers = [
    'cut at a window',
    'cut with a full fee',
    'cut with units',
    'cut with units beside a fee',
    'extended',
    'switched, then cancelled',
    'switched, then ended',
  ];
  for (const customer of customers) {
    await request.post('/api/customers/').send({ customer_id: customer }).expect(201);
    await subscribe(customer, beside);
  }
  const cut = await subscribe('cut at a window', weekly);
  const kept = await subscribe('cut with a full fee', reduced);
  const reducing = await subscribe('cut with units', bought);
  const besideFee = await subscribe('cut with units beside a fee', fixedFee);
  const partial = { end_date: '2026-01-10T23:59:59.999999Z', auto_renew: false };
  const extended = await subscribe('extended', reduced, partial);
  const left = await subscribe('switched, then ended', before);
  const cancelled = await subscribe('switched, then cancelled', before);

  await advance('2026-01-08T00:00:00Z');
  await request
    .post(`/api/subscriptions/${extended}/update/`)
    .send({ end_date: '2026-01-31T23:59:59.999999Z' })
    .expect(200);
  const switchLater = async (subscription: string): Promise<string> => {
    const { body } = await request
      .post(`/api/subscriptions/${subscription}/switch_plan/`)
      .send({ switch_plan_id: after, invoicing_behavior: 'add_to_next_invoice' })
      .expect(200);
    return body.subscription_id;
  };
  const unsettled = await switchLater(cancelled);
  await request
    .post(`/api/subscriptions/${await switchLater(left)}/update/`)
    .send({ end_date: '2026-01-21T23:59:59.999999Z', turn_off_auto_renew: true })
    .expect(200);
  await advance('2026-01-11T00:00:00Z');
  await request.post(`/api/subscriptions/${reducing}/cancel/`).send({}).expect(200);
  await request.post(`/api/subscriptions/${besideFee}/cancel/`).send({}).expect(200);
  await request.post(`/api/subscriptions/${unsettled}/cancel/`).send({}).expect(200);
  await request.post(`/api/subscriptions/${kept}/cancel/`).send({}).expect(200);
  await advance('2026-01-15T00:00:00Z');
  await request.post(`/api/subscriptions/${cut}/cancel/`).send({}).expect(200);

  // Prepaid units over an end that halves a period, at a price of an odd number of cents.
  const units = await plan('Units', {
    recurring_charges: [],
    components: [
      aComponentBody(metric.metric_id, {
        tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }],
        prepaid_charge: { units: 10.01, charge_behavior: 'prorate' },
      }),
    ],
  });
  await request.post('/api/customers/').send({ customer_id: 'renewed half-way' }).expect(201);
  const renewed = { start_date: '2026-01-01T00:00:00Z', end_date: '2026-01-16T12:00:00Z' };
  await subscribe('renewed half-way', units, renewed);

  // A renewal inside a day that the term before was charged for.
  await advance('2026-01-17T00:00:00Z');
  await request.patch('/api/organization/').send({ proration_basis: 'day' }).expect(200);
  await request.post('/api/customers/').send({ customer_id: 'renewed inside a day' }).expect(201);
  const insideDay = { start_date: '2026-01-17T00:00:00Z', end_date: '2026-01-20T12:00:00Z' };
  await subscribe('renewed inside a day', before, insideDay);
}
