import type { Account } from './account.js';
import type { Ms } from './calendar.js';

/**
 * Voids an unpaid invoice: its charges are owed again, what it drew goes back to the credits, what others took off it
 * becomes a credit, and the rest of a credit that it sold is void (docs/billing.md#voids). Returns whether it was unpaid.
 */
export function voidInvoice(account: Account, number: number, now: Ms): boolean {
  const invoice = account.invoices[number - 1];
  if (!invoice || invoice.isVoided || invoice.costDue === 0n) return false;
  const takenOff = invoice.amount - invoice.costDue;
  for (const entry of sumsOf(invoice.entries)) account.takeBack(entry);
  for (const { credit, amount } of invoice.drawn) if (!credit.isVoided) credit.left += amount;
  if (takenOff > 0n)
    account.credits.push({
      ...{ effectiveAt: now, expiresAt: null, soldBy: null, isVoided: false, left: takenOff },
    });
  for (const credit of account.credits)
    if (credit.soldBy === number) Object.assign(credit, { left: 0n, isVoided: true });
  const kept = account.nettings.filter((netting) => netting.number !== number);
  account.nettings.splice(0, account.nettings.length, ...kept);
  invoice.isVoided = true;
  invoice.costDue = 0n;
  return true;
}

/** What an invoice charged of each window at each tax rate. */
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
