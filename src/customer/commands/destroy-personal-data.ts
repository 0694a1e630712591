import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { FollowUps, type FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import { Vault } from '../../platform/privacy/vault.js';
import type { CustomerEvent } from '../domain/events.js';
import { EmailClaims } from './email-claims.js';

/** Destroys personal data: without the key nothing sealed opens again, and no hash is left to try an address against. */
@Injectable()
export class DestroyPersonalData implements FollowUp, OnModuleInit {
  readonly name = 'destroy-personal-data';
  readonly on = ['CustomerErased'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly vault: Vault,
    private readonly emails: EmailClaims,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow({
    metadata: { org },
    data: { customerKey },
  }: RecordedEvent<Extract<CustomerEvent, { type: 'CustomerErased' }>>): Promise<void> {
    await this.destroy(org, customerKey);
  }

  async destroy(org: Uuid, customerKey: Uuid): Promise<void> {
    await this.vault.destroyKey(org, customerKey);
    await this.emails.releaseAll(org, customerKey);
  }
}
