import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CustomerReader } from '../../customer/customer-reader.js';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { CommandSession } from '../../platform/eventsourcing/command-runner/command-session.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { CancelSubscription } from './cancel-subscription.js';
import { ENDING } from './end-subscriptions-of-customer.js';

/**
 * A subscription that was decided before its customer was deleted and written after that, by a creation, a renewal or a
 * switch: the deletion has looked for subscriptions already and did not see it. It ends as the others did.
 */
@Injectable()
export class CancelOrphanedSubscription implements Policy, OnModuleInit {
  readonly name = 'end-of-late-comer';
  readonly on = ['SubscriptionStarted'];

  constructor(
    private readonly policies: Policies,
    private readonly customers: CustomerReader,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>>,
    session?: CommandSession,
  ): Promise<void> {
    const { term } = event.data;
    const { org } = event.metadata;
    if (await this.customers.loadPresent(org, term.customerKey)) return;
    const context = followingContext(event, this.name, session);
    try {
      await this.commands.execute(new CancelSubscription(context, term.subscriptionId, ENDING.terms));
    } catch (error) {
      // The deletion saw it after all.
      if (!(error instanceof DomainError && error.code === 'invalid_state')) throw error;
    }
  }
}
