import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { featureDecider, type Feature } from '../domain/feature.js';
import { NameClaims } from './name-claims.js';

export class DefineFeature extends Command<Feature> {
  constructor(
    readonly context: CommandContext,
    readonly input: Omit<Feature, 'featureId'>,
  ) {
    super();
  }
}

@CommandHandler(DefineFeature)
export class DefineFeatureHandler implements ICommandHandler<DefineFeature> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly names: NameClaims,
  ) {}

  /** @throws DomainError `duplicate_resource` */
  async execute({ context, input }: DefineFeature): Promise<Feature> {
    const featureId = derivedId(context.commandId, 'feature');
    const stream = streamName('feature', context.org, featureId);
    const command = { type: 'DefineFeature', featureId, ...input } as const;
    return this.names.beginning(
      context,
      { kind: 'feature_name', text: input.name },
      stream,
      async (beginning) => {
        const { state } = await this.runner.run(featureDecider, featureId, command, beginning);
        return state!;
      },
    );
  }
}
