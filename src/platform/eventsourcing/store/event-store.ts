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
import { UnreadableEvent } from './unreadable-event.js';

/** An event to append. Its id derives from command id and index, so a repeated command appends equal ids. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: Uuid;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
}

/** Revision of the stream's last event, or `no_stream` for a new stream. */
export type ExpectedRevision = bigint | 'no_stream';

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: bigint;
  readonly position: Position;
  /** True if the events were already stored; undefined if the store does not report it. */
  readonly isRepeat?: boolean;
}

/** Thrown when the stream is not at the expected revision; nothing was written. */
export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
  ) {
    super(`The stream ${stream} is not at revision ${expected}.`);
  }
}

/** Thrown when the connection broke before the answer: the events may be stored. Repeat the append. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

/** Thrown when the store does not answer; nothing was written. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export interface ReadStreamOptions {
  /** First revision read, inclusive; default the first event (forwards) or the last (backwards). */
  readonly from?: bigint;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
  /** Backwards only: type of the event after which the reader stops; a store may return earlier events. */
  readonly until?: string;
}

/** Yielded by a subscription when it has returned every stored event. */
export const CAUGHT_UP = 'caught_up';

/**
 * The log. Every driver keeps one contract (test/contract/event-store): revisions 0, 1, 2 … in each stream; one global
 * order whose positions become visible in order; atomic appends; and an append that is repeated with its stream, expected
 * revision and event ids gets the first answer. The limit of an append is 1 MB.
 */
export interface EventStore {
  /**
   * Appends events, all or none.
   * @param claims to take with the append, if the log is in PostgreSQL; a claim of another stream is a conflict
   * @throws RevisionConflict, AppendOutcomeUnknown, StoreUnavailable; AppendTooLarge, and RangeError for no events
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    claims?: ClaimsToTake,
  ): Promise<AppendResult>;
  /** Reads a stream in pages; a missing stream is empty. @throws StoreUnavailable */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;
  /**
   * Returns the events of a stream from a revision on if the store has them without a read, no older than an instant of
   * `performance.now()`; undefined if the stream has to be read.
   */
  knownEvents?(stream: string, from: bigint, since: number): readonly RecordedEvent[] | undefined;
  /** Reads the events after a position (exclusive), or all, up to the head. @throws StoreUnavailable */
  readAll(after?: Position, limit?: number): AsyncIterable<RecordedEvent>;
  /**
   * Yields the events after a position (exclusive), then new events, until the signal aborts or the store closes. Yields
   * CAUGHT_UP each time it has reached the head. Reconnects by itself, without repeating or losing an event.
   */
  subscribeAll(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncIterable<RecordedEvent | typeof CAUGHT_UP>;
  /**
   * Lists the streams of a category in the order in which they began, if the store can do so without reading all events.
   * Call the function `streamsOf` instead. @throws StoreUnavailable
   */
  streamsOf?(category: StreamCategory): AsyncIterable<string>;
  /** Returns the position of the newest event; undefined for an empty store. @throws StoreUnavailable */
  head(): Promise<Position | undefined>;
  /** Returns the id of the first event, which identifies the store of a checkpoint; undefined for an empty store. */
  identity(): Promise<Uuid | undefined>;
  /** Ends subscriptions; later calls throw StoreUnavailable. */
  close(): Promise<void>;
}

/** Injection token of the event store. */
export const EVENT_STORE = Symbol('EventStore');

/** Injection token of the event store without upcasts: events have their stored versions. */
export const STORED_EVENTS = Symbol('StoredEvents');

/** Lists the streams of a category in the order in which they began. @throws StoreUnavailable */
export async function* streamsOf(
  store: Pick<EventStore, 'readAll' | 'streamsOf'>,
  category: StreamCategory,
): AsyncGenerator<string> {
  if (store.streamsOf) return yield* store.streamsOf(category);
  for await (const { stream, revision } of store.readAll()) {
    if (revision === 0n && categoryOf(stream) === category) yield stream;
  }
}

/** Limit of the data and metadata of one append. EventStoreDB's is 1 MiB by default, with the names of the types. */
export const MAX_APPEND_BYTES = 1_000_000;

/** Thrown when the events of one append exceed the limit; split the append. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(
    stream: string,
    readonly bytes: number,
  ) {
    super(`An append to ${stream} has ${bytes} bytes; the limit is ${MAX_APPEND_BYTES}.`);
  }
}

/** An event as JSON text, so that every driver returns exactly the values of JSON. */
export interface SerializedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** Returns the bytes of events as they are sent. */
export const bytesOf = (events: readonly Pick<SerializedEvent, 'data' | 'metadata'>[]): number =>
  events.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata), 0);

/** Serializes the events of an append. @throws AppendTooLarge, RangeError for no events, which have no revision */
export function serializeAppend(stream: string, events: readonly NewEvent[]): SerializedEvent[] {
  if (events.length === 0) throw new RangeError(`An append to ${stream} has no events.`);
  const serialized = events.map((event) => {
    const data = JSON.stringify(event.data);
    const metadata = JSON.stringify(event.metadata);
    noteSize(event.data, data.length);
    return { id: event.id, type: event.type, data, metadata };
  });
  const bytes = bytesOf(serialized);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  return serialized;
}

export interface FoldedState<State> {
  readonly state: State;
  /** Revision of the last event folded; undefined when there is none. */
  readonly revision: bigint | undefined;
}

/** Folds a stream from the log, up to its end or to a revision, for verifications. @throws UnreadableEvent */
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
    ? await eventsSinceSnapshot(store, stream, snapshotEventType, upTo)
    : store.readStream(stream);
  const parts = new LongWork(orgOfStream(stream));
  for await (const event of events) {
    if (upTo !== undefined && event.revision > upTo) break;
    try {
      state = parts.do(() => rules.evolve(state, event as RecordedEvent<Event> as unknown as Event));
    } catch (error) {
      throw new UnreadableEvent(event, error);
    }
    revision = event.revision;
    const turn = parts.turn();
    if (turn) await turn;
  }
  return { state, revision };
}

/** Events of a page that is read backwards: about the distance of two snapshots of an ordinary account. */
const PAGE = 100;

/**
 * Returns the events that a stream's state is folded from: from its last snapshot event, or from its first event.
 * @param upTo revision of the last event
 */
export async function eventsSinceSnapshot(
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

/** Sizes of stored objects, which never change. */
const sizes = new WeakMap<object, number>();

/** Estimates the length of a value as JSON, once for each object and eight times as fast as writing it. */
export function approximateSize(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = estimate(value);
  sizes.set(value, size);
  return size;
}

/** Notes the length of the JSON text of an object, so that it need not be estimated. */
export function noteSize(value: unknown, length: number): void {
  if (typeof value === 'object' && value !== null) sizes.set(value, length);
}

/** Parses the data of a stored event and notes its length. */
export function parseData(text: string): object {
  const data = JSON.parse(text) as object;
  noteSize(data, text.length);
  return data;
}

function estimate(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 8;
  let size = 8;
  for (const name in value) size += 8 + estimate((value as Record<string, unknown>)[name]);
  return size;
}
