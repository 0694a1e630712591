import type { TestApp } from '../support/app.js';
import {
  aChargeBody,
  aComponentBody,
  aMetricBody,
  aPlanBody,
  perUnitTiers,
} from '../support/builders/catalog-bodies.js';

const START = '2026-01-01T00:00:00Z';
const WEEK = { reset_interval_unit: 'week', reset_interval_count: 1 };

/**
 * Writes histories of customers who move from UTC to New York on 1 January.
 * @returns cancels a subscription that was renewed on 1 February, before midnight of New York
 */
export async function writeMoves({ request }: TestApp): Promise<() => Promise<void>> {
  const created = async (path: string, body: object) =>
    (await request.post(path).send(body).expect(201)).body;
  const written = { metric_name: 'writes', event_name: 'writes' };
  const { metric_id: metric } = await created('/api/metrics/', aMetricBody(written));
  const version = {
    recurring_charges: [aChargeBody({ amount: 7, ...WEEK })],
    components: [aComponentBody(metric, { tiers: perUnitTiers(), ...WEEK })],
  };
  const subscribe = async (customer: string, plan: object): Promise<void> => {
    await created('/api/customers/', { customer_id: customer });
    const { plan_id } = await created('/api/plans/', aPlanBody(`Plan of ${customer}`, version, plan));
    const body = { customer_id: customer, plan_id, start_date: START };
    await created('/api/subscriptions/', body);
    await request.patch(`/api/customers/${customer}/`).send({ timezone: 'America/New_York' }).expect(200);
  };
  // Boundaries of weeks, which would move by some days.
  await subscribe('moves-by-weeks', { plan_duration: null });
  await subscribe('moves-then-ends', { plan_duration: 'monthly' });

  return async () => {
    const query = '?customer_id=moves-then-ends&status=active';
    const { body: running } = await request.get(`/api/subscriptions/${query}`).expect(200);
    await request.post(`/api/subscriptions/${running[0].subscription_id}/cancel/`).send({}).expect(200);
  };
}
