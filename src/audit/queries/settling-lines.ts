import { ChargeKey } from '../../billing/accounts/domain/account-charges.js';
import type { ComputedInvoice, InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import type { Uuid } from '../../kernel/ids.js';
import type { AccountBefore } from './account-before.js';

/** Amount in minor units; negative when it reduces the remaining amount of the credit. */
export interface CreditChange {
  readonly creditId: Uuid;
  readonly amount: bigint;
}

/** Returns the credits that a line draws, grants or sells. */
export function creditsOf(
  { explanation, chargeKey, amount }: InvoiceLine,
  invoice: ComputedInvoice,
): CreditChange[] {
  switch (explanation.rule) {
    case 'credit_drawdown':
      return invoice.drawdowns.map(({ creditId, amount: drawn }) => ({
        creditId,
        amount: -BigInt(drawn.amount),
      }));
    case 'credit_grant':
    case 'credit_purchase':
      return [{ creditId: ChargeKey.parse(chargeKey).creditOrInvoiceId, amount: BigInt(amount.amount) }];
    default:
      return [];
  }
}

/** Returns the invoice whose cost due a line reduces; null for any other line. */
export function reducedBy({ explanation, chargeKey }: InvoiceLine, { invoices }: AccountBefore) {
  if (explanation.rule !== 'invoice_reduction') return null;
  const invoiceId = ChargeKey.parse(chargeKey).creditOrInvoiceId;
  return { invoiceId, number: invoices.get(invoiceId)?.number ?? null };
}
