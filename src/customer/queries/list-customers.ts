import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import type { Uuid } from '../../kernel/ids.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
import type { CustomerRow } from '../read-models.js';
import { viewsOf, type CustomerView } from './customer-view.js';

export class ListCustomers extends Query<Slice<CustomerView>> {
  constructor(
    readonly org: Uuid,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListCustomers)
export class ListCustomersHandler implements IQueryHandler<ListCustomers> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The newest first. */
  async execute({ org, page }: ListCustomers): Promise<Slice<CustomerView>> {
    let wanted = this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('customer_key')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) {
      const { at, id } = readCursor(page.cursor);
      wanted = wanted.where(
        sql<boolean>`(created_at < ${at} or (created_at = ${at} and customer_key > ${id}))`,
      );
    }
    const rows = await wanted.execute();
    const { rows: shown, nextCursor } = sliceOf(rows, page.limit, (row) => ({
      at: row.created_at,
      id: row.customer_key,
    }));
    return { rows: await viewsOf(this.vault, org, shown), nextCursor };
  }
}
