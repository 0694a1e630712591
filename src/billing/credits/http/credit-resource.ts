import type { CustomerSummary } from '../../../customer/customer-directory.js';
import { toWireId } from '../../../kernel/ids.js';
import { formatInstant, type Instant } from '../../../kernel/instant.js';
import { currencyUnit } from '../../../kernel/money.js';
import type { WireOf } from '../../../platform/http/openapi/schema.js';
import { GRANTED_CREDIT } from '../../accounts/domain/account-credits.js';
import type { CreditView } from '../get-credit.js';
import type { CREDIT } from './credit-schema.js';

export type CreditResource = WireOf<typeof CREDIT>;

/**
 * Presents a credit. It expires without an event: from then on nothing is left of it.
 * @param description opened, if it is sealed
 */
export function toCreditResource(
  { credit, drawdowns }: CreditView,
  customer: CustomerSummary,
  description: string | undefined,
  now: Instant,
): CreditResource {
  const expired = credit.expires_at !== null && credit.expires_at <= now;
  const remaining = expired ? 0 : Number(credit.amount_remaining);
  return {
    credit_id: toWireId('credit', credit.credit_id),
    customer,
    amount: Number(credit.amount),
    amount_remaining: remaining,
    currency: currencyUnit(credit.currency),
    description: description ?? unsealedDescription(credit, customer),
    effective_at: formatInstant(credit.effective_at),
    expires_at: credit.expires_at && formatInstant(credit.expires_at),
    status: remaining > 0 ? 'active' : 'inactive',
    amount_paid: Number(credit.amount_paid),
    amount_paid_currency: Number(credit.amount_paid) > 0 ? currencyUnit(credit.currency) : null,
    drawdowns: drawdowns.map(({ credit_id, invoice_id, amount, applied_at }) => ({
      credit_id: toWireId('credit', credit_id),
      amount: -Number(amount),
      applied_at: formatInstant(applied_at),
      description: `Applied to ${toWireId('invoice', invoice_id)}`,
    })),
  };
}

/** Hides an unsealed description of an erased customer; the engine's own text names nobody. */
function unsealedDescription(
  { description }: CreditView['credit'],
  customer: CustomerSummary,
): string | null {
  return customer.customer_id === null && description !== GRANTED_CREDIT ? null : description;
}
