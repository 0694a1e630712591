import type { TestApp } from '../support/app.js';
import {
  aChargeBody,
  aComponentBody,
  aMetricBody,
  anAddonBody,
  aPlanBody,
} from '../support/builders/catalog-bodies.js';

const START = '2026-01-01T00:00:00Z';

/**
 * Writes histories with acts at one instant, and with a basis that changes inside a day.
 * @returns writes their rest, when the organization counts days
 */
export async function writeInstants({ request }: TestApp): Promise<() => Promise<void>> {
  const created = async (path: string, body: object) =>
    (await request.post(path).send(body).expect(201)).body;
  const plan = async (name: string, version: object): Promise<string> =>
    (await created('/api/plans/', aPlanBody(name, version))).plan_id;
  const customer = (id: string) => created('/api/customers/', { customer_id: id });
  const subscribe = async (id: string, planId: string, changes: object = {}): Promise<string> => {
    const body = { customer_id: id, plan_id: planId, start_date: START, ...changes };
    return (await created('/api/subscriptions/', body)).subscription_id;
  };

  // Add-ons of one name on two plans: for some customers, the order of amounts or ids differs from that of the plans.
  const fees = [aChargeBody({ amount: 0.1, charge_timing: 'in_arrears' })];
  const addon = await created('/api/addons/', anAddonBody('Same', { recurring_charges: fees }));
  const free = { recurring_charges: [aChargeBody({ amount: 0 })] };
  const carriers = [await plan('Carrier A', free), await plan('Carrier B', free)];
  for (let n = 0; n < 6; n += 1) {
    await customer(`carriers-${n}`);
    for (const [index, carrier] of carriers.entries()) {
      const path = `/api/subscriptions/${await subscribe(`carriers-${n}`, carrier)}/addons/attach/`;
      await created(path, { addon_id: addon.addon_id, quantity: index + 1 });
    }
  }

  // A term by seconds that a renewal by days continues inside a day.
  const fee = await plan('Fee', { recurring_charges: [aChargeBody({ amount: 31 })] });
  await customer('renewed by days');
  await subscribe('renewed by days', fee, { end_date: '2026-01-20T12:00:00Z' });

  const reads = { metric_name: 'reads', event_name: 'reads', aggregation_type: 'sum', property_name: 'n' };
  const { metric_id: metric } = await created('/api/metrics/', aMetricBody(reads));
  const priced = (cost: number, changes: object = {}) => {
    const tiers = [{ type: 'per_unit', range_start: 0, cost_per_batch: cost, metric_units_per_batch: 1 }];
    return { recurring_charges: [], components: [aComponentBody(metric, { tiers, ...changes })] };
  };
  const counted = await plan('Counted', priced(1));
  const prepaid = { prepaid_charge: { units: 20, charge_behavior: 'full' } };
  const bought = await plan('Bought at once', priced(2, prepaid));
  await customer('bought at once');
  const used = await subscribe('bought at once', counted);
  const event = { event_name: 'reads', customer_id: 'bought at once', properties: { n: 10 } };
  await created('/api/track/', { batch: [{ ...event, idempotency_id: 'reads', time_created: START }] });

  return async () => {
    // Units of a plan without length, with transferred usage.
    const act = async (subscription: string, name: string, body: object) =>
      (await request.post(`/api/subscriptions/${subscription}/${name}/`).send(body).expect(200)).body;
    const { subscription_id: id } = await act(used, 'switch_plan', { switch_plan_id: bought });
    await act(id, 'cancel', {});
  };
}
