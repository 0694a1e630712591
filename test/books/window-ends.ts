import type { TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

const START = '2026-01-17T00:00:00Z';
/** Every term of these histories has a window that ends here, and goes on. */
const END_OF_WINDOW = '2026-01-24T00:00:00Z';

/**
 * Writes cancellations at the very instant at which a window ends (docs/billing.md#cancellation). The organization counts
 * days before, and by seconds from then on.
 */
export async function writeWindowEnds(app: TestApp): Promise<void> {
  const { request, advance } = app;
  const shop = shopOf(app);
  const countsBy = (proration_basis: 'day' | 'second') =>
    request.patch('/api/organization/').send({ proration_basis }).expect(200);
  const reset = (unit: string, count: number) => ({
    reset_interval_unit: unit,
    reset_interval_count: count,
  });
  const fee = (changes: object) => ({ recurring_charges: [aChargeBody(changes)] });
  const arrears = { charge_timing: 'in_arrears' };
  const metric = await shop.metric({
    metric_name: 'hits',
    event_name: 'hits',
    aggregation_type: 'sum',
    property_name: 'n',
  });
  const week = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };

  const inArrears = await shop.plan('Weeks in arrears', fee({ amount: 7, ...arrears, ...reset('week', 1) }));
  // With usage there is an invoice that has no reversal.
  const inAdvance = await shop.plan('Weeks in advance', {
    ...fee({ amount: 7, ...reset('week', 1) }),
    components: [aComponentBody(metric, { tiers: perUnitTiers() })],
  });
  const counted = await shop.plan('Weeks of usage', {
    ...fee({ amount: 31, ...arrears }),
    components: [aComponentBody(metric, { tiers: perUnitTiers(), ...reset('week', 1), ...week })],
  });
  const inDays = await shop.plan('Days in arrears', {
    ...fee({ amount: 5, ...arrears, ...reset('day', 5) }),
    day_anchor: 24,
  });

  const cancelled: { readonly id: string; readonly how: object }[] = [];
  const willCancel = async (customer: string, plan: string, how: object, changes: object = {}) => {
    await shop.customer(customer);
    const { subscription_id: id } = await shop.subscribe(customer, plan, START, changes);
    cancelled.push({ id, how });
  };
  // The last window of a period, cut by the period's end, which has no day of the next period.
  await willCancel('cancelled between periods, by days', inDays, {}, { end_date: '2026-03-15T00:00:00Z' });
  await countsBy('second');
  const refund = { flat_fee_behavior: 'refund' };
  await willCancel('refunded at the end of a week in arrears', inArrears, refund);
  await willCancel('refunded at the end of a week in advance', inAdvance, refund);
  const unbilled = { flat_fee_behavior: 'charge_prorated', usage_behavior: 'bill_none' };
  await willCancel('unbilled from the end of a week', counted, unbilled);
  for (const customer of ['refunded at the end of a week in advance', 'unbilled from the end of a week'])
    await shop.use({ customer, name: 'hits', at: START, id: customer, properties: { n: 5 } });
  // Renewals of other histories count days on the way.
  await countsBy('day');

  await advance(END_OF_WINDOW);
  for (const { id, how } of cancelled)
    await request.post(`/api/subscriptions/${id}/cancel/`).send(how).expect(200);
  await countsBy('second');
}
