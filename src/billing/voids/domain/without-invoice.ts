import { ascending } from '../../../kernel/ids.js';
import { chargeFromSnapshot, withoutVoidedCharges } from '../../accounts/domain/account-charges.js';
import { withChangedCredit } from '../../accounts/domain/account-credits.js';
import { withChangedInvoice, type AccountInvoice } from '../../accounts/domain/account-invoices.js';
import { invoiceFromSnapshot, type AccountState } from '../../accounts/domain/account-state.js';
import type { VoidedInvoice } from '../../accounts/domain/event-data.js';

/**
 * Takes an invoice out of the account: what it charged is owed again (docs/billing.md#voids). Settled terms come back
 * with what other invoices charged them. The caller sets the billing status of the terms.
 */
export function withoutInvoice(state: AccountState, voided: VoidedInvoice): AccountState {
  const { charges, closes } = voided.recalled;
  const billed = new Map(state.billed);
  for (const charge of charges) billed.set(charge.chargeKey, chargeFromSnapshot(charge));
  const counts = new Map(state.counts);
  for (const { chargeKey, ...count } of closes) counts.set(chargeKey, count);
  const settled = new Set(state.settled);
  for (const { subscriptionId } of voided.terms) settled.delete(subscriptionId);
  const after: AccountState = {
    ...state,
    billed: withoutVoidedCharges(billed, voided.charges),
    counts,
    settled,
  };
  return {
    ...after,
    invoices: withChangedInvoice(withRecalled(state.invoices, voided), voided.invoiceId, asVoidedInvoice),
    credits: withDrawdownsReturned(state.credits, voided),
    nettings: state.nettings.filter(({ invoiceId }) => invoiceId !== voided.invoiceId),
  };
}

/** Adds the recalled invoices; an invoice that the account has stays as it is. */
function withRecalled(known: AccountState['invoices'], { recalled }: VoidedInvoice) {
  const { invoices = [] } = recalled;
  if (invoices.length === 0) return known;
  const recalledOnes = invoices.filter(({ invoiceId }) => !known.has(invoiceId)).map(invoiceFromSnapshot);
  const all = [...recalledOnes, ...known.values()].sort((a, b) => ascending(a.issuedAt, b.issuedAt));
  return new Map(all.map((invoice) => [invoice.invoiceId, invoice]));
}

const asVoidedInvoice = (invoice: AccountInvoice): AccountInvoice => ({
  ...invoice,
  costDue: 0n,
  status: 'voided',
  chargeKeys: new Set(),
});

/** Returns the amounts that a voided invoice had drawn to their credits. */
function withDrawdownsReturned(
  credits: AccountState['credits'],
  { invoiceId, drawdowns: returned }: Pick<VoidedInvoice, 'invoiceId' | 'drawdowns'>,
): AccountState['credits'] {
  let after = credits;
  for (const { creditId, amount } of returned) {
    const { remaining, drawdowns, isVoided } = after.get(creditId)!;
    after = withChangedCredit(after, creditId, {
      remaining: isVoided ? 0n : remaining + BigInt(amount.amount),
      drawdowns: drawdowns.filter((drawdown) => drawdown.invoiceId !== invoiceId),
    });
  }
  return after;
}
