import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, invalidFields } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { fromMicros, type Instant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { ApiKeys, type ApiKey, type CreatedApiKey, makeKey } from '../api-keys/api-keys.js';
import { KeyRecords } from '../api-keys/key-records.js';
import { apiKeysDecider, KEYS, unusableKey } from '../domain/api-keys.js';

export interface ApiKeyInput {
  readonly name: string;
  readonly scope: ApiKey['scope'];
  /** Wall time of the expiry, like all times of a key; null for none. */
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
  constructor(
    private readonly keys: ApiKeys,
    private readonly records: KeyRecords,
    private readonly runner: CommandRunner,
  ) {}

  /** Stores the key, which is refused until its event is appended. */
  async execute({ context, input }: CreateApiKey): Promise<CreatedApiKey> {
    if (input.expiresAt !== null && input.expiresAt <= wallTime()) {
      throw invalidFields({
        code: 'invalid',
        detail: 'The time is in the past. Give a time in the future.',
        attr: 'expires_at',
      });
    }
    const { org, commandId } = context;
    const id = derivedId(commandId, 'api-key');
    await withdrawUnshown(this.runner, this.keys, context, id);
    const { key } = makeKey();
    const added = await this.keys.add({ id, org, key, ...input });
    const pending = await this.records.pending(org, id);
    if (pending) await this.runner.run(apiKeysDecider, KEYS, { type: 'CreateKey', key: pending }, context);
    return this.keys.created(org, id, added && key);
  }
}

/**
 * Withdraws the key that an earlier request of the command has stored, if it failed before the append: no answer has shown
 * its text.
 */
async function withdrawUnshown(
  runner: CommandRunner,
  keys: ApiKeys,
  context: CommandContext,
  id: Uuid,
): Promise<void> {
  if (context.isFirstDelivery || (await runner.repeated(apiKeysDecider, KEYS, context))) return;
  await keys.withdraw(context.org, id);
}

const wallTime = (): Instant => fromMicros(BigInt(Date.now()) * 1000n);

/** Replaces a key: creates one with its name, scope and expiry, and revokes it. */
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
  constructor(
    private readonly keys: ApiKeys,
    private readonly records: KeyRecords,
    private readonly runner: CommandRunner,
  ) {}

  /** Revokes the former key and creates the new one in one append, so that one of two concurrent rotations succeeds. */
  async execute({ context, prefix }: RotateApiKey): Promise<CreatedApiKey> {
    const { org, commandId } = context;
    const id = derivedId(commandId, 'api-key');
    const former = await this.keys.byPrefix(org, prefix);
    if (!former) throw unknownKey();
    await withdrawUnshown(this.runner, this.keys, context, id);
    const isRepeat = (await this.keys.byId(org, id)) !== undefined;
    const { name, scope, expires_at: expiresAt, revoked_at: revokedAt } = former;
    const isUsable = revokedAt === null && (expiresAt === null || expiresAt > wallTime());
    if (!isUsable && !isRepeat) throw unusableKey();
    const { key } = makeKey();
    const added = isRepeat ? undefined : await this.keys.add({ id, org, key, name, scope, expiresAt });
    const successor = await this.records.pending(org, id);
    try {
      if (successor)
        await this.runner.run(
          apiKeysDecider,
          KEYS,
          { type: 'ReplaceKey', keyId: former.id, successor },
          context,
        );
    } catch (error) {
      if (error instanceof DomainError && error.code === 'invalid_state') await this.keys.withdraw(org, id);
      throw error;
    }
    return this.keys.created(org, id, added && key);
  }
}

/** Revokes a key for every process; a second time it returns the time of the first revocation. */
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
  constructor(
    private readonly keys: ApiKeys,
    private readonly runner: CommandRunner,
  ) {}

  async execute({ context, prefix }: RevokeApiKey): Promise<ApiKey> {
    const { org } = context;
    const key = await this.keys.byPrefix(org, prefix);
    if (!key) throw unknownKey();
    if (key.revoked_at !== null) return key;
    await this.runner.run(apiKeysDecider, KEYS, { type: 'RevokeKey', keyId: key.id }, context);
    return (await this.keys.byId(org, key.id))!;
  }
}

const unknownKey = (): DomainError =>
  new DomainError('not_found', 'There is no API key with this prefix. Check the prefix.');
