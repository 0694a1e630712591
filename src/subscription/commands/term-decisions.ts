import { Inject, Injectable } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  eventIdOf,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { TermBilling, type DecidingEvent } from '../billing-ports.js';
import type { SubscriptionEvent, Term } from '../domain/events.js';
import { reservationOf } from '../domain/overlap-reservation.js';
import { subscription, type SubscriptionCommand } from '../domain/subscription.js';
import type { Subscription } from '../domain/subscription-state.js';
import { OverlapReservations } from '../overlap-reservations.js';
import { SubscriptionReader, type ReadSubscription } from '../subscription-reader.js';

/** Command on a running term that was decided and not recorded. */
export interface TermDryRun {
  readonly subscriptionId: Uuid;
  readonly command: SubscriptionCommand;
  readonly before: Subscription;
  /** State after the command; null in a repeat and when the term is over, where only a repeat succeeds. */
  readonly after: Subscription | null;
  /** Last event of the command; undefined where it has none. */
  readonly decided?: DecidingEvent | undefined;
}

/** Term after a command, as its answer shows it. */
export interface ChangedTerm {
  readonly state: Subscription;
  /** True if the term is over and completely invoiced. */
  readonly fullyBilled: boolean;
}

/** Decides commands on terms before anything is reserved or written (docs/architecture.md#refuse-before-append). */
@Injectable()
export class TermDecisions {
  constructor(
    private readonly runner: CommandRunner,
    private readonly subscriptions: SubscriptionReader,
    private readonly reservations: OverlapReservations,
    private readonly billing: TermBilling,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `resource_not_found`; any refusal of the decision */
  async dryRun(
    context: CommandContext,
    subscriptionId: Uuid | undefined,
    command: SubscriptionCommand,
  ): Promise<TermDryRun> {
    const { commandId } = context;
    const read = subscriptionId && (await this.subscriptions.load(context, subscriptionId));
    if (!subscriptionId || !read) {
      throw new DomainError('resource_not_found', unknownId('subscription'));
    }
    const before = read.state;
    const isOver = before.closedAt !== null;
    if (isOver || (await this.runner.repeated(subscription, subscriptionId, context)))
      return { subscriptionId, command, before, after: null };
    const now = await commandTime(context, this.clock);
    const events = subscription.decide({ ...command, now, commandId }, before);
    const after = events.reduce(subscription.evolve, before)!;
    const decided = decidingEvent(context, subscriptionId, read.revision, events);
    return { subscriptionId, command, before, after, decided };
  }

  /**
   * Reserves later end dates. If one reservation is refused, none is taken. An earlier end needs none: its event
   * shortens the reservation.
   * @throws DomainError `overlapping_plans`
   */
  async reserve(org: Uuid, ...all: readonly TermDryRun[]): Promise<void> {
    await this.reservations.reserve(org, ...endingLater(all));
  }

  /** Checks later end dates like `reserve`, without taking a reservation. */
  async requireNoOverlap(org: Uuid, ...all: readonly TermDryRun[]): Promise<void> {
    await this.reservations.requireNoOverlap(org, ...endingLater(all));
  }

  async execute(context: CommandContext, { subscriptionId, command }: TermDryRun): Promise<ReadSubscription> {
    const { state, revision } = await this.runner.run(subscription, subscriptionId, command, context);
    return { state: state!, revision: revision! };
  }

  /** Returns a term after a command with what a read of it would say about its billing. */
  async withBilling(context: CommandContext, { state, revision }: ReadSubscription): Promise<ChangedTerm> {
    const isOver = state.term.end <= (await commandTime(context, this.clock));
    const fullyBilled = isOver && (await this.billing.isNothingMoreDue(context, state, revision));
    return { state, fullyBilled };
  }
}

const endingLater = (all: readonly TermDryRun[]): Term[] =>
  all.flatMap(({ before, after }) => {
    const was = reservationOf(before.term).end;
    const becomes = after && reservationOf(after.term).end;
    return after && was !== null && (becomes === null || becomes > was) ? [after.term] : [];
  });

/** Returns the last of the events as it will be appended behind the revision. */
function decidingEvent(
  context: CommandContext,
  subscriptionId: Uuid,
  revision: bigint,
  events: readonly SubscriptionEvent[],
): DecidingEvent | undefined {
  const last = events.at(-1);
  if (!last) return undefined;
  const stream = streamName('subscription', context.org, subscriptionId);
  const id = eventIdOf(context, stream, events.length - 1);
  return { id, type: last.type, revision: revision + BigInt(events.length) };
}
