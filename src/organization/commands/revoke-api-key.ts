import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { ApiKeys, type ApiKey } from '../api-keys/api-keys.js';

/** From its answer on every process refuses the key. Of a key that is revoked already it says since when. */
export class RevokeApiKey extends Command<ApiKey> {
  constructor(
    readonly context: CommandContext,
    readonly prefix: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ context: { org }, prefix }: RevokeApiKey): Promise<ApiKey> {
    const key = (await this.keys.revoke(org, prefix)) ?? (await this.keys.byPrefix(org, prefix));
    if (!key) throw unknownKey();
    return key;
  }
}

export const unknownKey = (): DomainError =>
  new DomainError('not_found', 'There is no API key with this prefix.');
