import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { Settings } from '../domain/events.js';
import { FIRST_SETTINGS, SETTINGS, organizationDecider } from '../domain/organization.js';
import type { CreatedApiKey } from '../api-keys/api-keys.js';
import { CreateApiKey } from './api-keys.js';

/** Creates the organization of the context if it does not exist. */
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
    const { state } = await this.runner.run(organizationDecider, SETTINGS, command, context);
    return state!;
  }
}

export interface RegisteredOrganization {
  readonly org: Uuid;
  readonly settings: Settings;
  readonly adminKey: CreatedApiKey;
}

/** Creates an organization and its first admin key. A repeat returns both without the text of the key. */
export class RegisterOrganization extends Command<RegisteredOrganization> {
  constructor(
    /** Context of the request; the id of the organization is derived from the command id. */
    readonly context: CommandContext,
    readonly settings: Pick<Settings, 'name'> & Partial<Settings>,
  ) {
    super();
  }
}

@CommandHandler(RegisterOrganization)
export class RegisterOrganizationHandler implements ICommandHandler<RegisterOrganization> {
  constructor(private readonly commands: CommandBus) {}

  /** Creates the key last, so every key belongs to an organization with settings. */
  async execute({ context, settings: given }: RegisterOrganization): Promise<RegisteredOrganization> {
    const org = derivedId(context.commandId, 'organization');
    const own: CommandContext = { ...context, org };
    const settings = await this.commands.execute(new CreateOrganization(own, given));
    const adminKey = await this.commands.execute(
      new CreateApiKey(own, { name: 'First key', scope: 'admin', expiresAt: null }),
    );
    return { org, settings, adminKey };
  }
}
