import { named, noted, nullable, object, oneOf, text } from '../platform/http/openapi/schema.js';
import {
  amount,
  day,
  dateTime,
  PRICING_UNIT,
  signedAmount,
  wireId,
} from '../platform/http/openapi/values.js';
import { TAX_ID_TYPES } from './domain/personal-data.js';

/** Wire shape of an address (docs/contract.md#customer); every part may be null. */
export const ADDRESS = named(
  'Address',
  object({
    city: nullable(text()),
    country: nullable(text({ pattern: '^[A-Z]{2}$' })),
    line1: nullable(text()),
    line2: nullable(text()),
    postal_code: nullable(text()),
    state: nullable(text()),
  }),
);

/** Wire shape of a tax or company number. */
export const TAX_ID = object({
  type: noted(oneOf(TAX_ID_TYPES), {
    description:
      '`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.',
  }),
  value: text({ description: 'The number as it is printed.' }),
});

/** Fields of every customer in an answer. */
export const SUMMARY_FIELDS = {
  customer_id: nullable(text()),
  customer_name: nullable(text()),
  email: nullable(text({ format: 'email' })),
};

/** Wire shape of a customer (docs/contract.md#customer): all null once the customer was erased. */
export const CUSTOMER_SUMMARY = named('CustomerSummary', object(SUMMARY_FIELDS));

/** Customer of an invoice. */
export const ADDRESSED_CUSTOMER = named(
  'AddressedCustomer',
  object({ ...SUMMARY_FIELDS, address: nullable(ADDRESS) }),
);

/** Fields of every invoice in an answer (docs/contract.md#invoice). */
export const INVOICE_SUMMARY_FIELDS = {
  invoice_id: wireId('invoice'),
  /** Null on a draft, which has no number. */
  invoice_number: nullable(text({ pattern: '^\\d{6}-\\d{6,}$' })),
  cost_due: amount(),
  amount: signedAmount(),
  currency: PRICING_UNIT,
  issue_date: dateTime(),
  due_date: nullable(dateTime()),
  start_date: day(),
  end_date: day(),
  payment_status: oneOf(['draft', 'voided', 'paid', 'unpaid']),
  external_payment_obj_id: nullable(text()),
  external_payment_obj_type: nullable(oneOf(['provider_a', 'provider_b'])),
  external_payment_obj_status: nullable(text()),
};

/** Invoice of a customer in the answer about the customer: without lines, seller and PDF. */
export const INVOICE_SUMMARY = named('InvoiceSummary', object(INVOICE_SUMMARY_FIELDS));
