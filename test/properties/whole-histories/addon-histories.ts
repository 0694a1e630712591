import { historyOf, type GoldenScenario } from '../../calculator/golden-history.js';
import type { CancelBody, History, Step } from '../../calculator/history.js';

const SCENARIO: Omit<GoldenScenario<unknown>, 'steps'> = {
  ...{ id: 'add-ons', kind: 'scenario' },
  plans: {
    A: { plan_duration: 'monthly', recurring_charges: [{ amount: '31.00' }] },
    B: { plan_duration: 'monthly', recurring_charges: [{ amount: '62.00' }] },
  },
  addons: {
    X: { recurring_charges: [{ amount: '15.50' }] },
    Y: {
      billing_frequency: 'one_time',
      recurring_charges: [{ amount: '7.00', reset_interval_unit: 'week', reset_interval_count: 1 }],
    },
  },
};

const of = (...steps: Step[]): History => ({
  ...historyOf({ ...SCENARIO, steps: [] }),
  steps: [...steps, { at: '2026-04-02T00:00:00Z', do: 'advance' }],
});

const SUBSCRIPTION = 'S1';
const at = (day: string): string => `2026-${day}T00:00:00Z`;
const subscribe: Step = {
  ...{ at: at('01-01'), do: 'subscribe', subscription: SUBSCRIPTION, plan: 'A' },
  ...{ start_date: at('01-01'), end_date: null, auto_renew: true },
};
const attach = (day: string, addon = 'X'): Step => ({
  ...{ at: at(day), do: 'attach', subscription: SUBSCRIPTION, addon, quantity: 2 },
});
const pay = (day: string): Step => ({ at: at(day), do: 'pay' });
const switchPlan = (day: string, invoicing_behavior: 'invoice_now' | 'add_to_next_invoice'): Step => ({
  ...{ at: at(day), do: 'switch', subscription: SUBSCRIPTION, plan: 'B' },
  ...{ usage_behavior: 'transfer_to_new_subscription', invoicing_behavior },
});
type Cancel = Omit<CancelBody, 'usage_behavior'>;
const cancel = (day: string, body: Cancel): Step => ({
  ...{ at: at(day), do: 'cancel', subscription: SUBSCRIPTION, usage_behavior: 'bill_full', ...body },
});
const cancelAddon = (day: string, body: Cancel): Step => ({
  ...{ at: at(day), do: 'cancel_addon', subscription: SUBSCRIPTION, addon: 'X' },
  ...{ usage_behavior: 'bill_full', ...body },
});
const moveEnd = (day: string, to: string): Step => ({
  ...{ at: at(day), do: 'update', subscription: SUBSCRIPTION },
  ...{ turn_off_auto_renew: true, end_date: at(to) },
});
const NEXT = { flat_fee_behavior: null, invoicing_behavior: 'add_to_next_invoice' } as const;

/**
 * Histories of the rules of add-ons that random histories rarely reach (docs/billing.md#add-ons), one for
 * each rule.
 */
export const ADDON_HISTORIES: readonly (readonly [string, History])[] = [
  ['that is sold once charges its first window alone', of(subscribe, attach('01-11', 'Y'))],
  ['that is attached at one instant with another', of(subscribe, attach('01-11'), attach('01-11', 'Y'))],
  [
    'that is cancelled for a later end is settled with its term where that ends before',
    of(
      ...[subscribe, attach('01-11'), pay('01-12'), cancelAddon('01-16', NEXT)],
      ...[moveEnd('01-17', '01-26'), cancel('01-20', NEXT)],
    ),
  ],
  [
    'keeps what its own cancellation says when its term is cancelled, too',
    of(
      ...[subscribe, attach('01-11'), pay('01-12')],
      cancelAddon('01-16', { ...NEXT, flat_fee_behavior: 'refund' }),
      cancel('01-20', { flat_fee_behavior: 'charge_full', invoicing_behavior: 'invoice_now' }),
    ),
  ],
  [
    'is settled at an end that was moved before the switch that moved the add-on',
    of(
      ...[subscribe, attach('01-11'), pay('01-12'), moveEnd('01-13', '01-26')],
      switchPlan('01-16', 'invoice_now'),
    ),
  ],
  [
    'is billed when it is attached, also at the instant of a switch that waits for the next invoice',
    of(subscribe, pay('01-12'), switchPlan('01-16', 'add_to_next_invoice'), attach('01-16')),
  ],
];
