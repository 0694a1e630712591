import { Inject, Injectable } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { StreamRestrictions } from '../../platform/eventsourcing/stream-restrictions.js';
import type { RunningSubscription, Plan } from '../domain/plan-state.js';
import { planDecider, type PlanCommand } from '../domain/plan.js';
import { PlanCatalog } from '../plan-catalog.js';
import { RunningSubscriptions } from '../running-subscriptions.js';

/** Executes the commands on plans and their versions. */
@Injectable()
export class PlanWriter {
  constructor(
    private readonly runner: CommandRunner,
    private readonly plans: PlanCatalog,
    private readonly running: RunningSubscriptions,
    private readonly restrictions: StreamRestrictions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the plan right after the command. @throws DomainError `not_found`, `invalid_state`, or any refusal of the decision */
  async change(context: CommandContext, planId: Uuid, command: PlanCommand): Promise<Plan> {
    const { state } = await this.runner.run(planDecider, planId, command, context);
    return state!;
  }

  /** @throws DomainError `not_found` */
  async planOf({ org }: CommandContext, versionId: Uuid): Promise<Uuid> {
    const planId = await this.plans.planOf(org, versionId);
    if (planId === undefined) throw new DomainError('not_found', unknownId('plan version'));
    return planId;
  }

  /**
   * Changes a plan by a command that depends on the subscriptions that run on it. None is reserved between the decision
   * and the append (docs/architecture.md#restrictions).
   * @throws DomainError `unavailable` while the read models are behind, and what `change` throws
   */
  async restrict(
    context: CommandContext,
    planId: Uuid,
    commandOn: (running: readonly RunningSubscription[]) => PlanCommand,
  ): Promise<Plan> {
    const { org } = context;
    await this.running.catchUpToDecide();
    const { state } = await this.restrictions.restrict(org, streamName('plan', org, planId), async () => {
      const plan = await this.plans.candidates(org, planId);
      const now = await commandTime(context, this.clock);
      const running = plan ? await this.running.toDecide(org, plan, now) : [];
      return this.runner.run(planDecider, planId, commandOn(running), context);
    });
    return state!;
  }
}
