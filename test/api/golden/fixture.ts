import type { TestApp } from '../../support/app.js';
import { shopOf } from '../../support/shop.js';
import { perUnit } from './golden.js';

interface Line {
  readonly name: string;
  readonly start_date: string;
  readonly quantity: number | null;
  readonly billing_type: string;
  readonly base: number;
  readonly subtotal: number;
  readonly amount: number;
  readonly adjustments: readonly object[];
  /** Null on lines of credits. */
  readonly plan: { readonly plan_id: string } | null;
}

export interface Invoice {
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly cost_due: number;
  readonly payment_status: string;
  readonly currency: { readonly code: string };
  readonly line_items: readonly Line[];
}

export interface Subscription {
  readonly subscription_id: string;
}

interface Credit {
  readonly amount: number;
  readonly amount_remaining: number;
  readonly status: string;
  readonly expires_at: string | null;
  readonly currency: { readonly code: string };
}

/** Formats an amount as the cases do. */
export const figure = (amount: number): string => amount.toFixed(2);

export const figures = (amounts: readonly number[]): string[] => amounts.map(figure).sort();

/** Returns the subtotals of an invoice's lines, sorted, without lines of 0 and of credits. */
export const chargedOn = ({ line_items: lines }: Invoice): string[] =>
  figures(lines.filter(({ plan, base }) => plan !== null && base !== 0).map(({ subtotal }) => subtotal));

/** Returns the usual plan of the cases: an optional fee, and units of a metric, some of which are free. */
export const priced = (
  metric: string,
  fee: { amount: number; timing?: string; behavior?: string } | null,
  free = 10,
  cost = 2,
) => ({
  recurring_charges: fee
    ? [
        {
          name: 'fee',
          amount: fee.amount,
          charge_timing: fee.timing ?? 'in_advance',
          charge_behavior: fee.behavior ?? 'prorate',
        },
      ]
    : [],
  components: [
    {
      metric_id: metric,
      tiers: [{ type: 'free', range_start: 0, range_end: free }, perUnit(cost, free)],
    },
  ],
});

/** Returns the requests and reads of the golden cases. */
export function fixtureOf(app: TestApp) {
  const shop = shopOf(app);
  /** Returns the invoices of a customer, newest first. */
  const invoicesOf = (customer: string): Promise<Invoice[]> => shop.invoices(`?customer_id=${customer}`);
  return {
    ...shop,
    invoicesOf,
    creditsOf: async (customer: string): Promise<Credit[]> =>
      (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body,
    subscriptionsOf: async (customer: string) =>
      (await app.request.get(`/api/subscriptions/?customer_id=${customer}`).expect(200)).body,
    shown: async (id: string) => (await app.request.get(`/api/subscriptions/${id}/`).expect(200)).body,
    post: (path: string, body: object = {}) => app.request.post(`/api/subscriptions/${path}`).send(body),
    payAll: async (customer: string) => {
      for (const { invoice_id: id } of await invoicesOf(customer)) {
        await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
      }
    },
  };
}

export type Fixture = ReturnType<typeof fixtureOf>;
