import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { FollowUps, type FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { placementOf } from '../domain/placement.js';
import { Placements } from '../placements.js';
import { SubscriptionReader } from '../subscription-reader.js';

type Type = 'SubscriptionEnded' | 'SubscriptionCancelled' | 'AutoRenewTurnedOff' | 'EndDateChanged';

/**
 * The place of a term ends where the term does: what is over leaves it to others. It goes by the term as it stands, so
 * that an event met late does not bring back an end that was moved since.
 */
@Injectable()
export class FollowPlacement implements FollowUp, OnModuleInit {
  readonly name = 'follow-placement';
  readonly on: readonly Type[] = [
    'SubscriptionEnded',
    'SubscriptionCancelled',
    'AutoRenewTurnedOff',
    'EndDateChanged',
  ];

  constructor(
    private readonly followUps: FollowUps,
    private readonly subscriptions: SubscriptionReader,
    private readonly placements: Placements,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow({
    metadata: { org },
    data,
  }: RecordedEvent<Extract<SubscriptionEvent, { type: Type }>>): Promise<void> {
    const { state } = (await this.subscriptions.load(org, data.subscriptionId))!;
    const end = state.closedAt === null ? placementOf(state.term).end : state.term.end;
    await this.placements.endAt(org, data.subscriptionId, end);
  }
}
