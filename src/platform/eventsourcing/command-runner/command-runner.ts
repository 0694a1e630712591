import { setTimeout as sleep } from 'node:timers/promises';
import { SnapshotTooShallow, type Decider } from '../../../kernel/decider.js';
import { DomainError } from '../../../kernel/errors.js';
import type { DomainEvent, Position, RecordedEvent } from '../../../kernel/event.js';
import { derivedId } from '../../../kernel/ids.js';
import { latest, type Instant } from '../../../kernel/instant.js';
import { streamName, type StreamCategory } from '../../../kernel/stream.js';
import type { ClaimsToTake } from '../claims/claim.js';
import type { Clock } from '../../clock/clock.js';
import {
  AppendOutcomeUnknown,
  RevisionConflict,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
} from '../store/event-store.js';
import { foldStream } from '../store/fold-stream.js';
import type { Logger } from '../../telemetry/logger.js';
import { isStoreDown } from '../store/store-down.js';
import { metadataOf, type CommandContext } from './command-context.js';
import { FoldedStreams, type FoldedStream } from './folded-streams.js';
import type { Policies } from '../policies/policies.js';
import { notePosition } from './request-position.js';
import { KeyedMutex } from '../../concurrency/keyed-mutex.js';

/** A stream with its decider. */
export interface Aggregate<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly category: StreamCategory;
  /** Type of the event that holds all of the state after it: the stream is read backwards, up to the last of them. */
  readonly snapshotEventType?: Event['type'];
  /** The stream with nothing forgotten, for a command about something older than what is carried. */
  readonly fullHistory?: Pick<Decider<State, Command, Event>, 'initial' | 'evolve'>;
}

export interface CommandOutcome<State, Event extends DomainEvent> {
  /** State right after the command; a later change by somebody else is not in it. */
  readonly state: State;
  /** Events that this command appended; empty when it had nothing to do. */
  readonly events: readonly RecordedEvent<Event>[];
  /** Revision of the stream's last event in `state`; undefined for an empty stream. */
  readonly revision: bigint | undefined;
  readonly position: Position | undefined;
}

interface Loaded<State, Event extends DomainEvent> extends FoldedStream<State, Event> {
  /** Outcome of the command when it ran before. */
  readonly recorded: CommandOutcome<State, Event> | undefined;
}

const CONFLICT_RETRIES = 10;
const BROKEN_CONNECTION_RETRIES = 4;

/** Every command goes this way: load → decide → append → follow up (docs/architecture.md#commands). */
export class CommandRunner {
  private readonly folded: FoldedStreams;
  private readonly turns: KeyedMutex;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly policies: Policies,
    private readonly log: Logger,
    /** Before another try, in milliseconds; a simulation waits in its own time. */
    private readonly pause: (ms: number, signal?: AbortSignal) => Promise<unknown> = wallTime,
  ) {
    this.folded = FoldedStreams.of(store);
    this.turns = new KeyedMutex(this.pause);
  }

  /** @throws DomainError when refused, `conflict` after the bounded retries; StoreUnavailable; either also for what follows. */
  async run<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    const stream = streamName(aggregate.category, context.org, id);
    for (let attempt = 0; attempt < CONFLICT_RETRIES; attempt++) {
      const isGuess = attempt === 0 && context.isFirstDelivery === true;
      const finish = await this.turns.take(stream, () =>
        this.attempt(aggregate, stream, command, context, isGuess),
      );
      if (finish) return finish();
      if (context.claims) break;
      if (!isGuess) await this.pauseAfter(attempt);
    }
    throw new DomainError('conflict', 'The resource is being changed by others. Try again.');
  }

  /** Before another try of what met a conflict: longer each time, and not all at once. */
  async pauseAfter(attempt: number): Promise<void> {
    await this.pause(Math.random() * 5 * 2 ** Math.min(attempt, 6));
  }

  /**
   * Steps 1 to 6, once.
   * @returns what is left to do when the turn is over; undefined when it was in vain
   */
  private async attempt<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    stream: string,
    command: Command,
    context: CommandContext,
    isGuess: boolean,
  ): Promise<(() => Promise<CommandOutcome<State, Event>>) | undefined> {
    // 1. What the stream has gained since it was folded last. A command that is new cannot be in it: that is decided
    // on what is remembered first, and whether that is all there is shows at the append.
    const loaded = isGuess
      ? { recorded: undefined, ...this.folded.guess<State, Event>(stream, aggregate) }
      : await this.load(aggregate, stream, context);
    const { last, recorded } = loaded;
    let { state } = loaded;

    // 2. The same command, done before: its recorded outcome stands.
    if (recorded) return () => this.finishAgain(recorded, context);

    // The caller changes only the version that it has seen.
    if (isGuess && context.resource?.allows(stream, last?.revision) === false) return undefined;
    context.resource?.require(stream, last?.revision);

    // 3. Decide, never earlier than the stream's last event. No guess is a reason to refuse, or to do nothing.
    const clockNow = context.receivedAt ?? (await this.clock.now(context.org));
    const now = last ? latest(clockNow, last.metadata.recordedAt) : clockNow;
    const issued = { now, commandId: context.commandId, ...command };
    let decided: readonly Event[];
    let rules: Pick<typeof aggregate, 'initial' | 'evolve'> = aggregate;
    try {
      decided = aggregate.decide(issued, state);
    } catch (error) {
      if (isGuess) return undefined;
      if (!(error instanceof SnapshotTooShallow) || !aggregate.fullHistory) throw error;
      rules = aggregate.fullHistory;
      ({ state } = await foldStream(this.store, stream, rules, last?.revision));
      decided = aggregate.decide(issued, state);
    }
    if (decided.length === 0) {
      if (isGuess) return undefined;
      notePosition(context.correlationId, last?.position);
      context.resource?.note(stream, last?.revision);
      return async () => ({ state, events: [], revision: last?.revision, position: last?.position });
    }

    // 4. Append where the state was read, under ids that a repeat has again.
    const expected = last?.revision ?? 'no_stream';
    const events = toNewEvents(stream, decided, context, now);
    const appended = await this.append(stream, expected, events, context.claims);
    // Stored events may differ from the ones decided now: another process can have decided at another time.
    if (appended === 'conflict' || appended.isRepeat) return undefined;

    // 6. and 7. The state after it, and what must follow.
    const outcome = {
      state: decided.reduce(rules.evolve, state),
      events: toRecorded(stream, appended, events),
      revision: appended.revision,
      position: appended.position,
    };
    // A store that does not say may have answered a repeat, of everything but a new command.
    const isKnownNew = isGuess || appended.isRepeat === false;
    if (isKnownNew && rules === aggregate) this.folded.remember(stream, loaded, outcome);
    context.resource?.note(stream, outcome.revision);
    return () => this.finish(outcome, context);
  }

  /**
   * Returns the outcome of the command when it ran before, with its policies run: a repeat is answered no earlier than the
   * first would have been. Undefined when it is new.
   * @throws StoreUnavailable
   */
  async repeated<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event> | undefined> {
    if (context.isFirstDelivery) return undefined;
    const stream = streamName(aggregate.category, context.org, id);
    const { recorded } = await this.load(aggregate, stream, context);
    return recorded && this.finishAgain(recorded, context);
  }

  /** Reads what is new in the stream; all of it again only to find what a repeated command did. */
  private async load<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<Loaded<State, Event>> {
    const folded = await this.folded.load<State, Event>(stream, aggregate);
    const { commandIds, unreadUntil } = folded;
    // A command that came first after the unread events has no event among them.
    const { commandId, receivedAt, isFirstDelivery } = context;
    const isOld =
      !isFirstDelivery && unreadUntil !== undefined && receivedAt !== undefined && receivedAt <= unreadUntil;
    const isRepeat = isOld || commandIds.has(commandId);
    return { recorded: isRepeat ? await this.recorded(aggregate, stream, context) : undefined, ...folded };
  }

  private async recorded<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event> | undefined> {
    let state = aggregate.initial();
    let recorded: CommandOutcome<State, Event> | undefined;
    for await (const stored of this.store.readStream(stream)) {
      const event = stored as RecordedEvent<Event>;
      state = aggregate.evolve(state, event as unknown as Event);
      if (event.metadata.commandId !== context.commandId) continue;
      const events: RecordedEvent<Event>[] = [...(recorded?.events ?? []), event];
      recorded = { state, events, revision: event.revision, position: event.position };
    }
    return recorded;
  }

  /** 5. A broken connection leaves the outcome unknown: the same append again is answered like the first time. */
  private async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    claims: ClaimsToTake | undefined,
  ): Promise<AppendResult | 'conflict'> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.store.append(stream, expected, events, claims);
      } catch (error) {
        if (error instanceof RevisionConflict) return 'conflict';
        if (!(error instanceof AppendOutcomeUnknown) || attempt === BROKEN_CONNECTION_RETRIES) throw error;
        await this.pause(50 * 2 ** attempt);
      }
    }
  }

  /** Policies that run only now carry the correlation of the first request, which this answer reports too. */
  private async finishAgain<State, Event extends DomainEvent>(
    recorded: CommandOutcome<State, Event>,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    const outcome = await this.finish(recorded, context);
    notePosition(context.correlationId, await this.store.head());
    return outcome;
  }

  /**
   * The command has succeeded; a follower that cannot act now is done from the log by the worker. Where that will pass
   * and the caller can repeat, it is told of no success before: what it asks for next must not overtake what follows.
   */
  private async finish<State, Event extends DomainEvent>(
    outcome: CommandOutcome<State, Event>,
    { correlationId, isFirstDelivery }: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    notePosition(correlationId, outcome.position);
    try {
      await this.policies.handle(outcome.events);
    } catch (error) {
      if (!isFirstDelivery && isPassing(error)) throw error;
      this.log.warn(
        { err: error, events: outcome.events.map((e) => e.type) },
        'a policy is left to the worker',
      );
    }
    return outcome;
  }
}

const wallTime = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });

/** A store is down, or others write too much to what follows. */
const isPassing = (error: unknown): boolean =>
  isStoreDown(error) || (error instanceof DomainError && error.code === 'conflict');

function toNewEvents<Event extends DomainEvent>(
  stream: string,
  decided: readonly Event[],
  context: CommandContext,
  now: Instant,
): NewEvent<Event>[] {
  const metadata = metadataOf(context, now);
  return decided.map((event, index) => ({
    id: derivedId(context.commandId, `${stream}#${index}`),
    type: event.type,
    data: event.data,
    metadata,
  }));
}

function toRecorded<Event extends DomainEvent>(
  stream: string,
  { revision, position }: AppendResult,
  events: readonly NewEvent<Event>[],
): RecordedEvent<Event>[] {
  const first = revision - BigInt(events.length - 1);
  return events.map((event, index) => ({ stream, revision: first + BigInt(index), position, ...event }));
}
