import type { Recount } from '../clients/typescript/src/index.js';
import { forEachConcurrent } from '../src/platform/concurrency/limits.js';

const GIGABYTE = 1_000_000_000;
const AT_ONCE = 8;

/**
 * Creates the plan of a small content network: a monthly fee, requests in thousands, bytes sent by the
 * gigabyte.
 */
export async function createPlan(client: Recount): Promise<string> {
  const requests = await client.createMetric(
    { metric_name: 'Requests', event_name: 'request', metric_type: 'counter', aggregation_type: 'count' },
    { idempotencyKey: 'demo-metric-requests' },
  );
  const bytes = await client.createMetric(
    {
      metric_name: 'Bytes sent',
      event_name: 'request',
      metric_type: 'counter',
      aggregation_type: 'sum',
      property_name: 'bytes',
    },
    { idempotencyKey: 'demo-metric-bytes' },
  );
  const perUnit = { type: 'per_unit', batch_rounding_type: 'no_rounding' } as const;
  const plan = await client.createPlan(
    {
      plan_name: 'Content network',
      plan_description: 'A monthly fee, requests and traffic',
      plan_duration: 'monthly',
      initial_version: {
        currency_code: 'USD',
        recurring_charges: [
          { name: 'Monthly fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 5 },
        ],
        components: [
          {
            metric_id: requests.metric_id,
            tiers: [
              { type: 'free', range_start: 0, range_end: 100 },
              {
                type: 'per_unit',
                range_start: 100,
                range_end: null,
                cost_per_batch: 1.5,
                metric_units_per_batch: 1000,
                batch_rounding_type: 'round_up',
              },
            ],
          },
          {
            metric_id: bytes.metric_id,
            tiers: [
              {
                ...perUnit,
                range_start: 0,
                range_end: GIGABYTE,
                cost_per_batch: 8,
                metric_units_per_batch: GIGABYTE,
              },
              {
                ...perUnit,
                range_start: GIGABYTE,
                range_end: null,
                cost_per_batch: 5,
                metric_units_per_batch: GIGABYTE,
              },
            ],
          },
        ],
      },
    },
    { idempotencyKey: 'demo-plan' },
  );
  return plan.plan_id;
}

/** Creates one customer per client address, subscribed from `start` on. */
export async function subscribeClients(
  client: Recount,
  planId: string,
  clients: readonly string[],
  start: string,
): Promise<void> {
  await forEachConcurrent(clients, AT_ONCE, async (address) => {
    await client.createCustomer(
      { customer_id: address, customer_name: `Client ${address}` },
      { idempotencyKey: `demo-customer-${address}` },
    );
    await client.createSubscription(
      { customer_id: address, plan_id: planId, start_date: start },
      {},
      { idempotencyKey: `demo-subscription-${address}` },
    );
  });
}
