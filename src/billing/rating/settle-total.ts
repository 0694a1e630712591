import { DomainError } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import {
  isNegativeMoney,
  isZeroMoney,
  minMoney,
  money,
  negate,
  subtract,
  sum,
  toStored,
  zero,
  type Money,
} from '../../kernel/money.js';
import { GRANTED_CREDIT, drawableCredits } from '../credits/domain/account-credits.js';
import { unpaidInvoicesCharging, type AccountInvoice } from '../invoices/domain/account-invoices.js';
import { reversedKeys, withAdjustedPeriods, withFundingKeys } from '../accounts/domain/netting.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { InvoiceLine } from '../accounts/domain/event-data.js';
import { creditLine } from './credit-line.js';
import type { InvoiceResult } from './invoice-record.js';
import type { PricedLine } from './invoice-lines.js';
import type { RunData } from './run.js';

/**
 * Settles the sum of priced lines: credits are drawn from a positive one; a negative one is taken off unpaid
 * invoices that charged the same, and the rest is granted as a credit (docs/billing.md#negative-totals, docs/billing.md#credits).
 */
export function settleTotal(priced: readonly PricedLine[], data: RunData): InvoiceResult {
  const total = sum(
    data.currency,
    priced.map(({ amount }) => amount),
  );
  const charged = priced.map(({ line }) => line);
  return isNegativeMoney(total) ? giveBack(negate(total), charged, data) : draw(total, charged, data);
}

/** Draw = min(balance, total), in one line, over as many credits as it takes. */
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
    left = subtract(left, amount);
  }
  const drawn = subtract(left, total);
  const applied = isZeroMoney(drawn)
    ? []
    : [creditLine('credit_drawdown', 'Applied Credit', 'credits', drawn, charged)];
  return { lines: [...charged, ...applied], drawdowns, grants: [], reductions: [], total: left };
}

/** Reverses an amount: it first reduces unpaid invoices, as an amount never paid is never spendable. */
function giveBack(size: Money, charged: readonly InvoiceLine[], data: RunData): InvoiceResult {
  const { account, currency, runId } = data;
  let left = size;
  const lines = [...charged];
  const reductions = [];
  for (const { invoiceId, number, costDue } of unpaidFor(charged, account)) {
    if (isZeroMoney(left)) break;
    if (number === null) {
      throw new DomainError('conflict', 'An invoice of the account is being issued. Try again.');
    }
    const amount = minMoney(money(costDue, currency), left);
    reductions.push({ amount: toStored(amount), invoiceId });
    const key = `invoices/${invoiceId}`;
    lines.push(creditLine('invoice_reduction', `Applied to ${number}`, key, amount, charged));
    left = subtract(left, amount);
  }
  if (isZeroMoney(left)) return { lines, drawdowns: [], grants: [], reductions, total: zero(currency) };
  const creditId = derivedId(runId, 'granted credit');
  lines.push(creditLine('credit_grant', GRANTED_CREDIT, `credits/${creditId}`, left, charged));
  const grants = [{ amount: toStored(left), creditId }];
  return { lines, drawdowns: [], grants, reductions, total: zero(currency) };
}

/**
 * Where a charge given back was not paid: on the unpaid invoices that billed it, else on those that billed what was given
 * back to pay it, or its period, where a price adjustment of that gives something back. Each the newest first.
 */
function unpaidFor(
  charged: readonly InvoiceLine[],
  { invoices, setOffs, billed }: AccountState,
): Iterable<AccountInvoice> {
  const chargeKeys = reversedKeys(charged);
  const others = withFundingKeys(withAdjustedPeriods(chargeKeys, charged, billed), setOffs);
  return new Set([
    ...unpaidInvoicesCharging(invoices, chargeKeys),
    ...unpaidInvoicesCharging(invoices, others),
  ]);
}
