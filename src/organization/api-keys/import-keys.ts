import { Injectable, type OnModuleInit } from '@nestjs/common';
import { derivedId } from '../../kernel/ids.js';
import { startContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { apiKeysDecider, KEYS } from '../domain/api-keys.js';
import { KeyRecords } from './key-records.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { ApiKeyEvent } from '../domain/events.js';
import { ApiKeys } from './api-keys.js';

/** Limit of keys of one append. */
const MAX_KEYS = 1_000;

/**
 * Records keys of releases without key events, once per organization, at the first start after the upgrade. The last
 * append has the id of the import, so a start after it takes in no more keys, and one after a crash goes on.
 */
@Injectable()
export class ApiKeyImport {
  constructor(
    private readonly records: KeyRecords,
    private readonly runner: CommandRunner,
  ) {}

  async run(): Promise<void> {
    for (const [org, records] of await this.records.unrecorded()) {
      const last = startContext(org, derivedId(org, 'keys-taken-in'));
      if (await this.runner.repeated(apiKeysDecider, KEYS, last)) continue;
      const all = records.map(({ isRevoked: _, hasForeignSeal: _seal, ...key }) => key);
      for (let from = 0; from < all.length; from += MAX_KEYS) {
        const keys = all.slice(from, from + MAX_KEYS);
        const isLast = from + MAX_KEYS >= all.length;
        const context = isLast ? last : startContext(org, derivedId(org, `keys-taken-in ${keys[0]!.keyId}`));
        await this.runner.run(apiKeysDecider, KEYS, { type: 'ImportKeys', keys }, context);
      }
    }
  }
}

/** Applies recorded events of keys to the table. */
@Injectable()
export class ApplyKeyEvents implements Policy<ApiKeyEvent>, OnModuleInit {
  readonly name = 'api-keys';
  readonly on = ['ApiKeyCreated', 'ApiKeyRevoked'] as const;

  constructor(
    private readonly policies: Policies,
    private readonly keys: ApiKeys,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle({ type, data, metadata: { org } }: RecordedEvent<ApiKeyEvent>): Promise<void> {
    if (type === 'ApiKeyRevoked') return this.keys.end(org, data as RevokedKey);
    await this.keys.begin(org, data.keyId);
  }
}

type RevokedKey = Extract<ApiKeyEvent, { type: 'ApiKeyRevoked' }>['data'];
