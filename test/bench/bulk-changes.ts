import { RecountClient } from '../support/recount-client.js';
import { aPlanBody } from '../support/builders/catalog-bodies.js';
import { forEachConcurrent } from '../../src/platform/concurrency/limits.js';
import { startOf } from './billed-customers.js';
import type { Cluster } from './cluster.js';
import { median, type Figure } from './report.js';
import { startBenchedService } from './service.js';

const SUBSCRIPTIONS = 150;
const ROUNDS = 2;

const fee = (amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
});

/**
 * Measures one request that switches all subscriptions of a customer to another plan, and one that cancels them.
 * Beside it, it measures how long other requests of the organization wait meanwhile.
 */
export async function measureBulkChanges(cluster: Cluster): Promise<Figure[]> {
  const service = await startBenchedService(cluster, startOf(0));
  try {
    const client = new RecountClient(service.url, service.key);
    const plan = (name: string, amount: number) =>
      client.post<{ plan_id: string }>('/api/plans/', aPlanBody(name, fee(amount)));
    const [from, to] = [await plan('from', 31), await plan('to', 62)];
    const [switching, cancelling, waits]: [number[], number[], number[]] = [[], [], []];
    let holds = true;
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = `customer-${round}`;
      await client.post('/api/customers/', { customer_id: customer });
      await forEachConcurrent(
        Array.from({ length: SUBSCRIPTIONS }, (_, n) => `r${n}`),
        8,
        (value) =>
          client.post('/api/subscriptions/', {
            customer_id: customer,
            plan_id: from.plan_id,
            start_date: startOf(0),
            subscription_filters: [{ property_name: 'region', value }],
          }),
      );
      const timed = async (path: string, body: object, times: number[]): Promise<void> => {
        const began = performance.now();
        const changing = client.post<unknown[]>(path, body);
        let isOver = false;
        const over = changing.then((changed) => {
          times.push(performance.now() - began);
          isOver = true;
          holds &&= changed.length === SUBSCRIPTIONS;
        });
        while (!isOver) {
          const asked = performance.now();
          await client.get('/api/ping/');
          waits.push(performance.now() - asked);
        }
        await over;
      };
      const selected = `customer_id=${customer}&plan_id=${to.plan_id}`;
      await timed(
        `/api/subscriptions/update/?customer_id=${customer}&plan_id=${from.plan_id}`,
        { replace_plan_id: to.plan_id },
        switching,
      );
      await timed(`/api/subscriptions/cancel/?${selected}`, {}, cancelling);
    }
    const figure = (name: string, times: readonly number[]): Figure => ({
      name: `${name} by filter`,
      settings: `${SUBSCRIPTIONS} subscriptions of one customer in one request: ${(median(times) / 1000).toFixed(2)} s, the median of ${ROUNDS}; the latency is that of a ping meanwhile`,
      unit: 'subscriptions',
      perSecond: (SUBSCRIPTIONS * 1000) / median(times),
      latencies: waits,
      check: { what: 'every subscription is changed', holds },
    });
    return [figure('switching', switching), figure('cancelling', cancelling)];
  } finally {
    await service.stop();
  }
}
