import { setTimeout as sleep } from 'node:timers/promises';
import { SnapshotTooShallow, type Decider } from '../../../kernel/decider.js';
import { DomainError } from '../../../kernel/errors.js';
import type { DomainEvent, Position, RecordedEvent } from '../../../kernel/event.js';
import { latest, type Instant } from '../../../kernel/instant.js';
import { streamName, type StreamCategory } from '../../../kernel/stream.js';
import type { Clock } from '../../clock/clock.js';
import type { EventStore } from '../store/event-store.js';
import { foldStream } from '../store/fold-stream.js';
import type { Logger } from '../../telemetry/logger.js';
import { isStoreDown } from '../store/store-down.js';
import { appendSurely, isRepeatIn, toNewEvents, toRecorded, notePosition } from './append-events.js';
import { commandTime, type CommandContext, type FoldedStream } from './command-context.js';
import { StreamStateCache } from './stream-state-cache.js';
import type { Policies } from '../policies/policies.js';
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

/** One command on one stream. */
interface Request<State, Command, Event extends DomainEvent> {
  readonly aggregate: Aggregate<State, Command, Event>;
  readonly stream: string;
  readonly command: Command;
  readonly context: CommandContext;
}

/** Finishes the command once the stream is free for others. */
type Finish<State, Event extends DomainEvent> = () => Promise<CommandOutcome<State, Event>>;

interface Decision<State, Event extends DomainEvent> {
  readonly now: Instant;
  readonly events: readonly Event[];
  /** State that was decided on, and the rules that it was folded by. */
  readonly state: State;
  readonly rules: Pick<Decider<State, unknown, Event>, 'initial' | 'evolve'>;
}

/** Runs every command the same way: load, decide, append, then the policies (docs/architecture.md#commands). */
export class CommandRunner {
  private readonly folded: StreamStateCache;
  /** Turns of work that is done in vain when others are at it. */
  readonly turns: KeyedMutex;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly policies: Policies,
    private readonly log: Logger,
    /** Waits before another try, in milliseconds; a simulation waits in its own time. */
    private readonly pause: (ms: number, signal?: AbortSignal) => Promise<unknown> = wallTime,
  ) {
    this.folded = StreamStateCache.of(store);
    this.turns = new KeyedMutex(this.pause);
  }

  /** @throws DomainError when refused, `conflict` after the bounded retries; StoreUnavailable; either also for policies. */
  async run<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    const stream = streamName(aggregate.category, context.org, id);
    const request = { aggregate, stream, command, context };
    for (let attempt = 0; attempt < CONFLICT_RETRIES; attempt++) {
      const known = attempt === 0 ? this.known(request) : undefined;
      const finish = await this.turns.take(stream, () =>
        known ? this.attemptOn(known(), request) : this.attempt(request),
      );
      if (finish) return finish();
      context.session?.forget(stream);
      if (context.claims) break;
      if (!known) await this.pauseAfter(attempt);
    }
    throw new DomainError('conflict', 'The resource is being changed by others. Try again.');
  }

  /** Waits before another try of what met a conflict: longer each time, and not all at once. */
  async pauseAfter(attempt: number): Promise<void> {
    await this.pause(Math.random() * 5 * 2 ** Math.min(attempt, 6));
  }

  /** @returns undefined where others appended first */
  private async attempt<State, Command, Event extends DomainEvent>(
    request: Request<State, Command, Event>,
  ): Promise<Finish<State, Event> | undefined> {
    const { aggregate, stream, context } = request;
    // 1. Load what the stream has gained since it was folded last.
    const loaded = await this.load(aggregate, stream, context);
    const { last, recorded } = loaded;

    // 2. The same command ran before: its recorded outcome stands.
    if (recorded) {
      // Recorded by others since the session has loaded the stream: what it holds can be older.
      context.session?.forget(stream);
      return () => this.finishAgain(recorded, context);
    }

    // 3. The caller changes the revision that it has seen (If-Match).
    context.resource?.require(stream, last?.revision);

    // 4. Decide.
    const decision = await this.decide(request, loaded);
    const { state, events } = decision;
    if (events.length === 0) {
      notePosition(context.correlationId, last?.position);
      context.resource?.note(stream, last?.revision);
      return async () => ({ state, events: [], revision: last?.revision, position: last?.position });
    }

    // 5. Append, then run the policies.
    return this.append(request, loaded, decision);
  }

  /**
   * Returns the stream as this command has loaded it, or, for an id that no event can carry yet, as the process remembers
   * it, or as empty where the command begins it; undefined where none of these can be.
   */
  private known<State, Command, Event extends DomainEvent>({
    aggregate,
    stream,
    context,
  }: Request<State, Command, Event>): (() => FoldedStream<State, Event>) | undefined {
    const loaded = context.session?.loaded(stream) as FoldedStream<State, Event> | undefined;
    if (loaded && !isRepeatIn(loaded, context)) return () => loaded;
    const remembered = () => this.folded.remembered<State, Event>(stream, aggregate);
    if (context.beginsStream) return remembered().last ? undefined : remembered;
    return context.isFirstDelivery ? remembered : undefined;
  }

  /** Steps 3 to 5 without a look at the log. The append proves the state; nothing is refused because of it. */
  private async attemptOn<State, Command, Event extends DomainEvent>(
    known: FoldedStream<State, Event>,
    request: Request<State, Command, Event>,
  ): Promise<Finish<State, Event> | undefined> {
    const { stream, context } = request;
    if (context.resource?.allows(stream, known.last?.revision) === false) return undefined;
    const decision = await this.decide(request, known).catch(() => undefined);
    if (!decision || decision.events.length === 0) return undefined;
    return this.append(request, known, decision);
  }

  /** Decides at the command's time, but never before the stream's last event. @throws DomainError */
  private async decide<State, Command, Event extends DomainEvent>(
    { aggregate, stream, command, context }: Request<State, Command, Event>,
    { state, last }: FoldedStream<State, Event>,
  ): Promise<Decision<State, Event>> {
    const time = await commandTime(context, this.clock);
    const now = last ? latest(time, last.metadata.recordedAt) : time;
    const issued = { now, commandId: context.commandId, ...command };
    try {
      return { now, state, rules: aggregate, events: aggregate.decide(issued, state) };
    } catch (error) {
      const rules = aggregate.fullHistory;
      if (!(error instanceof SnapshotTooShallow) || !rules) throw error;
      const whole = await foldStream(this.store, stream, rules, last?.revision);
      return { now, state: whole.state, rules, events: aggregate.decide(issued, whole.state) };
    }
  }

  /** Appends where the state was read, under ids that a repeat has again. @returns undefined where others came first */
  private async append<State, Command, Event extends DomainEvent>(
    { aggregate, stream, context }: Request<State, Command, Event>,
    loaded: FoldedStream<State, Event>,
    { now, state, rules, events: decided }: Decision<State, Event>,
  ): Promise<Finish<State, Event> | undefined> {
    const expected = loaded.last?.revision ?? 'no_stream';
    const events = toNewEvents(stream, decided, context, now);
    const appended = await appendSurely(
      this.store,
      { stream, expected, events, claims: context.claims },
      this.pause,
    );
    // Another process can have decided the same command at another time: its outcome is in the log.
    if (appended === 'conflict' || appended.isRepeat) return undefined;

    const outcome = {
      state: decided.reduce(rules.evolve, state),
      events: toRecorded(stream, appended, events),
      revision: appended.revision,
      position: appended.position,
    };
    // A store that does not say so may have answered a repeat, except of a command that is delivered first.
    const isNew = context.isFirstDelivery === true || appended.isRepeat === false;
    if (isNew && rules === aggregate) {
      const left = this.folded.remember(stream, loaded, outcome);
      context.session?.keep(stream, left as FoldedStream<unknown, DomainEvent>);
    } else {
      context.session?.forget(stream);
    }
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
    const folded = await this.folded.load<State, Event>(stream, aggregate, context.session);
    const isRepeat = isRepeatIn(folded, context);
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
    { correlationId, isFirstDelivery, session }: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    notePosition(correlationId, outcome.position);
    try {
      await this.policies.handle(outcome.events, session);
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
