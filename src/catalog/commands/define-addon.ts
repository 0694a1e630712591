import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { addonDecider, type AddonDraft } from '../domain/addon.js';
import type { Addon } from '../domain/addon-version.js';
import { NameClaims } from './name-claims.js';

/** An add-on whose references exist and whose version passed `checkVersion`. */
export type DefineAddonInput = Omit<AddonDraft, 'addonId' | 'version'> & {
  readonly version: Omit<AddonDraft['version'], 'versionId'>;
};

export class DefineAddon extends Command<Addon> {
  constructor(
    readonly context: CommandContext,
    readonly input: DefineAddonInput,
  ) {
    super();
  }
}

@CommandHandler(DefineAddon)
export class DefineAddonHandler implements ICommandHandler<DefineAddon> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly names: NameClaims,
  ) {}

  /** @throws DomainError `duplicate_resource`, `prepayment_cant_determine_units` */
  async execute({ context, input }: DefineAddon): Promise<Addon> {
    const addonId = derivedId(context.commandId, 'addon');
    const version = { ...input.version, versionId: derivedId(context.commandId, 'version') };
    const command = { type: 'DefineAddon', ...input, addonId, version } as const;
    const stream = streamName('addon', context.org, addonId);
    return this.names.beginning(
      context,
      { kind: 'addon_name', text: input.name },
      stream,
      async (beginning) => {
        const { state } = await this.runner.run(addonDecider, addonId, command, beginning);
        return state!;
      },
    );
  }
}
