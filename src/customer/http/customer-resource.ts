import { currencyUnit, type CurrencyUnit } from '../../kernel/money.js';
import { addressOf, summaryOf, type Address, type CustomerSummary } from '../customer-directory.js';
import type { CustomerDetails } from '../domain/personal-data.js';

/** The customer record: the summary of api.md 2.2 and what POST /api/customers/ takes. */
export interface CustomerResource extends CustomerSummary {
  /** The billing address, under its older name. */
  readonly address: Address | null;
  readonly billing_address: Address | null;
  readonly shipping_address: Address | null;
  readonly default_currency_code: string | null;
  readonly default_currency: CurrencyUnit | null;
  /** Percent; null: the organization's; 0: exempt. */
  readonly tax_rate: number | null;
  readonly timezone: string | null;
  readonly payment_provider: string | null;
  readonly payment_provider_id: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Shown extends Pick<CustomerDetails, 'open'> {
  /** Undefined once the customer was erased. */
  readonly personal: CustomerDetails['personal'] | undefined;
}

export function toResource({ personal, open }: Shown): CustomerResource {
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
