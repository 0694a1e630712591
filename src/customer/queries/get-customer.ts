import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
import type { CustomerRow } from '../read-models.js';
import { viewsOf, type CustomerView } from './customer-view.js';

export class GetCustomer extends Query<CustomerView> {
  constructor(
    readonly org: Uuid,
    readonly customerId: string,
  ) {
    super();
  }
}

@QueryHandler(GetCustomer)
export class GetCustomerHandler implements IQueryHandler<GetCustomer> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, customerId }: GetCustomer): Promise<CustomerView> {
    const rows = await this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('customer_key', '=', customerKeyOf(org, customerId))
      .where('deleted_at', 'is', null)
      .execute();
    const [view] = await viewsOf(this.vault, org, rows);
    if (!view?.personal) throw new DomainError('not_found', 'There is no customer with this id.');
    return view;
  }
}
