import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import type { CommandSession } from '../../platform/eventsourcing/command-runner/command-session.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { reservationOf } from '../domain/overlap-reservation.js';
import { OverlapReservations } from '../overlap-reservations.js';
import { SubscriptionReader } from '../subscription-reader.js';

type Type = 'SubscriptionEnded' | 'SubscriptionCancelled' | 'AutoRenewTurnedOff' | 'EndDateChanged';

/**
 * The place of a term ends where the term does: what is over leaves it to others. It goes by the term as it stands, so
 * that an event met late does not bring back an end that was moved since.
 */
@Injectable()
export class UpdateReservation implements Policy, OnModuleInit {
  readonly name = 'follow-placement';
  readonly on: readonly Type[] = [
    'SubscriptionEnded',
    'SubscriptionCancelled',
    'AutoRenewTurnedOff',
    'EndDateChanged',
  ];

  constructor(
    private readonly policies: Policies,
    private readonly subscriptions: SubscriptionReader,
    private readonly reservations: OverlapReservations,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(
    { metadata: { org }, type, data }: RecordedEvent<Extract<SubscriptionEvent, { type: Type }>>,
    session?: CommandSession,
  ): Promise<void> {
    // Nobody changes the end of a term that is over; any other end can have been moved since.
    const isOver = type === 'SubscriptionEnded' || type === 'SubscriptionCancelled';
    const scope = isOver ? { org, session } : org;
    const { state } = (await this.subscriptions.load(scope, data.subscriptionId))!;
    const end = state.closedAt === null ? reservationOf(state.term).end : state.term.end;
    await this.reservations.endAt(org, data.subscriptionId, end);
  }
}
