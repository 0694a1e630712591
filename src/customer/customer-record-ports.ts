import { Query } from '@nestjs/cqrs';
import type { Uuid } from '../kernel/ids.js';
import type { WireOf } from '../platform/http/openapi/schema.js';
import type { INVOICE_SUMMARY } from './customer-schema.js';

/** Limit of subscriptions and of invoices in the answer about a customer (docs/contract.md#customer). */
export const MAX_EMBEDDED = 20;

/** Settings that customers without their own inherit. */
interface CustomerDefaults {
  readonly currency: string;
  readonly timezone: string;
}

/** Port that organization implements: reads the defaults of customers; undefined as of a moment before the organization. */
export class ReadCustomerDefaults extends Query<CustomerDefaults | undefined> {
  constructor(readonly org: Uuid) {
    super();
  }
}

/** Port that subscription implements: presents the running subscriptions of customers, the latest start first. */
export class PresentSubscriptionsOfCustomers extends Query<ReadonlyMap<Uuid, readonly object[]>> {
  constructor(
    readonly org: Uuid,
    readonly customerKeys: readonly Uuid[],
  ) {
    super();
  }
}

/** Invoices of a customer, with the amount due by currency. */
export interface InvoicesOfCustomer {
  /** The newest first. */
  readonly invoices: readonly WireOf<typeof INVOICE_SUMMARY>[];
  readonly amountDue: ReadonlyMap<string, number>;
}

/** Port that billing implements: presents the newest issued invoices of customers and sums the unpaid amounts. */
export class PresentInvoicesOfCustomers extends Query<ReadonlyMap<Uuid, InvoicesOfCustomer>> {
  constructor(
    readonly org: Uuid,
    readonly customerKeys: readonly Uuid[],
  ) {
    super();
  }
}
