import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { FollowUps, type FollowUp } from '../../platform/commands/follow-ups.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { Placements } from '../placements.js';

type Ended = Extract<SubscriptionEvent, { type: 'SubscriptionEnded' }>;

/** A subscription that is over leaves its place to others from its end on. */
@Injectable()
export class EndPlacement implements FollowUp, OnModuleInit {
  readonly name = 'end-placement';
  readonly on = ['SubscriptionEnded'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly placements: Placements,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow({ metadata, data }: RecordedEvent<Ended>): Promise<void> {
    await this.placements.endAt(metadata.org, data.subscriptionId, data.effectiveAt);
  }
}
