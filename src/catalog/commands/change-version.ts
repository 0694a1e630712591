import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { ChangeVersion as Change } from '../domain/change-version.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

/** When a version is sold, and its localized name. */
export class ChangeVersion extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly input: Omit<Change, 'type'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeVersion)
export class ChangeVersionHandler implements ICommandHandler<ChangeVersion> {
  constructor(private readonly writer: PlanWriter) {}

  async execute({ context, input }: ChangeVersion): Promise<Plan> {
    const planId = await this.writer.planOf(context, input.versionId);
    return this.writer.change(context, planId, { type: 'ChangeVersion', ...input });
  }
}
