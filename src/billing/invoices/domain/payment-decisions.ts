import { SnapshotTooShallow } from '../../../kernel/decider.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import { toStored, money } from '../../../kernel/money.js';
import type { AccountState } from '../../accounts/domain/account-state.js';
import type { AccountEvent } from '../../accounts/domain/events.js';
import type { ExternalPayment } from '../../accounts/domain/event-data.js';

/** Changes of a payment; an omitted field stays as it is. */
export interface PaymentChanges {
  readonly status?: 'unpaid' | 'paid';
  readonly payment?: Partial<ExternalPayment>;
}

/** Marks an invoice as paid. A paid invoice stays paid (docs/contract.md#payments-and-voids). */
export function changePayment(
  invoiceId: Uuid,
  currency: string,
  { status, payment: link = {} }: PaymentChanges,
  state: AccountState,
  now: Instant,
): readonly AccountEvent[] {
  const invoice = state.invoices.get(invoiceId);
  if (!invoice && state.isFromSnapshot) throw new SnapshotTooShallow();
  if (!invoice || invoice.number === null) {
    throw new DomainError(
      'invalid_state',
      'Only an issued invoice can be paid. Wait until it has its number.',
    );
  }
  if (invoice.status === 'voided') {
    throw new DomainError(
      'invalid_state',
      'A voided invoice cannot be changed. Pay the invoice that replaces it.',
    );
  }
  if (status === 'unpaid' && invoice.status === 'paid') {
    throw new DomainError('invalid_state', 'A paid invoice cannot become unpaid. Grant a credit instead.');
  }
  const events: AccountEvent[] = [];
  const payment = { ...invoice.payment, ...link };
  const { id, type, status: at } = invoice.payment;
  if (payment.id !== id || payment.type !== type || payment.status !== at) {
    events.push({ type: 'PaymentLinked', data: { invoiceId, payment } });
  }
  if (status === 'paid' && invoice.status === 'unpaid') {
    const amount = toStored(money(invoice.costDue, currency));
    events.push({ type: 'InvoicePaid', data: { invoiceId, amount, paidAt: now } });
  }
  return events;
}

/** Appends nothing for a paid invoice, and nothing before the due date. */
export function notePastDue(
  { invoiceId, dueAt, now }: { readonly invoiceId: Uuid; readonly dueAt: Instant; readonly now: Instant },
  state: AccountState,
): readonly AccountEvent[] {
  const invoice = state.invoices.get(invoiceId);
  if (!invoice && state.isFromSnapshot) throw new SnapshotTooShallow();
  if (invoice?.status !== 'unpaid' || invoice.number === null || now < dueAt) return [];
  return [{ type: 'InvoicePastDue', data: { invoiceId, dueAt } }];
}
