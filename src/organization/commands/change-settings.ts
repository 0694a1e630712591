import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { Settings } from '../domain/events.js';
import { LogoStore } from '../logos/logo-store.js';
import { organizationDecider, SETTINGS } from '../domain/organization.js';

export class ChangeSettings extends Command<Settings> {
  constructor(
    readonly context: CommandContext,
    readonly changes: Partial<Settings>,
    /** Bytes of a changed logo. */
    readonly logo?: Buffer,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly logos: LogoStore,
  ) {}

  /** Stores the bytes before the event, so that every logo in an event exists. */
  async execute({ context, changes, logo }: ChangeSettings): Promise<Settings> {
    if (changes.logo && logo) await this.logos.keep(context.org, changes.logo, logo);
    const { state } = await this.runner.run(
      organizationDecider,
      SETTINGS,
      { type: 'ChangeSettings', changes },
      context,
    );
    return state!;
  }
}
