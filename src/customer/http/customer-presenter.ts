import { currencyUnit } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
import {
  ReadCustomerDefaults,
  PresentInvoicesOfCustomers,
  PresentSubscriptionsOfCustomers,
} from '../customer-record-ports.js';
import { GetCustomerResource, customerViewsOf } from '../queries/customers.js';
import type { CustomerRow } from '../read-models.js';
import {
  presentProfile,
  type CustomerProfileResource,
  type CustomerResource,
  type PresentableCustomer,
} from './customer-resource.js';

/** Presents customers with their subscriptions and invoices, with a fixed number of statements. */
@Injectable()
export class CustomerPresenter {
  constructor(private readonly queries: QueryBus) {}

  async present(org: Uuid, customers: readonly PresentableCustomer[]): Promise<CustomerResource[]> {
    if (customers.length === 0) return [];
    const keys = customers.map(({ customerKey }) => customerKey);
    const [profiles, subscriptions, invoices] = await Promise.all([
      this.profiles(org, customers),
      this.queries.execute(new PresentSubscriptionsOfCustomers(org, keys)),
      this.queries.execute(new PresentInvoicesOfCustomers(org, keys)),
    ]);
    return profiles.map((profile) => {
      const account = invoices.get(profile.customer_key)!;
      return {
        ...profile,
        subscriptions: subscriptions.get(profile.customer_key) ?? [],
        invoices: account.invoices,
        amounts_due: [...account.amountDue].map(([code, amount]) => ({
          currency: currencyUnit(code),
          amount,
        })),
        total_amount_due: account.amountDue.get(profile.default_currency.code) ?? 0,
      };
    });
  }

  /** Presents a customer that was just created, so it has no subscriptions and invoices to read. */
  async presentNew(org: Uuid, customer: PresentableCustomer): Promise<CustomerResource> {
    const [profile] = await this.profiles(org, [customer]);
    return { ...profile!, subscriptions: [], invoices: [], amounts_due: [], total_amount_due: 0 };
  }

  async presentOne(org: Uuid, customer: PresentableCustomer): Promise<CustomerResource> {
    return (await this.present(org, [customer]))[0]!;
  }

  async profiles(org: Uuid, customers: readonly PresentableCustomer[]): Promise<CustomerProfileResource[]> {
    const defaults = await this.queries.execute(new ReadCustomerDefaults(org));
    return customers.map((customer) => presentProfile(customer, defaults!));
  }
}

/** Presents a customer for modules that must not depend on its wire shape. */
@QueryHandler(GetCustomerResource)
export class GetCustomerResourceHandler implements IQueryHandler<GetCustomerResource> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly presenter: CustomerPresenter,
  ) {}

  async execute({ org, customerKey }: GetCustomerResource): Promise<object> {
    const rows = await this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('customer_key', '=', customerKey)
      .execute();
    const [view] = await customerViewsOf(this.vault, org, rows);
    if (!view) throw new DomainError('not_found', unknownId('customer'));
    return this.presenter.presentOne(org, view);
  }
}
