import { fromStored, toStored } from '../../kernel/money.js';
import { localDateText } from '../../kernel/zone.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import type {
  ComputedInvoice,
  CreditGrant,
  CreditPurchase,
  InvoiceLine,
} from '../accounts/domain/event-data.js';
import { requireWithinAmountLimits } from './invoice-lines.js';
import { invoiceRecord } from './compute-invoice.js';
import type { RunData } from './run.js';

/**
 * Makes the invoice that sells a credit: its price, without adjustment, tax or credit (docs/billing.md#credits). @throws DomainError `amount_out_of_range`
 */
export function purchaseInvoice(
  { creditId }: Pick<CreditGrant, 'creditId'>,
  { amountPaid, zone }: CreditPurchase,
  data: RunData,
): ComputedInvoice {
  const total = fromStored(amountPaid);
  requireWithinAmountLimits(total, data.currency);
  const today = localDateText(data.asOf, zone);
  // The keys stand in canonical order, which is how they are hashed.
  const line: InvoiceLine = {
    adjustments: [],
    amount: toStored(total),
    base: toStored(total),
    billingType: 'one_time',
    chargeKey: ChargeKey.ofCredit(creditId).text,
    explanation: { rule: 'credit_purchase' },
    filters: null,
    localDates: { first: today, last: today },
    name: 'Credit purchase',
    period: { end: data.asOf, start: data.asOf },
    plan: null,
    quantity: null,
    scheduledEnd: false,
    subscriptionId: null,
    subtotal: toStored(total),
  };
  const result = { lines: [line], drawdowns: [], grants: [], reductions: [], total };
  return invoiceRecord(result, { terms: [], closeIds: [] }, [], data);
}
