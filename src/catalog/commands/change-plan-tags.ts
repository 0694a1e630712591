import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { ChangeTags } from '../domain/change-plan.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

export class ChangePlanTags extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly planId: Uuid,
    readonly input: Omit<ChangeTags, 'type'>,
  ) {
    super();
  }
}

@CommandHandler(ChangePlanTags)
export class ChangePlanTagsHandler implements ICommandHandler<ChangePlanTags> {
  constructor(private readonly writer: PlanWriter) {}

  async execute({ context, planId, input }: ChangePlanTags): Promise<Plan> {
    return this.writer.change(context, planId, { type: 'ChangePlanTags', ...input });
  }
}
