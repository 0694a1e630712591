import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { ApiKeyEvent } from '../domain/events.js';
import { ApiKeys } from './api-keys.js';

/** Puts into the table what was recorded of keys. */
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
