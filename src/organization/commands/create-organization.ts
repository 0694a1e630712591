import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { Settings } from '../domain/events.js';
import { FIRST_SETTINGS, organization, SETTINGS } from '../domain/organization.js';

/** Makes the tenant of the context, unless there is one. */
export class CreateOrganization extends Command<Settings> {
  constructor(
    readonly context: CommandContext,
    readonly settings: Partial<Settings> = {},
  ) {
    super();
  }
}

@CommandHandler(CreateOrganization)
export class CreateOrganizationHandler implements ICommandHandler<CreateOrganization> {
  constructor(private readonly runner: CommandRunner) {}

  async execute({ context, settings }: CreateOrganization): Promise<Settings> {
    const command = { type: 'CreateOrganization', settings: { ...FIRST_SETTINGS, ...settings } } as const;
    const { state } = await this.runner.run(organization, SETTINGS, command, context);
    return state!;
  }
}
