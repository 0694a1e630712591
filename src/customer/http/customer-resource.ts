import type { Uuid } from '../../kernel/ids.js';
import { currencyUnit } from '../../kernel/money.js';
import {
  flag,
  freeForm,
  integer,
  listOf,
  named,
  nullable,
  number,
  object,
  reference,
  text,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { PRICING_UNIT } from '../../platform/http/openapi/values.js';
import { presentAddress, customerSummaryOf } from '../customer-directory.js';
import { ADDRESS, INVOICE_SUMMARY, SUMMARY_FIELDS, TAX_ID } from '../customer-schema.js';
import { type CustomerDetails, PAYMENT_PROVIDERS } from '../domain/personal-data.js';

const PROFILE_FIELDS = {
  ...SUMMARY_FIELDS,
  customer_key: text({ format: 'uuid' }),
  /** Alias of the billing address. */
  address: nullable(ADDRESS),
  billing_address: nullable(ADDRESS),
  shipping_address: nullable(ADDRESS),
  default_currency_code: nullable(text()),
  default_currency: PRICING_UNIT,
  /** Percent; null for the organization's rate; 0 for exempt customers. */
  tax_rate: nullable(number({ minimum: 0, maximum: 999.9999 })),
  timezone: text(),
  invoice_locale: nullable(text()),
  tax_ids: listOf(TAX_ID),
  reverse_charge: flag(),
  payment_provider: nullable(text({ enum: PAYMENT_PROVIDERS })),
  payment_provider_id: nullable(text()),
  properties: freeForm(),
};

/** Wire shape of a customer without subscriptions and invoices (docs/contract.md#customer). */
export const CUSTOMER_PROFILE = named('CustomerProfileResource', object(PROFILE_FIELDS));

/** Wire shape of a customer (docs/contract.md#customer). */
export const CUSTOMER = named(
  'Customer',
  object({
    ...PROFILE_FIELDS,
    subscriptions: listOf(reference<object>('Subscription')),
    invoices: listOf(INVOICE_SUMMARY),
    amounts_due: listOf(
      named('AmountDue', object({ currency: PRICING_UNIT, amount: number({ minimum: 0 }) })),
    ),
    total_amount_due: number({ minimum: 0 }),
  }),
);

/** Wire shape of a deleted customer, with the number of subscriptions that ended. */
export const DELETED_CUSTOMER = named(
  'DeletedCustomer',
  object({ ...PROFILE_FIELDS, num_subscriptions_canceled: integer({ minimum: 0 }) }),
);

export type CustomerProfileResource = WireOf<typeof CUSTOMER_PROFILE>;
export type CustomerResource = WireOf<typeof CUSTOMER>;

export interface PresentableCustomer extends Pick<CustomerDetails, 'open'> {
  readonly customerKey: Uuid;
  /** Undefined after an erasure. */
  readonly personal: CustomerDetails['personal'] | undefined;
}

export function presentProfile(
  { customerKey, personal, open }: PresentableCustomer,
  defaults: { readonly currency: string; readonly timezone: string },
): CustomerProfileResource {
  const billing = presentAddress(personal?.billingAddress);
  return {
    ...customerSummaryOf(personal),
    customer_key: customerKey,
    address: billing,
    billing_address: billing,
    shipping_address: presentAddress(personal?.shippingAddress),
    default_currency_code: open.currency,
    default_currency: currencyUnit(open.currency ?? defaults.currency),
    tax_rate: open.taxRate === null ? null : Number(open.taxRate),
    timezone: open.timezone ?? defaults.timezone,
    invoice_locale: personal?.invoiceLocale ?? null,
    tax_ids: personal?.taxIds ?? [],
    reverse_charge: personal?.reverseCharge ?? false,
    payment_provider: open.paymentProvider,
    payment_provider_id: personal?.paymentProviderId ?? null,
    properties: personal?.properties ?? {},
  };
}
