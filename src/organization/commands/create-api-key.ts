import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import { fromMicros, type Instant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { ApiKeys, type ApiKey } from '../api-keys/api-keys.js';
import { makeKey } from '../api-keys/key-text.js';

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Undefined in a repeat: only its hash was kept. */
  readonly key: string | undefined;
}

export interface ApiKeyInput {
  readonly name: string;
  readonly scope: ApiKey['scope'];
  /** Wall time, as all of a key's times; null: never. */
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
      throw invalidFields({ code: 'invalid', detail: 'A key expires in the future.', attr: 'expires_at' });
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
