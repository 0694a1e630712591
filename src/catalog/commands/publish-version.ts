import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Plan } from '../domain/plan-state.js';
import type { PublishVersionCommand, VersionDraft } from '../domain/publish-version.js';
import { PlanWriter } from './plan-writer.js';

/** A version whose references exist and that passed `checkVersion`. */
export interface PublishVersionInput extends Pick<PublishVersionCommand, 'makeActive'> {
  readonly planId: Uuid;
  readonly version: Omit<VersionDraft, 'versionId'>;
}

export interface ChangedVersion {
  readonly plan: Plan;
  readonly versionId: Uuid;
}

export class PublishVersion extends Command<ChangedVersion> {
  constructor(
    readonly context: CommandContext,
    readonly input: PublishVersionInput,
  ) {
    super();
  }
}

@CommandHandler(PublishVersion)
export class PublishVersionHandler implements ICommandHandler<PublishVersion> {
  constructor(private readonly writer: PlanWriter) {}

  /** @throws DomainError `duplicate_resource` when the number is taken; `invalid_operation` for prices that cannot be billed */
  async execute({
    context,
    input: { planId, version, makeActive },
  }: PublishVersion): Promise<ChangedVersion> {
    const versionId = derivedId(context.commandId, 'version');
    const draft = { ...version, versionId };
    const command = { type: 'PublishVersion', version: draft, makeActive } as const;
    return { plan: await this.writer.change(context, planId, command), versionId };
  }
}
