import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import { viewsOf, type PlanView } from './plan-view.js';
import { selectPlans } from './select-plans.js';

export class GetPlan extends Query<PlanView> {
  constructor(
    readonly org: Uuid,
    readonly planId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetPlan)
export class GetPlanHandler implements IQueryHandler<GetPlan> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, planId }: GetPlan): Promise<PlanView> {
    const now = await this.clock.now(org);
    const rows = await selectPlans(this.database.db, org, { planId }, { limit: 1 }, now).execute();
    const targets = rows.flatMap((row) => row.target_customer_keys);
    const [view] = viewsOf(rows, await this.customers.present(org, targets), now);
    if (!view) throw new DomainError('not_found', 'There is no plan with this id.');
    return view;
  }
}
