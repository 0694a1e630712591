import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { SetReplacement } from '../domain/change-version.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

/** Sets the version that the subscriptions of another version renew to. */
export class ReplaceVersion extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly input: Omit<SetReplacement, 'type'>,
  ) {
    super();
  }
}

@CommandHandler(ReplaceVersion)
export class ReplaceVersionHandler implements ICommandHandler<ReplaceVersion> {
  constructor(private readonly writer: PlanWriter) {}

  /** @throws DomainError `does_not_exist`; `invalid_operation` for another currency */
  async execute({ context, input }: ReplaceVersion): Promise<Plan> {
    const planId = await this.writer.planOf(context, input.versionId);
    return this.writer.change(context, planId, { type: 'ReplaceVersion', ...input });
  }
}
