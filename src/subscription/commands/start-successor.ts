import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { CommandSession } from '../../platform/eventsourcing/command-runner/command-session.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { subscription } from '../domain/subscription.js';
import { OverlapReservations } from '../overlap-reservations.js';

type Succeeded = Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' | 'SubscriptionSwitched' }>;

/** A successor decided by the term that ends gets its own stream, and the place among the customer's. */
@Injectable()
export class StartSuccessor implements Policy, OnModuleInit {
  readonly name = 'start-successor';
  readonly on: readonly Succeeded['type'][] = ['SubscriptionRenewed', 'SubscriptionSwitched'];

  constructor(
    private readonly policies: Policies,
    private readonly runner: CommandRunner,
    private readonly reservations: OverlapReservations,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<Succeeded>, session?: CommandSession): Promise<void> {
    const { subscriptionId: predecessor, successor: term } = event.data;
    const context = followingContext(event, this.name, session);
    const by = event.type === 'SubscriptionRenewed' ? 'renewal' : 'switch';
    const command = { type: 'StartSuccessor', term, by, predecessor, cause: event.id } as const;
    await this.runner.run(subscription, term.subscriptionId, command, context);
    await this.reservations.transfer(context.org, predecessor, term);
  }
}
