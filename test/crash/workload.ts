/** Sends a request until it is answered; a repeat carries the same idempotency key. Answers the body. */
export type Send = (key: string, path: string, body: object) => Promise<Record<string, unknown>>;

export const START = '2026-01-01T02:00:00Z';
const MONTHS = 10;

/**
 * A year of a small business, every request with a key of its own: each month a new customer subscribes, everybody uses,
 * one gets a credit, one leaves, and the clock moves into the next month, which renews and bills.
 */
export async function runWorkload(send: Send): Promise<void> {
  const metric = await send('metric', '/api/metrics/', {
    metric_name: 'requests',
    event_name: 'request',
    metric_type: 'counter',
    aggregation_type: 'count',
  });
  const plan = await send('plan', '/api/plans/', {
    plan_name: 'Small',
    plan_duration: 'monthly',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [
        { name: 'fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 30 },
        { name: 'support', charge_timing: 'in_arrears', charge_behavior: 'full', amount: 7 },
      ],
      components: [
        {
          metric_id: metric['metric_id'],
          tiers: [
            { type: 'free', range_start: 0, range_end: 2 },
            { type: 'per_unit', range_start: 2, cost_per_batch: 0.37, metric_units_per_batch: 1 },
          ],
        },
      ],
    },
  });
  for (let month = 1; month <= MONTHS; month++) {
    const at = dayOf(month, 1);
    const customer = `customer-${month}`;
    await send(`customer-${month}`, '/api/customers/', {
      customer_id: customer,
      email: `${customer}@x.test`,
    });
    const { subscription_id: subscription } = await send(`subscribe-${month}`, '/api/subscriptions/', {
      customer_id: customer,
      plan_id: plan['plan_id'],
      start_date: at,
    });
    for (const half of [1, 2]) {
      const batch = Array.from({ length: month }, (_, index) => ({
        event_name: 'request',
        customer_id: `customer-${index + 1}`,
        idempotency_id: `use-${month}-${half}-${index}`,
        time_created: at,
        properties: {},
      }));
      await send(`use-${month}-${half}`, '/api/track/', { batch });
    }
    await send(`credit-${month}`, '/api/credits/', {
      customer_id: customer,
      amount: 3 * month,
      currency_code: 'USD',
    });
    await send(`half-${month}`, '/api/test_clock/advance/', { to: dayOf(month, 15) });
    if (month % 3 === 0) await send(`cancel-${month}`, `/api/subscriptions/${subscription}/cancel/`, {});
    await send(`advance-${month}`, '/api/test_clock/advance/', { to: dayOf(month + 1, 1) });
  }
}

const dayOf = (month: number, day: number): string =>
  new Date(Date.UTC(2026, month - 1, day, 2)).toISOString();
