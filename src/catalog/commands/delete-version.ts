import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

export class DeleteVersion extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly versionId: Uuid,
  ) {
    super();
  }
}

@CommandHandler(DeleteVersion)
export class DeleteVersionHandler implements ICommandHandler<DeleteVersion> {
  constructor(private readonly writer: PlanWriter) {}

  /** @throws DomainError `invalid_operation` while subscriptions run on it */
  async execute({ context, versionId }: DeleteVersion): Promise<Plan> {
    const planId = await this.writer.planOf(context, versionId);
    const running = await this.writer.runningOn(context, planId);
    return this.writer.change(context, planId, { type: 'DeleteVersion', versionId, running });
  }
}
