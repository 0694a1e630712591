import type { RunTerm } from '../../src/billing/rating/run.js';
import type { PlanComponent } from '../../src/pricing/price-content.js';
import { instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import type { Cancellation } from '../../src/subscription/domain/term-state.js';
import { aComponent, aContent, aTerm, freeUpTo, perUnit, type TermChanges } from './builders/billing.js';
import { PureAccount } from './pure-account.js';

type Behavior = 'full' | 'prorate';

/** The middle of January 2026. */
export const HALF = '2026-01-16T12:00:00Z';
export const END = '2026-02-01T00:30:00Z';
export const USED = [{ at: '2026-01-20T00:00:00.000000Z', n: '35' }];

/** A component with 10 free units, then 1.00 each, of which some are prepaid. */
export const priced = (
  behavior: Behavior,
  units = '20',
  changes: Partial<PlanComponent> = {},
): PlanComponent =>
  aComponent({ tiers: [freeUpTo('10'), perUnit('1.00', '10')], prepaid: { units, behavior }, ...changes });

export const termOf = (component: PlanComponent, changes: TermChanges = {}): RunTerm =>
  aTerm(aContent({ components: [component] }), changes);

/** Returns the term after changes of its prepaid units. */
export function withUnits(
  runTerm: RunTerm,
  ...changes: readonly (readonly [at: string, units: string])[]
): RunTerm {
  const [{ metricId, prepaid }] = runTerm.content.components as [PlanComponent];
  const before = (index: number) => (index === 0 ? prepaid!.units! : changes[index - 1]![1]);
  const prepaidChanges = changes.map(([at, units], index) => ({
    metricId,
    units,
    unitsBefore: before(index),
    invoiceNow: true,
    effectiveAt: instant(at),
  }));
  const prepaidUnits = [{ metricId, units: changes.at(-1)![1] }];
  return { ...runTerm, prepaidChanges, term: { ...runTerm.term, prepaidUnits } };
}

export const cancelled = (runTerm: RunTerm, at: string, changes: Partial<Cancellation> = {}): RunTerm => ({
  ...runTerm,
  term: { ...runTerm.term, end: instant(at), scheduledEnd: false, autoRenew: false },
  endedBy: 'cancelled',
  cancelled: {
    flatFee: null,
    usage: 'bill_full',
    invoicing: 'invoice_now',
    billedAt: instant(at),
    ...changes,
  },
});

export const endMovedTo = (runTerm: RunTerm, end: string): RunTerm => ({
  ...runTerm,
  term: { ...runTerm.term, end: instant(end), scheduledEnd: false },
  endMoved: true,
});

/** Bills an account. Returns the nonzero subtotals of charges, the total and the granted credit. */
export function billed(account: PureAccount, asOf: string) {
  const invoice = account.bill(asOf);
  const shown = (stored: Parameters<typeof fromStored>[0]) => toDecimal(fromStored(stored));
  return {
    lines: (invoice?.lines ?? [])
      .filter(({ subscriptionId, base }) => subscriptionId !== null && base.amount !== '0')
      .map(({ subtotal }) => shown(subtotal)),
    total: invoice && shown(invoice.total),
    credit: invoice?.grants[0] && shown(invoice.grants[0].amount),
  };
}
export const linesOf = (account: PureAccount, asOf: string): string[] => billed(account, asOf).lines;

function pay(account: PureAccount): void {
  for (const { invoiceId, costDue } of [...account.state.invoices.values()]) {
    const amount = { amount: String(costDue), currency: 'USD', scale: 2 };
    account.happened({ type: 'InvoicePaid', data: { invoiceId, amount, paidAt: instant('2026-01-02') } });
  }
}

/** Returns an account whose term was billed at its start and whose invoice is paid. */
export function begun(term: RunTerm, usage = USED): PureAccount {
  const account = new PureAccount([term], usage);
  account.run('2026-01-01');
  pay(account);
  return account;
}
