import type { Uuid } from '../../../kernel/ids.js';
import type { InvoiceSnapshot, ComputedInvoice, ExternalPayment } from '../../accounts/domain/event-data.js';

/** An invoice as its account knows it. */
export interface AccountInvoice extends Omit<InvoiceSnapshot, 'costDue' | 'chargeKeys'> {
  /** Minor units. */
  readonly costDue: bigint;
  readonly chargeKeys: ReadonlySet<string>;
}

type Invoices = ReadonlyMap<Uuid, AccountInvoice>;

const NO_PAYMENT: ExternalPayment = { id: null, type: null, status: null };

/** A new invoice; what it takes off others is off them. One of 0 is paid. */
export function withComputed(invoices: Invoices, invoice: ComputedInvoice): Invoices {
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

/** One that is not carried any more stays out. */
export const withChanges = (
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

export const asVoided = (invoice: AccountInvoice): AccountInvoice => ({
  ...invoice,
  costDue: 0n,
  status: 'voided',
  chargeKeys: new Set(),
});

/** The unpaid invoices that charged one of these, the newest first (docs/billing.md#negative-totals). */
export const unpaidInvoicesCharging = (
  invoices: Invoices,
  chargeKeys: Iterable<string>,
): readonly AccountInvoice[] => {
  const keys = [...chargeKeys];
  return [...invoices.values()]
    .filter((invoice) => keys.some((key) => invoice.chargeKeys.has(key)))
    .reverse();
};
