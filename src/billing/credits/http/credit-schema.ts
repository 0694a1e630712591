import { CUSTOMER_SUMMARY } from '../../../customer/customer-schema.js';
import {
  listOf,
  named,
  nullable,
  number,
  object,
  oneOf,
  text,
} from '../../../platform/http/openapi/schema.js';
import {
  amount,
  dateTime,
  PRICING_UNIT,
  signedAmount,
  wireId,
} from '../../../platform/http/openapi/values.js';

const DRAWDOWN = named(
  'Drawdown',
  object({
    credit_id: wireId('credit'),
    /** Negative. */
    amount: signedAmount(),
    applied_at: dateTime(),
    description: text(),
  }),
);

/** Wire shape of a credit (docs/contract.md#credit). */
export const CREDIT = named(
  'Credit',
  object({
    credit_id: wireId('credit'),
    customer: CUSTOMER_SUMMARY,
    amount: amount(),
    amount_remaining: amount(),
    currency: PRICING_UNIT,
    description: nullable(text()),
    effective_at: dateTime(),
    expires_at: nullable(dateTime()),
    status: oneOf(['active', 'inactive']),
    amount_paid: number({ minimum: 0 }),
    amount_paid_currency: nullable(PRICING_UNIT),
    drawdowns: listOf(DRAWDOWN),
  }),
);
