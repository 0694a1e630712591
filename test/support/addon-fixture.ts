import type { TestApp } from './app.js';
import { anAddonBody } from './builders/catalog-bodies.js';
import { shopOf } from './shop.js';

interface Served {
  readonly customer: string;
  readonly subscription: { readonly subscription_id: string };
}

/** A recurring charge of 10.00 in advance, prorated. */
export const addonFee = (changes: object = {}) => [
  { name: 'support', amount: 10, charge_timing: 'in_advance', charge_behavior: 'prorate', ...changes },
];

/**
 * Drives add-ons over HTTP. Calls apply to the current subscription, which `subscribed`, `resume` and `turnTo`
 * select.
 */
export function addonFixtureOf(app: TestApp) {
  const shop = shopOf(app);
  const kept = new Map<string, Served>();
  let served: Served = { customer: '', subscription: { subscription_id: '' } };
  let count = 0;
  const pathOf = () => `/api/subscriptions/${served.subscription.subscription_id}/`;
  const post = (path: string, body: object) => app.request.post(`${pathOf()}addons/${path}`).send(body);
  /** Invoices of the customer, oldest first. */
  const invoices = async () => [...(await shop.invoices(`?customer_id=${served.customer}`))].reverse();
  return {
    addon: async (version: object): Promise<string> => {
      const body = anAddonBody(`add-on ${(count += 1)}`, version);
      return (await app.request.post('/api/addons/').send(body).expect(201)).body.addon_id;
    },
    /** Creates a customer with a subscription; `resume` selects it again by the name. */
    subscribed: async (name: string, plan: string, start: string, changes: object = {}) => {
      const customer = `customer of ${name}`;
      await shop.customer(customer);
      served = { customer, subscription: await shop.subscribe(customer, plan, start, changes) };
      kept.set(name, served);
    },
    resume: (name: string): Served => (served = kept.get(name)!),
    /** Selects another subscription of the current customer. */
    turnTo: (subscription: Served['subscription']) => (served = { ...served, subscription }),
    served: () => served,
    post,
    attach: async (addonId: string, changes: object = {}) =>
      (await post('attach/', { addon_id: addonId, ...changes }).expect(201)).body,
    cancel: async (addonId: string, body: object = {}) =>
      (await post(`${addonId}/cancel/`, body).expect(200)).body,
    shown: async () => (await app.request.get(pathOf()).expect(200)).body,
    invoices,
    newest: async () => (await invoices()).at(-1),
    payAll: async () => {
      for (const { invoice_id: id } of await invoices()) {
        await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
      }
    },
    credits: async (): Promise<number[]> =>
      (await app.request.get(`/api/credits/?customer_id=${served.customer}`).expect(200)).body.map(
        (credit: { amount: number }) => credit.amount,
      ),
  };
}

export type AddonFixture = ReturnType<typeof addonFixtureOf>;
