import type { Account } from './account.js';
import type { Ms } from './calendar.js';

/**
 * Voids an unpaid invoice (docs/billing.md#voids): its charges are owed again, drawn credits are restored, reductions
 * by other invoices become a credit, and the rest of a credit that it sold is voided.
 * @returns whether the invoice was unpaid
 */
export function voidInvoice(account: Account, number: number, now: Ms): boolean {
  const invoice = account.invoices[number - 1];
  if (!invoice || invoice.isVoided || invoice.costDue === 0n) return false;
  const reduced = invoice.amount - invoice.costDue;
  for (const entry of sumsOf(invoice.entries)) account.reverse(entry);
  for (const { credit, amount } of invoice.drawn) if (!credit.isVoided) credit.left += amount;
  if (reduced > 0n) account.grantFreeCredit(reduced, now);
  for (const credit of account.credits)
    if (credit.soldBy === number) Object.assign(credit, { left: 0n, isVoided: true });
  const kept = account.nettings.filter((netting) => netting.number !== number);
  account.nettings.splice(0, account.nettings.length, ...kept);
  invoice.isVoided = true;
  invoice.costDue = 0n;
  return true;
}

/** Sums the entries of an invoice by window and tax rate. */
function sumsOf(entries: Account['invoices'][number]['entries']): typeof entries {
  const sums = new Map<string, (typeof entries)[number]>();
  for (const entry of entries) {
    const name = `${entry.key} ${entry.part.rate}`;
    const known = sums.get(name);
    if (!known) {
      sums.set(name, entry);
      continue;
    }
    const { base, adjustment, tax } = known.part;
    const part = {
      rate: entry.part.rate,
      base: base + entry.part.base,
      adjustment: adjustment + entry.part.adjustment,
      tax: tax + entry.part.tax,
    };
    sums.set(name, { ...known, part });
  }
  return [...sums.values()];
}
