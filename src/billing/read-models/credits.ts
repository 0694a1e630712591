import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { fromStored, money, toDecimal } from '../../kernel/money.js';
import type { AccountCredit } from '../accounts/domain/account-credits.js';
import type { CreditGrant } from '../accounts/domain/event-data.js';

/** Amounts are decimal text in major units, as `numeric` columns come back. */
export interface CreditRow {
  org: string;
  credit_id: string;
  customer_key: string;
  currency: string;
  amount: string;
  amount_remaining: string;
  description: string | null;
  sealed_description: string | null;
  granted_at: Instant;
  effective_at: Instant;
  expires_at: Instant | null;
  amount_paid: string;
  voided_at: Instant | null;
  purchase_invoice_id: string | null;
}

export interface CreditDrawdownRow {
  org: string;
  credit_id: string;
  invoice_id: string;
  amount: string;
  applied_at: Instant;
}

/** A credit as it was granted. */
export const creditRow = (org: Uuid, credit: CreditGrant): CreditRow => ({
  org,
  credit_id: credit.creditId,
  customer_key: credit.customerKey,
  currency: credit.currency,
  amount: toDecimal(fromStored(credit.amount)),
  amount_remaining: toDecimal(fromStored(credit.amount)),
  description: credit.description,
  sealed_description: credit.sealedDescription ?? null,
  granted_at: credit.grantedAt,
  effective_at: credit.effectiveAt,
  expires_at: credit.expiresAt,
  amount_paid: credit.purchase ? toDecimal(fromStored(credit.purchase.amountPaid)) : '0',
  voided_at: null,
  purchase_invoice_id: credit.purchase?.invoiceId ?? null,
});

/** Converts a credit of an account and its drawdowns to rows of the read model. */
export function rowsOfCredit(org: Uuid, credit: AccountCredit) {
  const remaining = toDecimal(money(credit.remaining, credit.currency));
  return {
    credit: { ...creditRow(org, credit), amount_remaining: remaining },
    drawdowns: credit.drawdowns.map(({ invoiceId, amount, appliedAt }): CreditDrawdownRow => ({
      org,
      credit_id: credit.creditId,
      invoice_id: invoiceId,
      amount: toDecimal(fromStored(amount)),
      applied_at: appliedAt,
    })),
  };
}
