import type { CustomerRow } from '../../src/customer/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const customers: ReadModelTable<CustomerRow> = {
  comment: 'Customers, one row each. Personal data is sealed; fields that amounts depend on are not.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    customer_key: { type: 'uuid not null', comment: 'The customer, as all rows and streams name it' },
    sealed: {
      type: 'text not null',
      comment: 'customer_id, name, e-mail, addresses and properties, encrypted with the key of this customer',
    },
    currency: {
      type: 'text',
      comment: 'Default currency, ISO 4217; null: the one of the organization',
    },
    tax_rate: {
      type: 'numeric',
      comment: 'Tax in percent; null: the one of the organization; 0: exempt',
    },
    timezone: { type: 'text', comment: 'IANA time zone; null: the one of the organization' },
    country: { type: 'text', comment: 'Country of the billing address, two letters' },
    payment_provider: { type: 'text', comment: 'External payment provider that charges the customer' },
    created_at: { type: 'timestamptz not null', comment: 'When the customer was registered' },
    updated_at: { type: 'timestamptz not null', comment: 'When the details last changed' },
    deleted_at: { type: 'timestamptz', comment: 'When the customer was deleted; null: not' },
    erased_at: {
      type: 'timestamptz',
      comment: 'When the personal data was destroyed; null: not',
    },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the stream that the row shows' },
  },
  key: ['org', 'customer_key'],
  indexes: ['(org, created_at desc, customer_key)'],
};
