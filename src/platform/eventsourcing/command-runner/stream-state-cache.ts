import { type DomainEvent, type RecordedEvent, categoryOf } from '../../../kernel/event.js';
import type { Instant } from '../../../kernel/instant.js';
import { storeInUse } from '../../as-of/moment.js';
import { type EventStore, foldStream, eventsSinceSnapshot, approximateSize } from '../store/event-store.js';
import { isFrozen } from '../store/frozen-view.js';
import type { CommandSession, FoldedStream, LastEvent } from './command-context.js';
import type { Decider } from '../../../kernel/decider.js';
import type { Uuid } from '../../../kernel/ids.js';
import { SeparateFlights } from '../../concurrency/shared-calls.js';

export interface ReadState<State> {
  readonly state: State;
  /** Revision of the last event; undefined for an empty stream. */
  readonly revision: bigint | undefined;
  /** Recording time of the last event; absent for a state at a revision. */
  readonly recordedAt?: Instant | undefined;
  /** Ids of the commands that appended the events; absent for a state at a revision. */
  readonly commandIds?: ReadonlySet<Uuid>;
}

/**
 * Returns the current state of a stream from the cache and its new events, or the state at a revision for verifications.
 * @param session of the command that reads, which may have loaded the stream
 * @throws StoreUnavailable
 */
export async function readState<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  rules: FoldRules<State, Event>,
  upTo?: bigint,
  session?: CommandSession,
): Promise<ReadState<State>> {
  if (upTo !== undefined) {
    return isFrozen(store)
      ? foldFrozen(await store.eventsOf(stream), rules, upTo)
      : foldStream(store, stream, rules, upTo);
  }
  const { state, last, commandIds } = await StreamStateCache.of(storeInUse(store)).load(
    stream,
    rules,
    session,
  );
  return { state, revision: last?.revision, recordedAt: last?.recordedAt, commandIds };
}

/** Returns the state of a stream as the process last read or appended to it; undefined where it remembers none. */
export function rememberedState<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  rules: FoldRules<State, Event>,
): ReadState<State> | undefined {
  const { state, last, commandIds } = StreamStateCache.of(storeInUse(store)).remembered(stream, rules);
  return last && { state, revision: last.revision, recordedAt: last.recordedAt, commandIds };
}

/** A fold of the first `count` events of a stream. */
interface Fold extends ReadState<unknown> {
  readonly count: number;
}

/** Last fold of each frozen stream, by rules. States never mutate, so a later fold can continue it. */
const lastFolds = new WeakMap<readonly RecordedEvent[], Map<object, Fold>>();

/** Folds up to a revision: continues the last fold if it ended earlier, or starts from a newer snapshot event. */
function foldFrozen<State, Event extends DomainEvent>(
  events: readonly RecordedEvent[],
  rules: FoldRules<State, Event>,
  upTo: bigint,
): ReadState<State> {
  const folds = lastFolds.get(events) ?? new Map<object, Fold>();
  const count = events.findLastIndex(({ revision }) => revision <= upTo) + 1;
  const snapshotAt = events.findLastIndex(
    ({ type }, index) => index < count && type === rules.snapshotEventType,
  );
  const last = folds.get(rules);
  const known = last && last.count <= count && last.count > snapshotAt ? last : undefined;
  let state = known ? (known.state as State) : rules.initial();
  for (const event of events.slice(known?.count ?? Math.max(snapshotAt, 0), count)) {
    state = rules.evolve(state, event as RecordedEvent<Event> as unknown as Event);
  }
  const revision = events[count - 1]?.revision;
  lastFolds.set(events, folds.set(rules, { state, revision, count }));
  return { state, revision };
}

export interface FoldRules<State, Event extends DomainEvent> extends Pick<
  Decider<State, unknown, Event>,
  'initial' | 'evolve'
> {
  /** Type of the snapshot event, which contains the whole state. */
  readonly snapshotEventType?: Event['type'];
}

/** Limits of the cache: streams, and characters of their events and command ids, as accounts differ much in size. */
const REMEMBERED = 6_000;
const MAX_CHARACTERS = 24_000_000;
/** Characters that a command id counts for: its text, and its place in a set. */
const CHARACTERS_OF_ID = 64;
/** Limit of the command ids of a stream with a new snapshot. It is then read again from there. */
const MAX_IDS = 10_000;

/**
 * Caches states of streams and evicts the least recently used. A load reads the events appended since the last one, by any
 * process, so it costs the same for long streams and is never stale. States never mutate, so they can be shared; all
 * callers fold a category with equal rules.
 */
export class StreamStateCache {
  static readonly #ofStores = new WeakMap<EventStore, StreamStateCache>();
  readonly #known = new Map<string, FoldedStream<unknown>>();
  /** Characters of each cached stream when it was cached: its set of command ids may grow since. */
  readonly #sizes = new Map<string, number>();
  /** Characters of all cached streams. */
  #size = 0;
  /** Shares a read among concurrent loads of one stream, as many commands of a sweep read one stream. */
  readonly #reads = new SeparateFlights((stream: string) => this.#load(stream));
  /** Rules of each category. */
  readonly #rules = new Map<string, FoldRules<unknown, DomainEvent>>();

  constructor(private readonly store: EventStore) {}

  /** Returns the cache of a store, which commands, runs and readers of this process share. */
  static of(store: EventStore): StreamStateCache {
    let known = this.#ofStores.get(store);
    if (!known) this.#ofStores.set(store, (known = new StreamStateCache(store)));
    return known;
  }

  async load<State, Event extends DomainEvent>(
    stream: string,
    rules: FoldRules<State, Event>,
    session?: CommandSession,
  ): Promise<FoldedStream<State>> {
    this.#rules.set(categoryOf(stream), rules as unknown as FoldRules<unknown, DomainEvent>);
    if (session) {
      const loaded = await session.load(stream, async () => {
        const known = this.#known.get(stream);
        const added =
          known && this.store.knownEvents?.(stream, known.last!.revision + 1n, session.readsSince);
        if (added) return this.#fold(stream, known, added);
        return (await this.load(stream, rules)) as FoldedStream<unknown>;
      });
      return loaded as FoldedStream<State>;
    }
    return (await this.#reads.run(stream)) as FoldedStream<State>;
  }

  async #load(stream: string): Promise<FoldedStream<unknown>> {
    const rules = this.#rules.get(categoryOf(stream))!;
    const known = this.#known.get(stream);
    const { snapshotEventType } = rules;
    const unread =
      !known && snapshotEventType
        ? await eventsSinceSnapshot(this.store, stream, snapshotEventType)
        : this.store.readStream(stream, known ? { from: known.last!.revision + 1n } : {});
    return this.#fold(stream, known, unread);
  }

  async #fold(
    stream: string,
    known: FoldedStream<unknown> | undefined,
    unread: Iterable<RecordedEvent> | AsyncIterable<RecordedEvent>,
  ): Promise<FoldedStream<unknown>> {
    const rules = this.#rules.get(categoryOf(stream))!;
    let { state, last } = known ?? { state: rules.initial(), last: undefined };
    let { unreadUntil, size } = known ?? { unreadUntil: undefined, size: 0 };
    const added = new Set<Uuid>();
    let hasNewSnapshot = false;
    const { snapshotEventType } = rules;
    for await (const event of unread) {
      if (!last && event.revision > 0n) unreadUntil = event.metadata.recordedAt;
      state = rules.evolve(state, event);
      last = lastEvent(event);
      size = sizeAfter(size, event, snapshotEventType);
      hasNewSnapshot ||= known !== undefined && event.type === snapshotEventType;
      added.add(event.metadata.commandId);
    }
    const commandIds = added.size === 0 && known ? known.commandIds : withAll(known?.commandIds, added);
    const folded = { state, last, commandIds, unreadUntil, size };
    if (last) this.#remember(stream, folded, hasNewSnapshot);
    return folded;
  }

  /** Returns the cached state without reading the stream; the expected revision of the append detects a stale one. */
  remembered<State, Event extends DomainEvent>(
    stream: string,
    rules: Pick<Decider<State, unknown, Event>, 'initial'>,
  ): FoldedStream<State> {
    const known = this.#known.get(stream) as FoldedStream<State> | undefined;
    return known ?? { state: rules.initial(), last: undefined, commandIds: new Set(), size: 0 };
  }

  /** Caches the state after an append, whose expected revision has proved the state before it. */
  remember<State, Event extends DomainEvent>(
    stream: string,
    before: FoldedStream<State>,
    { state, events }: { readonly state: State; readonly events: readonly RecordedEvent<Event>[] },
  ): FoldedStream<State> {
    const newest = events.at(-1)!;
    const last = lastEvent(newest);
    const commandIds = withAll(before.last && before.commandIds, new Set([newest.metadata.commandId]));
    const snapshotEventType = this.#rules.get(categoryOf(stream))?.snapshotEventType;
    const size = events.reduce((sum, event) => sizeAfter(sum, event, snapshotEventType), before.size);
    const appended = { state, last, commandIds, unreadUntil: before.unreadUntil, size };
    const hasNewSnapshot = events.some(({ type }) => type === snapshotEventType);
    this.#remember(stream, appended as FoldedStream<unknown>, hasNewSnapshot);
    return appended;
  }

  /**
   * Caches a stream, unless it has very many command ids and a new snapshot: then the next load reads it from there, and
   * the store recognizes a repeat of an earlier command.
   */
  #remember(stream: string, folded: FoldedStream<unknown>, hasNewSnapshot: boolean): void {
    const known = this.#known.get(stream);
    if (known && known.last!.revision > folded.last!.revision) return;
    this.#forget(stream);
    if (hasNewSnapshot && folded.commandIds.size > MAX_IDS) return;
    this.#known.set(stream, folded);
    const size = folded.size + folded.commandIds.size * CHARACTERS_OF_ID;
    this.#sizes.set(stream, size);
    this.#size += size;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED && this.#size <= MAX_CHARACTERS) return;
      if (oldest !== stream) this.#forget(oldest);
    }
  }

  #forget(stream: string): void {
    this.#size -= this.#sizes.get(stream) ?? 0;
    this.#sizes.delete(stream);
    this.#known.delete(stream);
  }
}

const lastEvent = ({ revision, position, metadata: { recordedAt } }: RecordedEvent): LastEvent => ({
  revision,
  position,
  recordedAt,
});

const sizeAfter = (
  size: number,
  { type, data }: RecordedEvent,
  snapshotEventType: string | undefined,
): number => (type === snapshotEventType ? approximateSize(data) : size + approximateSize(data));

/** Adds ids to the set of a stream. All states of a stream share the set, as it only grows. */
function withAll(known: ReadonlySet<Uuid> | undefined, added: Set<Uuid>): ReadonlySet<Uuid> {
  if (!known) return added;
  for (const id of added) (known as Set<Uuid>).add(id);
  return known;
}
