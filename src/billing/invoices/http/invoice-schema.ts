import { PLAN_REF } from '../../../catalog/plan-ref-schema.js';
import { ADDRESS, ADDRESSED_CUSTOMER, INVOICE_SUMMARY_FIELDS } from '../../../customer/customer-schema.js';
import {
  either,
  flag,
  listOf,
  mapOf,
  named,
  nullable,
  number,
  object,
  oneOf,
  text,
  type Schema,
} from '../../../platform/http/openapi/schema.js';
import { dateTime } from '../../../platform/http/openapi/values.js';
import { SUBSCRIPTION_FILTER } from '../../../subscription/filter-schema.js';

/** Wire shape of a seller (docs/contract.md#invoice). */
export const SELLER = named(
  'Seller',
  object({
    name: text(),
    address: nullable(ADDRESS),
    phone: nullable(text()),
    email: nullable(text({ format: 'email' })),
  }),
);

/** Rows have it as text. */
const ADJUSTMENT_TYPE: Schema<string> = oneOf(['sales_tax', 'plan_adjustment', 'credit']);

const ADJUSTMENT = named(
  'Adjustment',
  object({
    amount: text({ pattern: '^-?\\d+(\\.\\d+)?$' }),
    account: text(),
    adjustment_type: ADJUSTMENT_TYPE,
  }),
);

export const LINE_ITEM = named(
  'InvoiceLineItem',
  object({
    name: text(),
    start_date: dateTime(),
    /** A boundary is shown as the last microsecond before it, an end that was set as that instant. */
    end_date: dateTime(),
    quantity: nullable(number()),
    billing_type: oneOf(['in_advance', 'in_arrears', 'intermediate', 'one_time']),
    metadata: mapOf(either(number(), text())),
    plan: nullable(PLAN_REF),
    subscription_filters: nullable(listOf(SUBSCRIPTION_FILTER)),
    base: number(),
    adjustments: listOf(ADJUSTMENT),
    amount: number(),
    subtotal: number(),
  }),
);

const INVOICE_FIELDS = {
  ...INVOICE_SUMMARY_FIELDS,
  line_items: listOf(LINE_ITEM),
  customer: ADDRESSED_CUSTOMER,
  seller: SELLER,
  /** Works without a key for a day; null on a draft, which has no document. */
  invoice_pdf: nullable(text({ format: 'uri' })),
};

/** Wire shape of an invoice (docs/contract.md#invoice). */
export const INVOICE = named('Invoice', object(INVOICE_FIELDS));

/** An invoice with its PDF link under a second name too (docs/contract.md#invoice). */
export const LINKED_INVOICE = named(
  'LinkedInvoice',
  object({ ...INVOICE_FIELDS, url: INVOICE_FIELDS.invoice_pdf }),
);

/** Answer of `verify`. */
export const VERIFICATION = named(
  'Verification',
  object({
    ok: flag(),
    fingerprint: nullable(text()),
    result_hash: nullable(text()),
    differences: listOf(text()),
  }),
);
