import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { ChangeVersionCommand, SetReplacement } from '../domain/change-version.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

/** Changes the window in which a version is sold, or its localized name. */
export class ChangeVersion extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly input: Omit<ChangeVersionCommand, 'type'>,
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
    return this.writer.restrict(context, planId, (running) => ({
      type: 'DeleteVersion',
      versionId,
      running,
    }));
  }
}
