import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, invalidFields } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import { fromMicros, type Instant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { ApiKeys, type ApiKey } from '../api-keys/api-keys.js';
import { makeKey } from '../api-keys/key-text.js';

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Undefined for a repeat: only the hash is stored. */
  readonly key: string | undefined;
}

export interface ApiKeyInput {
  readonly name: string;
  readonly scope: ApiKey['scope'];
  /** Wall time, like all times of a key; null: never. */
  readonly expiresAt: Instant | null;
}

export class CreateApiKey extends Command<CreatedApiKey> {
  constructor(
    readonly context: CommandContext,
    readonly input: ApiKeyInput,
  ) {
    super();
  }
}

@CommandHandler(CreateApiKey)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKey> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ context, input }: CreateApiKey): Promise<CreatedApiKey> {
    if (input.expiresAt !== null && input.expiresAt <= fromMicros(BigInt(Date.now()) * 1000n)) {
      throw invalidFields({ code: 'invalid', detail: 'Give a time in the future.', attr: 'expires_at' });
    }
    const { org, commandId } = context;
    const id = derivedId(commandId, 'api-key');
    const { key } = makeKey();
    const added = await this.keys.add({ id, org, key, ...input });
    if (added) return { apiKey: added, key };
    const made = (await this.keys.list(org)).find((one) => one.id === id);
    if (!made) throw new Error('a new key met the prefix of another one');
    return { apiKey: made, key: undefined };
  }
}

/** Creates a key with the name, scope and expiry of another key, and revokes that one. */
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
    throw new DomainError('invalid_state', 'The key is revoked or has expired. Create a new one.');
  }
}

/** Revokes a key for every process. Revoking it twice returns the time of the first revocation. */
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

const unknownKey = (): DomainError => new DomainError('not_found', 'There is no API key with this prefix.');
