import type { Uuid } from '../../../kernel/ids.js';
import type { InvoiceSnapshot, ComputedInvoice, ExternalPayment } from './event-data.js';

/** An invoice in the state of its account. */
export interface AccountInvoice extends Omit<InvoiceSnapshot, 'costDue' | 'chargeKeys'> {
  /** Minor units. */
  readonly costDue: bigint;
  readonly chargeKeys: ReadonlySet<string>;
}

type Invoices = ReadonlyMap<Uuid, AccountInvoice>;

const NO_PAYMENT: ExternalPayment = { id: null, type: null, status: null };

/** Adds a computed invoice and reduces those it comes off. An invoice of 0 is paid. */
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
  const keys = [...chargeKeys];
  return [...invoices.values()]
    .filter((invoice) => keys.some((key) => invoice.chargeKeys.has(key)))
    .reverse();
};
