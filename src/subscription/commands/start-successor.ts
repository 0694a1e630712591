import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { FollowUps, type FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { subscription } from '../domain/subscription.js';
import { OverlapReservations } from '../overlap-reservations.js';

type Succeeded = Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' | 'SubscriptionSwitched' }>;

/** A successor decided by the term that ends gets its own stream, and the place among the customer's. */
@Injectable()
export class StartSuccessor implements FollowUp, OnModuleInit {
  readonly name = 'start-successor';
  readonly on: readonly Succeeded['type'][] = ['SubscriptionRenewed', 'SubscriptionSwitched'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly runner: CommandRunner,
    private readonly reservations: OverlapReservations,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow(event: RecordedEvent<Succeeded>): Promise<void> {
    const { subscriptionId: predecessor, successor: term } = event.data;
    const context = followingContext(event, this.name);
    const by = event.type === 'SubscriptionRenewed' ? 'renewal' : 'switch';
    const command = { type: 'StartSuccessor', term, by, predecessor, cause: event.id } as const;
    await this.runner.run(subscription, term.subscriptionId, command, context);
    await this.reservations.transfer(context.org, predecessor, term);
  }
}
