import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { Settings } from '../domain/events.js';
import { organization, SETTINGS } from '../domain/organization.js';

export class ChangeSettings extends Command<Settings> {
  constructor(
    readonly context: CommandContext,
    readonly changes: Partial<Settings>,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(private readonly runner: CommandRunner) {}

  async execute({ context, changes }: ChangeSettings): Promise<Settings> {
    const { state } = await this.runner.run(
      organization,
      SETTINGS,
      { type: 'ChangeSettings', changes },
      context,
    );
    return state!;
  }
}
