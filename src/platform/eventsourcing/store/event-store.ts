import {
  type DomainEvent,
  type EventMetadata,
  type Position,
  type RecordedEvent,
  type StreamCategory,
  categoryOf,
  orgOfStream,
} from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { ClaimsToTake } from '../claims/claim.js';
import { LongWork } from '../../concurrency/long-work.js';

/** An event ready to be appended: its id is derived from command id and index, so a repeat has the same one. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: Uuid;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
}

/** The revision of the stream's last event, or that there is none yet. There is no "any". */
export type ExpectedRevision = bigint | 'no_stream';

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: bigint;
  readonly position: Position;
  /** Whether these events were there before; undefined where the store does not say. */
  readonly isRepeat?: boolean;
}

/** Another event stands at the expected revision. Nothing was written. */
export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
  ) {
    super(`${stream} is not at revision ${expected}`);
  }
}

/** The connection broke before the answer: the events may or may not be stored. Send the same append again. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

/** The store does not answer. Nothing is known to be written; readers may try again later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export interface ReadStreamOptions {
  /** First revision read, inclusive; default the first event (forwards) or the last (backwards). */
  readonly from?: bigint;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
  /** Backwards: nothing before the newest event of this type is wanted; a store may hand it out all the same. */
  readonly until?: string;
}

/** Yielded by a subscription after everything that was stored when it caught up. */
export const CAUGHT_UP = 'caught_up';

/**
 * The log. Every driver keeps one contract (test/contract/event-store): per-stream revisions 0, 1, 2 …, one global
 * order whose positions become visible in order, appends that are all or nothing, and a repeat of an append (same
 * stream, expected revision and event ids) that is answered like the first time. An append stays under 512 kB.
 */
export interface EventStore {
  /**
   * @param claims taken with it, by the store that has them beside its log; refused like a conflict when one is held
   * @throws RevisionConflict, AppendOutcomeUnknown, StoreUnavailable; AppendTooLarge, and RangeError for no events
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    claims?: ClaimsToTake,
  ): Promise<AppendResult>;
  /** Empty for a stream that does not exist. Pages inside, so memory is bounded. @throws StoreUnavailable */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;
  /** Everything after a position (exclusive), or all, up to the head; no system events. @throws StoreUnavailable */
  readAll(after?: Position, limit?: number): AsyncIterable<RecordedEvent>;
  /**
   * Everything after a position (exclusive), then what comes, until the signal aborts or the store is closed; CAUGHT_UP
   * marks each passage from catching up to live. Reconnects by itself and never repeats or loses an event within one call.
   */
  subscribeAll(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncIterable<RecordedEvent | typeof CAUGHT_UP>;
  /**
   * The streams of a category, each once, in the order in which they began: for a store that knows them without reading
   * all its events; others are asked through `streamsOf`. @throws StoreUnavailable
   */
  streamsOf?(category: StreamCategory): AsyncIterable<string>;
  /** Position of the newest event; undefined while the store is empty. @throws StoreUnavailable */
  head(): Promise<Position | undefined>;
  /** Id of the store's first event, by which a checkpoint knows its store; undefined while it is empty. */
  identity(): Promise<Uuid | undefined>;
  /** Ends subscriptions; afterwards everything is StoreUnavailable. */
  close(): Promise<void>;
}

/** Injection token of the driver in use. */
export const EVENT_STORE = Symbol('EventStore');

/** Injection token of the same log with events as they are stored: former shapes are not lifted. */
export const STORED_EVENTS = Symbol('StoredEvents');

/** The streams of a category, each once, in the order in which they began. @throws StoreUnavailable */
export async function* streamsOf(
  store: Pick<EventStore, 'readAll' | 'streamsOf'>,
  category: StreamCategory,
): AsyncGenerator<string> {
  if (store.streamsOf) return yield* store.streamsOf(category);
  for await (const { stream, revision } of store.readAll()) {
    if (revision === 0n && categoryOf(stream) === category) yield stream;
  }
}

/** The limit of one append as JSON, data and metadata together: half of EventStoreDB's default limit of 1 MiB. */
export const MAX_APPEND_BYTES = 512 * 1024;

/** The events of one append exceed the limit. The caller has to split them. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(stream: string, bytes: number) {
    super(`an append of ${bytes} bytes to ${stream}, where ${MAX_APPEND_BYTES} are allowed`);
  }
}

/** An event as stores keep it: JSON text, so that every driver returns exactly what JSON can hold. */
export interface SerializedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** @throws AppendTooLarge, RangeError for an append of nothing (it would have no revision to answer) */
export function serializeAppend(stream: string, events: readonly NewEvent[]): SerializedEvent[] {
  if (events.length === 0) throw new RangeError(`an append of no events to ${stream}`);
  let bytes = 0;
  const serialized = events.map((event) => {
    const data = JSON.stringify(event.data);
    const metadata = JSON.stringify(event.metadata);
    noteSize(event.data, data.length);
    bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
    return { id: event.id, type: event.type, data, metadata };
  });
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  return serialized;
}

export interface FoldedState<State> {
  readonly state: State;
  /** Revision of the last event folded; undefined when there is none. */
  readonly revision: bigint | undefined;
}

/** A stream's state, as it is or as it was at a revision: what a verification reads again. */
export async function foldStream<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  rules: {
    readonly initial: () => State;
    readonly evolve: (state: State, event: Event) => State;
    readonly snapshotEventType?: string;
  },
  upTo?: bigint,
): Promise<FoldedState<State>> {
  let state = rules.initial();
  let revision: bigint | undefined;
  const { snapshotEventType } = rules;
  const events = snapshotEventType
    ? await eventsToFold(store, stream, snapshotEventType, upTo)
    : store.readStream(stream);
  const parts = new LongWork(orgOfStream(stream));
  for await (const event of events) {
    if (upTo !== undefined && event.revision > upTo) break;
    state = parts.do(() => rules.evolve(state, event as RecordedEvent<Event> as unknown as Event));
    revision = event.revision;
    const turn = parts.turn();
    if (turn) await turn;
  }
  return { state, revision };
}

/** Events asked for in one go, backwards: what lies between two carryings of an account of the usual size. */
const PAGE = 100;

/**
 * The events that a stream's state is folded from, in order: from the last one that carries all before it, else all.
 * @param upTo revision of the last of them
 */
export async function eventsToFold(
  store: EventStore,
  stream: string,
  snapshotEventType: string,
  upTo?: bigint,
): Promise<RecordedEvent[]> {
  const backwards: RecordedEvent[] = [];
  for (let from = upTo; from === undefined || from >= 0n;) {
    const before = backwards.length;
    const start = from === undefined ? {} : { from };
    const page = { direction: 'backwards', limit: PAGE, until: snapshotEventType, ...start } as const;
    for await (const event of store.readStream(stream, page)) {
      backwards.push(event);
      if (event.type === snapshotEventType) return backwards.reverse();
    }
    if (backwards.length - before < PAGE) break;
    from = backwards.at(-1)!.revision - 1n;
  }
  return backwards.reverse();
}

/** Sizes of stored objects, which never change; several caches ask for the same one. */
const sizes = new WeakMap<object, number>();

/** Estimates the length of a value as JSON, eight times as fast as writing it, and once for each object. */
export function approximateSize(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = estimate(value);
  sizes.set(value, size);
  return size;
}

/** Notes the length of the JSON that an object was parsed from, so that nobody estimates it. */
export function noteSize(value: unknown, length: number): void {
  if (typeof value === 'object' && value !== null) sizes.set(value, length);
}

function estimate(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 8;
  let size = 8;
  for (const name in value) size += 8 + estimate((value as Record<string, unknown>)[name]);
  return size;
}
