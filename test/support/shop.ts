import type { TestApp } from './app.js';
import { aChargeBody, aMetricBody, aPlanBody } from './builders/catalog-bodies.js';

interface Sent {
  readonly customer?: string;
  readonly name?: string;
  readonly at: string;
  readonly id?: string;
  readonly properties?: object;
}

/** Returns the seller's requests over HTTP: each call sends one and returns its body or id. */
export function shopOf({ request }: TestApp) {
  let used = 0;
  const created = async (path: string, body: object) =>
    (await request.post(path).send(body).expect(201)).body;
  return {
    metric: async (changes: object = {}): Promise<string> =>
      (await created('/api/metrics/', aMetricBody(changes))).metric_id,

    plan: async (name: string, version: object = {}, plan: object = {}): Promise<string> =>
      (await created('/api/plans/', aPlanBody(name, version, plan))).plan_id,

    customer: (customerId: string, changes: object = {}) =>
      created('/api/customers/', { customer_id: customerId, customer_name: `${customerId} Inc`, ...changes }),

    subscribe: (customerId: string, planId: string, start: string, changes: object = {}) =>
      created('/api/subscriptions/', {
        customer_id: customerId,
        plan_id: planId,
        start_date: start,
        ...changes,
      }),

    /** Sends events, named `request` unless they have a name. */
    use: (...events: Sent[]) =>
      created('/api/track/', {
        batch: events.map(
          ({ customer = 'acme', name = 'request', at, id = `used-${(used += 1)}`, properties = {} }) => ({
            event_name: name,
            customer_id: customer,
            idempotency_id: id,
            time_created: at,
            properties,
          }),
        ),
      }),

    invoices: async (query = '') => (await request.get(`/api/invoices/${query}`).expect(200)).body,

    drafts: async (customerId: string, query = '') =>
      (await request.get(`/api/customers/${customerId}/draft_invoice/${query}`).expect(200)).body.invoices,

    verify: async (invoice: string) =>
      (await request.post(`/api/invoices/${invoice}/verify/`).expect(200)).body,
  };
}

export type Shop = ReturnType<typeof shopOf>;

/** Returns `count` events at a time. */
export const times = (count: number, at: string, properties: object = {}): Sent[] =>
  Array.from({ length: count }, () => ({ at, properties }));

/** Bills customer `acme` 5.00 a month in advance from January on: three invoices on 2 March. */
export async function billedUntilMarch(app: TestApp): Promise<void> {
  const shop = shopOf(app);
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer('acme');
  await shop.subscribe('acme', plan, '2026-01-01');
  await app.advance('2026-03-02T00:00:00Z');
}
