import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import { FollowUps, type FollowUp } from '../../eventsourcing/policies/follow-ups.js';
import { IdempotencyKeys } from './idempotency-keys.js';

type CustomerErased = DomainEvent<'CustomerErased', { readonly customerKey: Uuid }>;

/** Recorded answers are no customer's own, so an erasure takes the person out of each that shows one. */
@Injectable()
export class ForgetCustomer implements FollowUp, OnModuleInit {
  readonly name = 'forget-customer-in-answers';
  readonly on = ['CustomerErased'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly keys: IdempotencyKeys,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow({ metadata: { org }, data }: RecordedEvent<CustomerErased>): Promise<void> {
    await this.keys.forgetCustomer(org, data.customerKey);
  }
}
