import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { Plan } from '../domain/plan.js';
import type { PlanView } from './plan-view.js';

/** A plan as a command left it, which no read model need have shown yet: nobody is subscribed to it. */
export class ViewNewPlan extends Query<PlanView> {
  constructor(
    readonly org: Uuid,
    readonly plan: Plan,
  ) {
    super();
  }
}

@QueryHandler(ViewNewPlan)
export class ViewNewPlanHandler implements IQueryHandler<ViewNewPlan> {
  constructor(
    private readonly customers: CustomerDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ org, plan }: ViewNewPlan): Promise<PlanView> {
    const targets = plan.versions.flatMap((version) => version.targetCustomerKeys);
    return {
      plan,
      shown: new Set(plan.versions.map(({ versionId }) => versionId)),
      running: new Map(),
      customers: await this.customers.summaries(org, targets),
      asOf: await this.clock.now(),
    };
  }
}
