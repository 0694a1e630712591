import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { ApiKeys } from '../api-keys/api-keys.js';
import { makeKey } from '../api-keys/key-text.js';
import type { CreatedApiKey } from './create-api-key.js';
import { unknownKey } from './revoke-api-key.js';

/** A new key with name, scope and expiry of another one, which is refused from then on. */
export class RotateApiKey extends Command<CreatedApiKey> {
  constructor(
    readonly context: CommandContext,
    readonly prefix: string,
  ) {
    super();
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ context: { org, commandId }, prefix }: RotateApiKey): Promise<CreatedApiKey> {
    const id = derivedId(commandId, 'api-key');
    const { key } = makeKey();
    const added = await this.keys.replace(prefix, { id, org, key });
    if (added) return { apiKey: added, key };
    const known = await this.keys.list(org);
    const made = known.find((one) => one.id === id);
    if (made) return { apiKey: made, key: undefined };
    if (!known.some((one) => one.prefix === prefix)) throw unknownKey();
    throw new DomainError('invalid_state', 'The key is revoked or has expired. Make a new one.');
  }
}
