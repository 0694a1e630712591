import { currencyUnit } from '../../kernel/money.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { addressOf, summaryOf } from '../customer-directory.js';
import type { CustomerDetails } from '../domain/personal-data.js';
import type { CUSTOMER } from './customer-record-schema.js';

export type CustomerResource = Shown<typeof CUSTOMER>;

interface Presentable extends Pick<CustomerDetails, 'open'> {
  /** Undefined once the customer was erased. */
  readonly personal: CustomerDetails['personal'] | undefined;
}

export function toResource({ personal, open }: Presentable): CustomerResource {
  const billing = addressOf(personal?.billingAddress);
  return {
    ...summaryOf(personal),
    address: billing,
    billing_address: billing,
    shipping_address: addressOf(personal?.shippingAddress),
    default_currency_code: open.currency,
    default_currency: open.currency === null ? null : currencyUnit(open.currency),
    tax_rate: open.taxRate === null ? null : Number(open.taxRate),
    timezone: open.timezone,
    payment_provider: open.paymentProvider,
    payment_provider_id: personal?.paymentProviderId ?? null,
    properties: personal?.properties ?? {},
  };
}
