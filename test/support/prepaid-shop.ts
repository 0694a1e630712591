import type { TestApp } from './app.js';
import { shopOf } from './shop.js';

/** Sells requests over HTTP: ten free ones, then 1.00 each, with prepaid units. */
export function prepaidShopOf(app: TestApp) {
  const shop = shopOf(app);
  let count = 0;
  let known: Promise<string> | undefined;
  const metric = () => (known ??= shop.metric());
  const planOf = async (prepaid: object | null, component: object = {}) =>
    shop.plan(`plan ${(count += 1)}`, {
      recurring_charges: [],
      components: [
        {
          metric_id: await metric(),
          tiers: [
            { type: 'free', range_start: 0, range_end: 10 },
            { type: 'per_unit', range_start: 10, cost_per_batch: 1, metric_units_per_batch: 1 },
          ],
          prepaid_charge: prepaid,
          ...component,
        },
      ],
    });
  const newCustomer = async () => {
    const id = `customer-${(count += 1)}`;
    await shop.customer(id);
    return id;
  };
  const invoicesOf = (customer: string) => shop.invoices(`?customer_id=${customer}`);
  return {
    ...shop,
    /** Returns the id of the metric. */
    theMetric: metric,
    planOf,
    newCustomer,
    invoicesOf,
    /** Returns the amounts of the invoices, newest first. */
    amountsOf: async (customer: string): Promise<number[]> =>
      (await invoicesOf(customer)).map((invoice: { amount: number }) => invoice.amount),

    /** Subscribes a new customer from 1 January without renewal and pays the first invoice. */
    subscribed: async (prepaid: object | null, component: object = {}, changes: object = {}) => {
      const customer = await newCustomer();
      const plan = await planOf(prepaid, component);
      const begun = { auto_renew: false, ...changes };
      const subscription = await shop.subscribe(customer, plan, '2026-01-01', begun);
      for (const { invoice_id: id } of await invoicesOf(customer)) {
        await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
      }
      return { customer, id: subscription.subscription_id as string };
    },
  };
}

export const full = (units: number | null) => ({ units, charge_behavior: 'full' });
export const prorate = (units: number | null) => ({ units, charge_behavior: 'prorate' });
