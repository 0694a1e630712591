import { forEachConcurrent } from '../src/platform/concurrency/for-each-concurrent.js';
import type { RecountClient } from './recount-client.js';

const GIGABYTE = 1_000_000_000;
const AT_ONCE = 8;

interface Metric {
  readonly metric_id: string;
}

/** The plan of a small content network: a monthly fee, requests in thousands, bytes sent by the gigabyte. */
export async function createPlan(client: RecountClient): Promise<string> {
  const requests = await client.post<Metric>(
    '/api/metrics/',
    { metric_name: 'Requests', event_name: 'request', metric_type: 'counter', aggregation_type: 'count' },
    'demo-metric-requests',
  );
  const bytes = await client.post<Metric>(
    '/api/metrics/',
    {
      metric_name: 'Bytes sent',
      event_name: 'request',
      metric_type: 'counter',
      aggregation_type: 'sum',
      property_name: 'bytes',
    },
    'demo-metric-bytes',
  );
  const perUnit = { type: 'per_unit', batch_rounding_type: 'no_rounding' };
  const plan = await client.post<{ plan_id: string }>(
    '/api/plans/',
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
    'demo-plan',
  );
  return plan.plan_id;
}

/** One customer per client address, subscribed from `start` on. */
export async function subscribeClients(
  client: RecountClient,
  planId: string,
  clients: readonly string[],
  start: string,
): Promise<void> {
  await forEachConcurrent(clients, AT_ONCE, async (address) => {
    await client.post(
      '/api/customers/',
      { customer_id: address, customer_name: `Client ${address}` },
      `demo-customer-${address}`,
    );
    await client.post(
      '/api/subscriptions/',
      { customer_id: address, plan_id: planId, start_date: start },
      `demo-subscription-${address}`,
    );
  });
}
