import { subtract, toStored, type Money } from '../../kernel/money.js';
import type { InvoiceLine } from '../accounts/domain/event-data.js';

/** Ledger account of what customers hold as credit. */
const CREDITS = '21100';

/**
 * A line that settles an invoice: no price, but an adjustment of type `credit`, so that bases stay what was sold. It
 * covers what the invoice covers. The keys stand in canonical order, which is how they are hashed.
 */
export function creditLine(
  rule: InvoiceLine['explanation']['rule'],
  name: string,
  chargeKey: string,
  amount: Money,
  charged: readonly InvoiceLine[],
): InvoiceLine {
  const last = charged.reduce((a, b) => (b.period.end > a.period.end ? b : a));
  const starts = charged.map(({ period }) => period.start).sort();
  const firsts = charged.map(({ localDates }) => localDates.first).sort();
  const lasts = charged.map(({ localDates }) => localDates.last).sort();
  const stored = toStored(amount);
  return {
    adjustments: [{ account: CREDITS, amount: stored, type: 'credit' }],
    amount: stored,
    base: toStored(subtract(amount, amount)),
    billingType: 'one_time',
    chargeKey,
    explanation: { rule },
    filters: null,
    localDates: { first: firsts[0]!, last: lasts.at(-1)! },
    name,
    period: { end: last.period.end, start: starts[0]! },
    plan: null,
    quantity: null,
    scheduledEnd: last.scheduledEnd,
    subscriptionId: null,
    subtotal: stored,
  };
}
