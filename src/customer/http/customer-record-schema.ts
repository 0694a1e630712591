import {
  freeForm,
  integer,
  named,
  nullable,
  number,
  object,
  text,
} from '../../platform/http/openapi/schema.js';
import { PRICING_UNIT } from '../../platform/http/openapi/values.js';
import { ADDRESS, SUMMARY_FIELDS } from '../customer-schema.js';
import { PAYMENT_PROVIDERS } from './create-customer.body.js';

const FIELDS = {
  ...SUMMARY_FIELDS,
  /** The billing address, under its older name. */
  address: nullable(ADDRESS),
  billing_address: nullable(ADDRESS),
  shipping_address: nullable(ADDRESS),
  default_currency_code: nullable(text()),
  default_currency: nullable(PRICING_UNIT),
  /** Percent; null: the organization's; 0: exempt. */
  tax_rate: nullable(number({ minimum: 0, maximum: 999.9999 })),
  timezone: nullable(text()),
  payment_provider: nullable(text({ enum: PAYMENT_PROVIDERS })),
  payment_provider_id: nullable(text()),
  properties: freeForm(),
};

/** The customer record: the summary of docs/contract.md#customer and what POST /api/customers/ takes. */
export const CUSTOMER = named('Customer', object(FIELDS));

/** A customer that was deleted, with the number of subscriptions that ended with it. */
export const DELETED_CUSTOMER = named(
  'DeletedCustomer',
  object({ ...FIELDS, num_subscriptions_canceled: integer({ minimum: 0 }) }),
);
