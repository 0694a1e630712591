import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { FIRST_SETTINGS, organization, SETTINGS } from '../domain/organization.js';

/** Makes the tenant of the context, unless there is one. */
export class CreateOrganization extends Command<void> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

@CommandHandler(CreateOrganization)
export class CreateOrganizationHandler implements ICommandHandler<CreateOrganization> {
  constructor(private readonly runner: CommandRunner) {}

  async execute({ context }: CreateOrganization): Promise<void> {
    await this.runner.run(organization, SETTINGS, { type: 'create', settings: FIRST_SETTINGS }, context);
  }
}
