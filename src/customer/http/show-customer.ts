import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
import { viewsOf } from '../queries/customer-view.js';
import { ShowCustomer } from '../queries/show-customer.js';
import type { CustomerRow } from '../read-models.js';
import { toResource } from './customer-resource.js';

/** For modules that may not know how a customer is shown. */
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
    if (!view) throw new DomainError('not_found', 'There is no such customer.');
    return toResource(view);
  }
}
