import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { Plan } from '../domain/plan-state.js';
import { RunningSubscriptions } from '../running-subscriptions.js';
import type { PlanView } from './plan-view.js';

/** A plan as a command left it, which no read model need have shown yet. */
export class ViewPlan extends Query<PlanView> {
  constructor(
    readonly org: Uuid,
    readonly plan: Plan,
    /** Nobody can be subscribed to a plan that was just created. */
    readonly isNew = false,
  ) {
    super();
  }
}

@QueryHandler(ViewPlan)
export class ViewPlanHandler implements IQueryHandler<ViewPlan> {
  constructor(
    private readonly customers: CustomerDirectory,
    private readonly running: RunningSubscriptions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ org, plan, isNew }: ViewPlan): Promise<PlanView> {
    const asOf = await this.clock.now(org);
    const targets = plan.versions.flatMap((version) => version.targetCustomerKeys);
    const [customers, running] = await Promise.all([
      this.customers.present(org, targets),
      isNew ? new Map<Uuid, number>() : this.running.toShow(org, plan.planId, asOf),
    ]);
    const shown = new Set(plan.versions.map(({ versionId }) => versionId));
    return { plan, shown, running, customers, asOf };
  }
}
