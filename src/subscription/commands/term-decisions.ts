import { Inject, Injectable } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { streamName } from '../../kernel/event.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  decidedFrom,
  eventIdOf,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { LeaseEnded, withLease } from '../../platform/eventsourcing/command-runner/append-events.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { TermBilling, type DecidingEvent } from '../billing-ports.js';
import type { TermChanges } from '../domain/change-term.js';
import type { SubscriptionEvent, Term } from '../domain/events.js';
import { EndMoved, reservationOf } from '../domain/overlap-reservation.js';
import { termDecider, type TermCommand } from '../domain/term-decider.js';
import type { TermState } from '../domain/term-state.js';
import { OverlapReservations } from '../overlap-reservations.js';
import { DecidedTerms } from './decided-terms.js';
import { TermReader, type ReadTerm } from '../term-reader.js';

/** Tries while reservations do not hold, as other requests move the end of the same term. */
export const TRIES = 10;

/** Command on a running term that was decided and not recorded. */
export interface TermDryRun {
  readonly subscriptionId: Uuid;
  readonly command: TermCommand;
  readonly before: TermState;
  /** State after the command; null in a repeat and when the term is over, where only a repeat succeeds. */
  readonly after: TermState | null;
  /** Last event of the command; undefined where it has none. */
  readonly decidingEvent?: DecidingEvent | undefined;
  /** Time of the last change of the account, for a command that may be older. */
  readonly notBefore?: Instant | undefined;
}

/** Term after a command, as its answer shows it. */
export interface ChangedTerm {
  readonly state: TermState;
  /** True if the term is over and completely invoiced. */
  readonly fullyBilled: boolean;
}

/** Decides commands on terms before anything is reserved or written (docs/architecture.md#refuse-before-append). */
@Injectable()
export class TermDecisions {
  constructor(
    private readonly runner: CommandRunner,
    private readonly subscriptions: TermReader,
    private readonly decidedTerms: DecidedTerms,
    private readonly reservations: OverlapReservations,
    private readonly billing: TermBilling,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Loads a term, which begins first if it is only decided. @throws StoreUnavailable, and what policies of the decision throw */
  async load(context: CommandContext, id: Uuid): Promise<ReadTerm | undefined> {
    return (await this.subscriptions.load(context, id)) ?? (await this.decidedTerms.begin(context, id));
  }

  /** @throws DomainError `resource_not_found`; any refusal of the decision */
  async dryRun(
    context: CommandContext,
    subscriptionId: Uuid | undefined,
    command: TermCommand,
  ): Promise<TermDryRun> {
    const { commandId } = context;
    const read = subscriptionId && (await this.load(context, subscriptionId));
    if (!subscriptionId || !read) {
      throw new DomainError('resource_not_found', unknownId('subscription'));
    }
    const before = read.state;
    const isOver = before.closedAt !== null;
    if (isOver || (await this.runner.repeated(termDecider, subscriptionId, context)))
      return { subscriptionId, command, before, after: null };
    const notBefore = await this.accountChangedAt(context, before);
    const now = await commandTime(decidedFrom(notBefore, context), this.clock);
    const events = termDecider.decide({ ...command, now, commandId }, before);
    const after = events.reduce(termDecider.evolve, before)!;
    const decidingEvent = decidingEventOf(context, subscriptionId, read.revision, events);
    return { subscriptionId, command, before, after, decidingEvent, notBefore };
  }

  /**
   * Returns when the account of a term changed last, for a request that may repeat an older one. A command is not decided
   * before that: a run has billed the term up to there, and would settle no charge after an earlier end.
   */
  private async accountChangedAt(context: CommandContext, term: TermState): Promise<Instant | undefined> {
    if (context.receivedAt === undefined || context.isFirstDelivery) return undefined;
    return this.billing.lastChangedAt(context, term);
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

  /**
   * Changes a term, after it has reserved a later end.
   * @throws DomainError `overlapping_plans`, `conflict`; any refusal of the decision
   */
  async changeTerm(
    context: CommandContext,
    subscriptionId: Uuid | undefined,
    changes: TermChanges,
  ): Promise<ReadTerm> {
    const command = { type: 'ChangeTerm', changes } as const;
    return this.executeReserving(
      context,
      () => this.dryRun(context, subscriptionId, command),
      (dryRun) => this.reserve(context.org, dryRun),
    );
  }

  /** Decides, reserves, then executes; begins again where the reservation does not hold. */
  async executeReserving(
    context: CommandContext,
    decide: () => Promise<TermDryRun>,
    reserve: (dryRun: TermDryRun) => Promise<void>,
  ): Promise<ReadTerm> {
    for (let attempt = 1; ; attempt += 1) {
      const dryRun = await decide();
      const leased = withLease(context);
      await reserve(dryRun);
      try {
        return await this.executeReserved(leased, dryRun);
      } catch (error) {
        if (!isToReserveAgain(error) || attempt === TRIES) throw error;
        context.session?.restart();
      }
    }
  }

  /**
   * Executes a command that has reserved by the end of its term.
   * @throws EndMoved where another change has moved it, LeaseEnded where the reservation is too old
   */
  async executeReserved(context: CommandContext, dryRun: TermDryRun): Promise<ReadTerm> {
    const { before, after, command } = dryRun;
    if (!after) return this.execute(context, dryRun);
    const decided = { ...command, reservedEnd: reservationOf(before.term).end } as TermCommand;
    return this.execute(context, { ...dryRun, command: decided });
  }

  async execute(
    context: CommandContext,
    { subscriptionId, command, notBefore }: TermDryRun,
  ): Promise<ReadTerm> {
    const decided = decidedFrom(notBefore, context);
    const { state, revision } = await this.runner.run(termDecider, subscriptionId, command, decided);
    return { state: state!, revision: revision! };
  }

  /** Returns a term after a command with what a read of it would say about its billing. */
  async withBilling(context: CommandContext, { state, revision }: ReadTerm): Promise<ChangedTerm> {
    const isOver = state.term.end <= (await commandTime(context, this.clock));
    const fullyBilled = isOver && (await this.billing.isFullyBilled(context, state, revision));
    return { state, fullyBilled };
  }
}

/** Tells whether the reservation of a command does not hold any more, and nothing was appended. */
export const isToReserveAgain = (error: unknown): boolean =>
  error instanceof EndMoved || error instanceof LeaseEnded;

const endingLater = (all: readonly TermDryRun[]): Term[] =>
  all.flatMap(({ before, after }) => {
    const was = reservationOf(before.term).end;
    const becomes = after && reservationOf(after.term).end;
    return after && was !== null && (becomes === null || becomes > was) ? [after.term] : [];
  });

/** Returns the last of the events as it will be appended behind the revision. */
function decidingEventOf(
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
