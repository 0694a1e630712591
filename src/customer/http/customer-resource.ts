import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { currencyUnit } from '../../kernel/money.js';
import { Database } from '../../platform/database/open-database.js';
import {
  freeForm,
  integer,
  named,
  nullable,
  number,
  object,
  text,
  type Shown,
} from '../../platform/http/openapi/schema.js';
import { PRICING_UNIT } from '../../platform/http/openapi/values.js';
import { Vault } from '../../platform/privacy/vault.js';
import { addressOf, summaryOf } from '../customer-directory.js';
import { ADDRESS, SUMMARY_FIELDS } from '../customer-schema.js';
import type { CustomerDetails } from '../domain/personal-data.js';
import { ShowCustomer, viewsOf } from '../queries/customers.js';
import type { CustomerRow } from '../read-models.js';
import { PAYMENT_PROVIDERS } from './customer.body.js';

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

/** Presents a customer for modules that must not depend on its wire shape. */
@QueryHandler(ShowCustomer)
export class ShowCustomerHandler implements IQueryHandler<ShowCustomer> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ org, customerKey }: ShowCustomer): Promise<object> {
    const rows = await this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('customer_key', '=', customerKey)
      .execute();
    const [view] = await viewsOf(this.vault, org, rows);
    if (!view) throw new DomainError('not_found', 'There is no customer with this id.');
    return toResource(view);
  }
}
