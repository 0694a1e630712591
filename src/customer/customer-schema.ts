import { named, nullable, object, text } from '../platform/http/openapi/schema.js';

/** Wire shape of a customer (docs/contract.md#customer); every part may be unknown. */
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
