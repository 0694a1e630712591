import { DomainError } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import {
  isNegativeMoney,
  isZeroMoney,
  minMoney,
  money,
  negateMoney,
  subtractMoney,
  sumMoney,
  toStored,
  zero,
  type Money,
} from '../../kernel/money.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import { GRANTED_CREDIT, drawableCredits } from '../accounts/domain/account-credits.js';
import {
  reversedKeys,
  unpaidInvoicesCharging,
  withAdjustedPeriods,
  withFundingKeys,
  type AccountInvoice,
} from '../accounts/domain/account-invoices.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { ComputedInvoice, InvoiceLine } from '../accounts/domain/event-data.js';
import type { PricedLine } from './invoice-lines.js';
import type { RunData } from './run.js';

/** The lines of an invoice and how its total is settled. */
export type InvoiceResult = Pick<ComputedInvoice, 'lines' | 'drawdowns' | 'grants' | 'reductions'> & {
  readonly total: Money;
};

/**
 * Settles the sum of priced lines: a positive total draws credits; a negative one reduces unpaid invoices that charged the
 * same keys, and the rest is granted as a credit (docs/billing.md#negative-totals, docs/billing.md#credits).
 */
export function settleTotal(priced: readonly PricedLine[], data: RunData): InvoiceResult {
  const total = sumMoney(
    data.currency,
    priced.map(({ amount }) => amount),
  );
  const charged = priced.map(({ line }) => line);
  return isNegativeMoney(total) ? creditBack(negateMoney(total), charged, data) : draw(total, charged, data);
}

/** Draws min(balance, total), in one line, from as many credits as it takes. */
function draw(
  total: Money,
  charged: readonly InvoiceLine[],
  { account, asOf, currency }: RunData,
): InvoiceResult {
  let left = total;
  const drawdowns = [];
  for (const { creditId, remaining } of drawableCredits(account.credits, asOf)) {
    if (isZeroMoney(left)) break;
    const amount = minMoney(money(remaining, currency), left);
    drawdowns.push({ amount: toStored(amount), creditId });
    left = subtractMoney(left, amount);
  }
  const drawn = subtractMoney(left, total);
  const applied = isZeroMoney(drawn)
    ? []
    : [creditLine('credit_drawdown', 'Applied Credit', ChargeKey.DRAWN_CREDITS, drawn, coverageOf(charged))];
  return { lines: [...charged, ...applied], drawdowns, grants: [], reductions: [], total: left };
}

/** Reduces unpaid invoices before it grants a credit: an amount that was never paid is never spendable. */
function creditBack(size: Money, charged: readonly InvoiceLine[], data: RunData): InvoiceResult {
  const { account, currency, runId } = data;
  let left = size;
  const coverage = coverageOf(charged);
  const lines = [...charged];
  const reductions = [];
  for (const { invoiceId, number, costDue } of invoicesToReduce(charged, account)) {
    if (isZeroMoney(left)) break;
    if (number === null) {
      throw new DomainError('conflict', 'An invoice of the account is being issued. Try again.');
    }
    const amount = minMoney(money(costDue, currency), left);
    reductions.push({ amount: toStored(amount), invoiceId });
    const key = ChargeKey.ofReducedInvoice(invoiceId);
    lines.push(creditLine('invoice_reduction', `Applied to ${number}`, key, amount, coverage));
    left = subtractMoney(left, amount);
  }
  if (isZeroMoney(left)) return { lines, drawdowns: [], grants: [], reductions, total: zero(currency) };
  const creditId = derivedId(runId, 'granted credit');
  lines.push(creditLine('credit_grant', GRANTED_CREDIT, ChargeKey.ofCredit(creditId), left, coverage));
  const grants = [{ amount: toStored(left), creditId }];
  return { lines, drawdowns: [], grants, reductions, total: zero(currency) };
}

/**
 * Orders the unpaid invoices to reduce: those that billed the reversed charges, then those that netting or a reversed
 * price adjustment links to them; the newest first in each.
 */
function invoicesToReduce(
  charged: readonly InvoiceLine[],
  { invoices, nettings, billed }: AccountState,
): Iterable<AccountInvoice> {
  const chargeKeys = reversedKeys(charged);
  const others = withFundingKeys(withAdjustedPeriods(chargeKeys, charged, billed), nettings);
  return new Set([
    ...unpaidInvoicesCharging(invoices, chargeKeys),
    ...unpaidInvoicesCharging(invoices, others),
  ]);
}

/** Ledger account of the credits that customers hold. */
const CREDITS = '21100';

/** The time that the charges of an invoice cover together, from the first start to the last end. */
type Coverage = Pick<InvoiceLine, 'period' | 'localDates' | 'scheduledEnd'>;

/** Returns what lines cover together. @param charged at least one line */
export function coverageOf(charged: readonly InvoiceLine[]): Coverage {
  const last = charged.reduce((a, b) => (b.period.end > a.period.end ? b : a));
  const start = charged.map(({ period }) => period.start).reduce(earlier);
  const firstDate = charged.map(({ localDates }) => localDates.first).reduce(earlier);
  const lastDate = charged.map(({ localDates }) => localDates.last).reduce(later);
  return {
    localDates: { first: firstDate, last: lastDate },
    period: { end: last.period.end, start },
    scheduledEnd: last.scheduledEnd,
  };
}

/**
 * Makes a line that settles an invoice: an adjustment of type `credit` without a base, so that bases stay what was sold.
 * The keys are in canonical (sorted) order because the object is hashed.
 */
export function creditLine(
  rule: InvoiceLine['explanation']['rule'],
  name: string,
  { text: chargeKey }: ChargeKey,
  amount: Money,
  { localDates, period, scheduledEnd }: Coverage,
): InvoiceLine {
  const stored = toStored(amount);
  return {
    adjustments: [{ account: CREDITS, amount: stored, type: 'credit' }],
    amount: stored,
    base: toStored(subtractMoney(amount, amount)),
    billingType: 'one_time',
    chargeKey,
    explanation: { rule },
    filters: null,
    localDates,
    name,
    period,
    plan: null,
    quantity: null,
    scheduledEnd,
    subscriptionId: null,
    subtotal: stored,
  };
}

const earlier = <Time extends string>(a: Time, b: Time): Time => (b < a ? b : a);
const later = <Time extends string>(a: Time, b: Time): Time => (b > a ? b : a);
