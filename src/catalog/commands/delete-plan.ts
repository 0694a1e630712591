import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

export class DeletePlan extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly planId: Uuid,
  ) {
    super();
  }
}

@CommandHandler(DeletePlan)
export class DeletePlanHandler implements ICommandHandler<DeletePlan> {
  constructor(private readonly writer: PlanWriter) {}

  /** @throws DomainError `invalid_operation` while subscriptions run on it */
  async execute({ context, planId }: DeletePlan): Promise<Plan> {
    const running = await this.writer.runningOn(context, planId);
    return this.writer.change(context, planId, { type: 'DeletePlan', running });
  }
}
