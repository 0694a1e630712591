import type { Uuid } from '../../../kernel/ids.js';
import { type BilledCharge, ChargeKey } from './account-charges.js';
import type { ComputedInvoice, ExternalPayment, InvoiceLine, InvoiceSnapshot } from './event-data.js';

/** An invoice in the state of its account. */
export interface AccountInvoice extends Omit<InvoiceSnapshot, 'costDue' | 'chargeKeys'> {
  /** Minor units. */
  readonly costDue: bigint;
  readonly chargeKeys: ReadonlySet<string>;
}

type Invoices = ReadonlyMap<Uuid, AccountInvoice>;

const NO_PAYMENT: ExternalPayment = { id: null, type: null, status: null };

/** Adds a computed invoice and reduces the invoices that it names. An invoice of 0 is paid. */
export function withComputedInvoice(invoices: Invoices, invoice: ComputedInvoice): Invoices {
  const { invoiceId, resultHash, issuedAt, lines } = invoice;
  const chargeKeys = new Set(
    lines.flatMap(({ chargeKey, subscriptionId }) => (subscriptionId === null ? [] : [chargeKey])),
  );
  const computed = { invoiceId, resultHash, issuedAt, number: null, chargeKeys, payment: NO_PAYMENT };
  const after = new Map(invoices).set(invoiceId, withCostDue(computed, BigInt(invoice.costDue.amount)));
  for (const { invoiceId: reduced, amount } of invoice.reductions) {
    const before = after.get(reduced)!;
    after.set(reduced, withCostDue(before, before.costDue - BigInt(amount.amount)));
  }
  return after;
}

/** Changes an invoice; one that a snapshot dropped stays out. */
export const withChangedInvoice = (
  invoices: Invoices,
  invoiceId: Uuid,
  change: (invoice: AccountInvoice) => AccountInvoice,
): Invoices => {
  const invoice = invoices.get(invoiceId);
  return invoice ? new Map(invoices).set(invoiceId, change(invoice)) : invoices;
};

export const withCostDue = (
  {
    invoiceId,
    resultHash,
    issuedAt,
    number,
    chargeKeys,
    payment,
  }: Omit<AccountInvoice, 'status' | 'costDue'>,
  costDue: bigint,
): AccountInvoice => ({
  invoiceId,
  resultHash,
  issuedAt,
  number,
  status: costDue === 0n ? 'paid' : 'unpaid',
  costDue,
  chargeKeys: costDue === 0n ? new Set() : chargeKeys,
  payment,
});

/** Lists the unpaid invoices that charged one of these keys, the newest first (docs/billing.md#negative-totals). */
export const unpaidInvoicesCharging = (
  invoices: Invoices,
  chargeKeys: Iterable<string>,
): readonly AccountInvoice[] => {
  const keys = new Set(chargeKeys);
  return [...invoices.values()]
    .filter((invoice) => [...invoice.chargeKeys].some((key) => keys.has(key)))
    .reverse();
};

/**
 * Records that reversed charges paid for other charges: on their invoice, or on the unpaid invoices that its negative
 * total reduced. When a charge paid for in this way is reversed later, the netting leads to the unpaid invoices that
 * billed the reversed ones (docs/billing.md#negative-totals).
 */
export interface Netting {
  /** The invoice that netted them. */
  readonly invoiceId: Uuid;
  /** Charge keys that were paid for. */
  readonly paid: readonly string[];
  /** Charge keys of the reversed charges. */
  readonly reversed: readonly string[];
}

interface Books {
  readonly billed: ReadonlyMap<string, BilledCharge>;
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  readonly nettings: readonly Netting[];
}

/** Adds the netting of an invoice. Call it before the invoice is added: an invoice reduced to 0 loses its keys. */
export function withNetting(
  { nettings, invoices, billed }: Books,
  { invoiceId, lines, reductions }: ComputedInvoice,
): readonly Netting[] {
  const charged = lines.filter(({ subscriptionId }) => subscriptionId !== null);
  if (charged.every(({ amount }) => !amount.amount.startsWith('-'))) return nettings;
  const byKey = amountsOf(charged);
  const reversed = withAdjustedPeriods(reversedKeys(charged), charged, billed);
  if (reversed.size === 0) return nettings;
  const paid = new Set([...byKey].flatMap(([key, amount]) => (amount > 0n ? [key] : [])));
  for (const reduced of reductions) {
    for (const key of invoices.get(reduced.invoiceId)!.chargeKeys) if (!reversed.has(key)) paid.add(key);
  }
  return paid.size === 0 ? nettings : [...nettings, { invoiceId, paid: [...paid], reversed: [...reversed] }];
}

/** Lists the charges whose lines sum to less than zero. */
export const reversedKeys = (charged: readonly InvoiceLine[]): string[] =>
  [...amountsOf(charged)].flatMap(([key, amount]) => (amount < 0n ? [key] : []));

/**
 * Adds all charges of a billing period whose price adjustment is reversed: an adjustment is given once for all of them,
 * and the charges whose lines bear it need not be those that were billed.
 */
export function withAdjustedPeriods(
  chargeKeys: readonly string[],
  charged: readonly InvoiceLine[],
  billed: Books['billed'],
): Set<string> {
  const found = new Set(chargeKeys);
  const periodOf = (chargeKey: string): string => ChargeKey.parse(chargeKey).periodPrefix;
  const adjusted = charged.filter(
    ({ chargeKey, base, subtotal }) =>
      found.has(chargeKey) && BigInt(subtotal.amount) < 0n && BigInt(subtotal.amount) < BigInt(base.amount),
  );
  if (adjusted.length === 0) return found;
  const periods = new Set(adjusted.map(({ chargeKey }) => periodOf(chargeKey)));
  for (const key of billed.keys()) if (periods.has(periodOf(key))) found.add(key);
  return found;
}

function amountsOf(charged: readonly InvoiceLine[]): Map<string, bigint> {
  const byKey = new Map<string, bigint>();
  for (const { chargeKey, amount } of charged) {
    byKey.set(chargeKey, (byKey.get(chargeKey) ?? 0n) + BigInt(amount.amount));
  }
  return byKey;
}

/** Follows nettings from charges to the reversals that paid for them, transitively. */
export const withFundingKeys = (chargeKeys: Iterable<string>, nettings: readonly Netting[]): Set<string> =>
  withLinkedKeys(chargeKeys, nettings, 'paid', 'reversed');

/** Follows nettings from one of their sides to the other, transitively. */
function withLinkedKeys(
  chargeKeys: Iterable<string>,
  nettings: readonly Netting[],
  from: 'paid' | 'reversed',
  to: 'paid' | 'reversed',
): Set<string> {
  const byKey = new Map<string, Netting[]>();
  for (const netting of nettings) {
    for (const key of netting[from]) {
      const known = byKey.get(key);
      if (known) known.push(netting);
      else byKey.set(key, [netting]);
    }
  }
  const found = new Set(chargeKeys);
  const followed = new Set<Netting>();
  // The loop also visits the keys that it adds.
  for (const key of found) {
    for (const netting of byKey.get(key) ?? []) {
      if (followed.has(netting)) continue;
      followed.add(netting);
      for (const linked of netting[to]) found.add(linked);
    }
  }
  return found;
}

/** Keeps the nettings that can still lead from a charge that may be reversed to one that is unpaid. */
export function openNettings({ billed, invoices, nettings }: Books): readonly Netting[] {
  if (nettings.length === 0) return nettings;
  const unpaid = [...invoices.values()].flatMap(({ status, chargeKeys }) =>
    status === 'unpaid' ? [...chargeKeys] : [],
  );
  // A voided charge waits to be charged again, so it counts as unpaid.
  for (const [key, { voidedQuantity }] of billed) if (voidedQuantity !== null) unpaid.push(key);
  const reachable = withFundingKeys(billed.keys(), nettings);
  const leadingToUnpaid = withLinkedKeys(unpaid, nettings, 'reversed', 'paid');
  const kept = nettings.filter(
    ({ paid, reversed }) =>
      paid.some((key) => reachable.has(key)) && reversed.some((key) => leadingToUnpaid.has(key)),
  );
  return kept.length === nettings.length ? nettings : kept;
}
