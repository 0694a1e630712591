import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../kernel/errors.js';
import { type DomainEvent, type Position, type RecordedEvent, streamName } from '../../../kernel/event.js';
import { latest, type Instant } from '../../../kernel/instant.js';
import type { Clock } from '../../clock/clock.js';
import type { EventStore } from '../store/event-store.js';
import type { Logger } from '../../telemetry/logger.js';
import { isStoreDown } from '../store/store-down.js';
import {
  appendWithRetry,
  areStored,
  mayBeRepeat,
  mayRunElsewhere,
  notePosition,
  toNewEvents,
  toRecorded,
} from './append-events.js';
import {
  type StreamDecider,
  commandTime,
  type CommandContext,
  decide,
  type Decision,
  type FoldedStream,
} from './command-context.js';
import { StreamStateCache } from './stream-state-cache.js';
import type { Policies } from '../policies/policies.js';
import { KeyedMutex } from '../../concurrency/shared-calls.js';

export interface CommandOutcome<State, Event extends DomainEvent> {
  /** State right after the command, without later changes by others. */
  readonly state: State;
  /** Events that this command appended; empty when it changed nothing. */
  readonly events: readonly RecordedEvent<Event>[];
  /** Revision of the stream's last event in `state`; undefined for an empty stream. */
  readonly revision: bigint | undefined;
  readonly position: Position | undefined;
}

interface Loaded<State, Event extends DomainEvent> extends FoldedStream<State> {
  /** Outcome of the first delivery if this command is a repeat. */
  readonly recorded: CommandOutcome<State, Event> | undefined;
}

const CONFLICT_RETRIES = 10;

/** One command on one stream. */
interface Request<State, Command, Event extends DomainEvent> {
  readonly decider: StreamDecider<State, Command, Event>;
  readonly stream: string;
  readonly command: Command;
  readonly context: CommandContext;
}

/** Runs the policies of a command after it releases the mutex of its stream. */
type RunPolicies<State, Event extends DomainEvent> = () => Promise<CommandOutcome<State, Event>>;

interface DatedDecision<State, Event extends DomainEvent> extends Decision<State, Event> {
  readonly now: Instant;
}

/** Runs every command in the same steps, from loading the state to the policies (docs/architecture.md#commands). */
export class CommandRunner {
  private readonly folded: StreamStateCache;
  /** Serializes the commands of this process on one stream: concurrent ones would conflict and be decided again. */
  readonly mutex: KeyedMutex;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly policies: Policies,
    private readonly log: Logger,
    /** Waits some milliseconds before the next attempt; a simulation waits in simulated time. */
    private readonly pause: (ms: number, signal?: AbortSignal) => Promise<unknown> = wallTime,
  ) {
    this.folded = StreamStateCache.of(store);
    this.mutex = new KeyedMutex(this.pause);
  }

  /**
   * Runs a command and the policies that react to its events.
   * @throws DomainError when the command is refused, `conflict` after all retries; StoreUnavailable
   */
  async run<State, Command, Event extends DomainEvent>(
    decider: StreamDecider<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    const stream = streamName(decider.category, context.org, id);
    const request = { decider, stream, command, context };
    for (let attempt = 0; attempt < CONFLICT_RETRIES; attempt++) {
      const known = attempt === 0 ? this.stateWithoutRead(request) : undefined;
      const runPolicies = await this.mutex.take(stream, () =>
        known ? this.attemptOptimistically(known(), request) : this.attempt(request),
      );
      if (runPolicies) return runPolicies();
      context.session?.forget(stream);
      if (context.claims) break;
      if (!known) await this.pauseAfter(attempt);
    }
    throw new DomainError('conflict', 'Other requests are changing the resource. Try again.');
  }

  /** Waits after a conflict: a random time whose limit grows with each attempt. */
  async pauseAfter(attempt: number): Promise<void> {
    await this.pause(Math.random() * 5 * 2 ** Math.min(attempt, 6));
  }

  /** @returns undefined after a conflict */
  private async attempt<State, Command, Event extends DomainEvent>(
    request: Request<State, Command, Event>,
  ): Promise<RunPolicies<State, Event> | undefined> {
    const { decider, stream, context } = request;
    // Load.
    const loaded = await this.load(decider, stream, context);
    const { last, recorded } = loaded;

    // Repeat: return the recorded outcome.
    if (recorded) {
      // The session may hold an older state: another process may have recorded the outcome after the session loaded it.
      context.session?.forget(stream);
      return () => this.rerunPolicies(recorded, context);
    }

    // If-Match.
    context.resource?.require(stream, last?.revision);

    // Decide.
    const decision = await this.decide(request, loaded);
    const { state, events } = decision;
    if (events.length === 0) {
      notePosition(context.correlationId, last?.position);
      context.resource?.note(stream, last?.revision);
      return async () => ({ state, events: [], revision: last?.revision, position: last?.position });
    }

    // Append. The returned function runs the policies.
    return this.append(request, loaded, decision);
  }

  /**
   * Returns a state to decide on without a read: the state that the session has loaded, the cached state if no event can
   * carry the command id yet, or the empty state of a stream that the command begins. Undefined if there is none.
   */
  private stateWithoutRead<State, Command, Event extends DomainEvent>({
    decider,
    stream,
    context,
  }: Request<State, Command, Event>): (() => FoldedStream<State>) | undefined {
    const loaded = context.session?.loaded(stream) as FoldedStream<State> | undefined;
    if (loaded && !mayBeRepeat(loaded, context)) return () => loaded;
    const remembered = () => this.folded.remembered<State, Event>(stream, decider);
    if (context.beginsStream) return remembered().last ? undefined : remembered;
    return context.isFirstDelivery ? remembered : undefined;
  }

  /**
   * Checks If-Match, decides and appends without reading the log. The append checks the revision. The state may be old, so
   * every error of the decision is ignored, those of the store included: the command is decided again on a fresh state.
   */
  private async attemptOptimistically<State, Command, Event extends DomainEvent>(
    known: FoldedStream<State>,
    request: Request<State, Command, Event>,
  ): Promise<RunPolicies<State, Event> | undefined> {
    const { stream, context } = request;
    if (context.resource?.allows(stream, known.last?.revision) === false) return undefined;
    const decision = await this.decide(request, known).catch(() => undefined);
    if (!decision || decision.events.length === 0) return undefined;
    return this.append(request, known, decision);
  }

  /** Decides at the command's time, or at the time of the stream's last event if that is later. @throws DomainError */
  private async decide<State, Command, Event extends DomainEvent>(
    { decider, stream, command, context }: Request<State, Command, Event>,
    { state, last }: FoldedStream<State>,
  ): Promise<DatedDecision<State, Event>> {
    const time = await commandTime(context, this.clock);
    const now = last ? latest(time, last.recordedAt) : time;
    const issued = { now, commandId: context.commandId, ...command };
    const loaded = { state, revision: last?.revision };
    return { now, ...(await decide(this.store, stream, decider, issued, loaded)) };
  }

  /** Appends after the loaded revision; event ids derive from the command id. @returns undefined after a conflict */
  private async append<State, Command, Event extends DomainEvent>(
    { decider, stream, context }: Request<State, Command, Event>,
    loaded: FoldedStream<State>,
    { now, state, rules, events: decided }: DatedDecision<State, Event>,
  ): Promise<RunPolicies<State, Event> | undefined> {
    const expected = loaded.last?.revision ?? 'no_stream';
    const events = toNewEvents(stream, decided, context, now);
    const appended = await appendWithRetry(this.store, { stream, expected, events, context }, this.pause);
    // Another process may have decided this command at another time. The next attempt reads that outcome from the log.
    if (appended === 'conflict' || appended.isRepeat) return undefined;

    const outcome = {
      state: decided.reduce(rules.evolve, state),
      events: toRecorded(stream, appended, events),
      revision: appended.revision,
      position: appended.position,
    };
    // EventStoreDB does not report repeats: the events may be those that another process has decided.
    if (appended.isRepeat === undefined && mayRunElsewhere(context)) {
      if (!(await areStored(this.store, outcome.events))) return undefined;
    }
    // Only a first delivery surely stored these events with this time.
    const isFirstDelivery = context.isFirstDelivery === true || appended.isRepeat === false;
    if (isFirstDelivery && rules === decider) {
      const folded = this.folded.remember(stream, loaded, outcome);
      context.session?.keep(stream, folded as FoldedStream<unknown>);
    } else {
      context.session?.forget(stream);
    }
    context.resource?.note(stream, outcome.revision);
    return () => this.runPolicies(outcome, context);
  }

  /** Returns the outcome of a repeated command after its policies ran; undefined for a new one. @throws StoreUnavailable */
  async repeated<State, Command, Event extends DomainEvent>(
    decider: StreamDecider<State, Command, Event>,
    id: string,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event> | undefined> {
    if (context.isFirstDelivery) return undefined;
    const stream = streamName(decider.category, context.org, id);
    const { recorded } = await this.load(decider, stream, context);
    return recorded && this.rerunPolicies(recorded, context);
  }

  /** Loads the stream's new events; reads the whole stream only for a command that may be a repeat. */
  private async load<State, Command, Event extends DomainEvent>(
    decider: StreamDecider<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<Loaded<State, Event>> {
    const folded = await this.folded.load<State, Event>(stream, decider, context.session);
    const isRepeat = mayBeRepeat(folded, context);
    return { recorded: isRepeat ? await this.recorded(decider, stream, context) : undefined, ...folded };
  }

  private async recorded<State, Command, Event extends DomainEvent>(
    decider: StreamDecider<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event> | undefined> {
    // A snapshot on the way may lack what the command has changed.
    const rules = decider.fullHistory ?? decider;
    let state = rules.initial();
    let recorded: CommandOutcome<State, Event> | undefined;
    for await (const stored of this.store.readStream(stream)) {
      const event = stored as RecordedEvent<Event>;
      state = rules.evolve(state, event as unknown as Event);
      if (event.metadata.commandId !== context.commandId) continue;
      const events: RecordedEvent<Event>[] = [...(recorded?.events ?? []), event];
      recorded = { state, events, revision: event.revision, position: event.position };
    }
    return recorded;
  }

  /** Runs the policies that have not run yet; their events carry the correlation id of the first request. */
  private async rerunPolicies<State, Event extends DomainEvent>(
    recorded: CommandOutcome<State, Event>,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    const outcome = await this.runPolicies(recorded, context);
    notePosition(context.correlationId, await this.store.head());
    return outcome;
  }

  /**
   * Runs the policies. `PolicyWorker` repeats a failed policy from the log. A temporary failure is thrown if the caller can
   * repeat the command, so that the caller's next request does not overtake the policy.
   */
  private async runPolicies<State, Event extends DomainEvent>(
    outcome: CommandOutcome<State, Event>,
    { correlationId, isFirstDelivery, session }: CommandContext,
  ): Promise<CommandOutcome<State, Event>> {
    notePosition(correlationId, outcome.position);
    try {
      await this.policies.handle(outcome.events, session);
    } catch (error) {
      if (!isFirstDelivery && isTemporary(error)) throw error;
      const events = outcome.events.map(({ type }) => type);
      this.log.warn({ err: error, events }, 'A policy failed. The policy worker repeats it.');
    }
    return outcome;
  }
}

const wallTime = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });

/** Tells whether a store is down, or the policy's command met too many conflicts. */
const isTemporary = (error: unknown): boolean =>
  isStoreDown(error) || (error instanceof DomainError && error.code === 'conflict');
