import { Inject, Injectable } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { RunningSubscription, Plan } from '../domain/plan-state.js';
import { planAggregate, type PlanCommand } from '../domain/plan.js';
import { PlanCatalog } from '../plan-catalog.js';
import { RunningSubscriptions } from '../running-subscriptions.js';

/** Executes the commands on plans and their versions. */
@Injectable()
export class PlanWriter {
  constructor(
    private readonly runner: CommandRunner,
    private readonly plans: PlanCatalog,
    private readonly running: RunningSubscriptions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the plan right after the command. @throws DomainError `not_found`, `invalid_state`, or any refusal of the decision */
  async change(context: CommandContext, planId: Uuid, command: PlanCommand): Promise<Plan> {
    const { state } = await this.runner.run(planAggregate, planId, command, context);
    return state!;
  }

  /** @throws DomainError `not_found` */
  async planOf({ org }: CommandContext, versionId: Uuid): Promise<Uuid> {
    const planId = await this.plans.planOf(org, versionId);
    if (planId === undefined) throw new DomainError('not_found', unknownId('plan version'));
    return planId;
  }

  /** @throws DomainError `unavailable` while the read models are behind */
  async runningOn(context: CommandContext, planId: Uuid): Promise<readonly RunningSubscription[]> {
    const now = await commandTime(context, this.clock);
    return this.running.toDecide(context.org, planId, now);
  }
}
