import type { TestApp } from '../support/app.js';
import {
  aChargeBody,
  aComponentBody,
  anAddonBody,
  perUnitTiers,
} from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

/** The day before the boundary at which the terms renew: midnight in UTC, evening in New York. */
const START = '2026-01-24T00:00:00Z';

/**
 * Writes histories of customers who move from UTC to New York before a renewal, and of an add-on over a switch that keeps
 * usage apart, from 24 January 2026 on.
 * @returns writes their rest, at the end of February
 */
export async function writeRenewalsElsewhere(app: TestApp): Promise<() => Promise<void>> {
  const { request, advance } = app;
  const shop = shopOf(app);
  const added = async (name: string, version: object): Promise<string> => {
    const body = anAddonBody(name, { billing_frequency: 'recurring', ...version });
    return (await request.post('/api/addons/').send(body).expect(201)).body.addon_id;
  };
  const metric = (name: string, changes: object = {}) =>
    shop.metric({
      metric_name: name,
      event_name: name,
      aggregation_type: 'sum',
      property_name: 'n',
      ...changes,
    });
  const moves = (customer: string) =>
    request.patch(`/api/customers/${customer}/`).send({ timezone: 'America/New_York' }).expect(200);
  const act = (subscription: string, name: string, body: object) =>
    request.post(`/api/subscriptions/${subscription}/${name}/`).send(body);
  const running = async (customer: string): Promise<string> => {
    const { body } = await request
      .get('/api/subscriptions/')
      .query({ customer_id: customer, status: 'active' })
      .expect(200);
    return body[0].subscription_id;
  };
  const subscribe = async (customer: string, plan: string): Promise<string> => {
    await shop.customer(customer);
    return (await shop.subscribe(customer, plan, START)).subscription_id;
  };
  const anchored = { day_anchor: 25 };
  const arrears = { charge_timing: 'in_arrears' };
  const carriers = [
    await shop.plan('Carrier before', { recurring_charges: [aChargeBody({ amount: 0 })], ...anchored }),
    await shop.plan('Carrier after', { recurring_charges: [aChargeBody({ amount: 0 })], ...anchored }),
  ] as const;

  // An add-on whose plan is switched when its first full period is over, which a move began off the boundaries.
  const fees = [aChargeBody({ amount: 31 }), aChargeBody({ name: 'after', amount: 62, ...arrears })];
  const support = await added('Support', { recurring_charges: fees });
  await act(await subscribe('moved, then switched', carriers[0]), 'addons/attach', {
    addon_id: support,
  }).expect(201);
  await moves('moved, then switched');

  // A rate of an add-on that looks back into the day before its window, also when its plan is switched later.
  const flow = await metric('flow', { metric_type: 'rate', granularity: 'days' });
  const rated = await added('Flow', {
    recurring_charges: [],
    components: [aComponentBody(flow, { tiers: perUnitTiers() })],
  });
  await act(await subscribe('rated over a switch', carriers[0]), 'addons/attach', {
    addon_id: rated,
  }).expect(201);
  const flows = (at: string) =>
    shop.use({
      customer: 'rated over a switch',
      name: 'flow',
      at,
      id: `flow ${at}`,
      properties: { n: 10 },
    });

  // Periods that end before the boundary that their windows count from, which is five hours after their start.
  const clicks = await metric('clicks');
  const calls = await metric('calls of a week');
  const week = { reset_interval_unit: 'week', reset_interval_count: 1 };
  const weekly = await shop.plan('Weekly charges', {
    ...anchored,
    recurring_charges: [
      aChargeBody({ name: 'ahead', amount: 700, ...week }),
      aChargeBody({ name: 'whole', amount: 7, charge_behavior: 'full', ...week }),
      aChargeBody({ name: 'after', amount: 1400, ...arrears, ...week }),
    ],
    components: [
      aComponentBody(clicks, { tiers: perUnitTiers(), ...week }),
      aComponentBody(calls, {
        tiers: perUnitTiers(),
        prepaid_charge: { units: 700, charge_behavior: 'prorate' },
        ...week,
      }),
    ],
  });
  const ended = ['ended beside a boundary', 'renewed beside a boundary'] as const;
  for (const customer of ended) {
    await subscribe(customer, weekly);
    await moves(customer);
  }

  await advance('2026-01-24T18:00:00Z');
  await flows('2026-01-24T18:00:00Z');
  await advance('2026-01-25T01:00:00Z');
  await flows('2026-01-25T00:30:00Z');
  for (const [index, customer] of ended.entries()) {
    await shop.use({
      customer,
      name: 'clicks',
      at: '2026-01-25T00:30:00Z',
      id: `clicks of ${customer}`,
      properties: { n: 4 },
    });
    const end = { end_date: '2026-01-25T03:00:00Z', turn_off_auto_renew: index === 0 };
    await act(await running(customer), 'update', end).expect(200);
  }
  await act(await running('moved, then switched'), 'update', {
    end_date: '2026-03-01T12:00:00Z',
    turn_off_auto_renew: true,
  }).expect(200);

  await advance('2026-01-26T12:00:00Z');
  await act(await running('rated over a switch'), 'switch_plan', {
    switch_plan_id: carriers[1],
    usage_behavior: 'keep_separate',
  }).expect(200);

  return async () => {
    await advance('2026-02-27T12:00:00Z');
    await act(await running('moved, then switched'), 'switch_plan', { switch_plan_id: carriers[1] }).expect(
      200,
    );
  };
}
