import type { Uuid } from '../../../kernel/ids.js';
import type { BilledCharge } from './account-charges.js';
import type { AccountInvoice } from '../../invoices/domain/account-invoices.js';
import type { ComputedInvoice, InvoiceLine } from './event-data.js';

/**
 * Charges that reversed charges have paid: other charges on the same invoice, and what was still due of invoices that
 * its negative total came off. Should one of those be given back later, what was never paid of the former is found by this.
 */
export interface Netting {
  /** The invoice that set them off against each other. */
  readonly invoiceId: Uuid;
  /** chargeKeys. */
  readonly paid: readonly string[];
  /** chargeKeys. */
  readonly givenBack: readonly string[];
}

interface Books {
  readonly billed: ReadonlyMap<string, BilledCharge>;
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  readonly setOffs: readonly Netting[];
}

/** @param before the account without this invoice, as what its reductions bring to 0 forgets what it charged */
export function withNetting(
  { setOffs, invoices, billed }: Books,
  { invoiceId, lines, reductions }: ComputedInvoice,
): readonly Netting[] {
  const charged = lines.filter(({ subscriptionId }) => subscriptionId !== null);
  if (charged.every(({ amount }) => !amount.amount.startsWith('-'))) return setOffs;
  const byKey = amountsOf(charged);
  const givenBack = withAdjustedPeriods(reversedKeys(charged), charged, billed);
  if (givenBack.size === 0) return setOffs;
  const paid = new Set([...byKey].flatMap(([key, amount]) => (amount > 0n ? [key] : [])));
  for (const reduced of reductions) {
    for (const key of invoices.get(reduced.invoiceId)!.chargeKeys) if (!givenBack.has(key)) paid.add(key);
  }
  return paid.size === 0 ? setOffs : [...setOffs, { invoiceId, paid: [...paid], givenBack: [...givenBack] }];
}

/** The charges of which less is left than was billed. */
export const reversedKeys = (charged: readonly InvoiceLine[]): string[] =>
  [...amountsOf(charged)].flatMap(([key, amount]) => (amount < 0n ? [key] : []));

/**
 * With every charge of a billing period of which a price adjustment gives something back: it is given once for all of
 * them, and the charges whose lines bear it need not be those that were billed.
 */
export function withAdjustedPeriods(
  chargeKeys: readonly string[],
  charged: readonly InvoiceLine[],
  billed: Books['billed'],
): Set<string> {
  const adjusted = charged.filter(
    ({ chargeKey, base, subtotal }) =>
      chargeKeys.includes(chargeKey) &&
      BigInt(subtotal.amount) < 0n &&
      BigInt(subtotal.amount) < BigInt(base.amount),
  );
  const periods = adjusted.map(({ chargeKey }) => `${chargeKey.split('/', 2).join('/')}/`);
  const others = periods.length === 0 ? [] : [...billed.keys()];
  return new Set([
    ...chargeKeys,
    ...others.filter((key) => periods.some((period) => key.startsWith(period))),
  ]);
}

function amountsOf(charged: readonly InvoiceLine[]): Map<string, bigint> {
  const byKey = new Map<string, bigint>();
  for (const { chargeKey, amount } of charged) {
    byKey.set(chargeKey, (byKey.get(chargeKey) ?? 0n) + BigInt(amount.amount));
  }
  return byKey;
}

/** These charges, those that were given back for them, and so on. */
export function withFundingKeys(chargeKeys: Iterable<string>, setOffs: readonly Netting[]): Set<string> {
  const found = new Set(chargeKeys);
  let open = setOffs;
  for (;;) {
    const met = open.filter(({ paid }) => paid.some((key) => found.has(key)));
    if (met.length === 0) return found;
    for (const { givenBack } of met) for (const key of givenBack) found.add(key);
    open = open.filter((setOff) => !met.includes(setOff));
  }
}

/** Keeps nettings that may still lead from a reversible charge to an unpaid one. */
export function openNettings({ billed, invoices, setOffs }: Books): readonly Netting[] {
  if (setOffs.length === 0) return setOffs;
  const unpaid = [...invoices.values()].filter(({ status }) => status === 'unpaid');
  // A voided charge waits to be charged again, and is as unpaid as before.
  const isUnpaid = (key: string) =>
    unpaid.some(({ chargeKeys }) => chargeKeys.has(key)) || (billed.get(key)?.voided ?? null) !== null;
  const met = withFundingKeys(billed.keys(), setOffs);
  const kept = setOffs.filter(
    ({ paid, givenBack }) =>
      paid.some((key) => met.has(key)) && [...withFundingKeys(givenBack, setOffs)].some(isUnpaid),
  );
  return kept.length === setOffs.length ? setOffs : kept;
}
