import type { AccountCredit } from '../../src/billing/domain/account-credits.js';
import type { CreditGrant } from '../../src/billing/domain/event-data.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { fromStored, money, toDecimal } from '../../src/kernel/money.js';
import type { CreditDrawdownRow, CreditRow } from './schema.js';

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

/** A credit as its account has it, with what was drawn, in the rows of the read model. */
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
