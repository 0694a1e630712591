import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { viewsOf, type PlanView } from './plan-view.js';
import { selectPlans, type PlanFilters } from './select-plans.js';

export class ListPlans extends Query<Slice<PlanView>> {
  constructor(
    readonly org: Uuid,
    readonly filters: PlanFilters,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListPlans)
export class ListPlansHandler implements IQueryHandler<ListPlans> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ org, filters, page }: ListPlans): Promise<Slice<PlanView>> {
    const now = await this.clock.now(org);
    const after = page.cursor === undefined ? undefined : readCursor(page.cursor);
    const oneMore = { limit: page.limit + 1, after };
    const rows = await selectPlans(this.database.db, org, filters, oneMore, now).execute();
    const targets = rows.flatMap((row) => row.target_customer_keys);
    const customers = await this.customers.present(org, targets);
    return sliceOf(viewsOf(rows, customers, now), page.limit, ({ plan }) => ({
      at: plan.createdAt,
      id: plan.planId,
    }));
  }
}
