import { setTimeout as sleep } from 'node:timers/promises';
import { BACKWARDS, END, FORWARDS, START } from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { anySignal } from '../../../concurrency/signals.js';
import {
  AppendOutcomeUnknown,
  serializeAppend,
  type AppendResult,
  type CAUGHT_UP,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadStreamOptions,
  RevisionConflict,
  StoreUnavailable,
} from '../event-store.js';
import { Appender } from './appender.js';
import { connectClient, dispose, type NodeClient } from './client.js';
import { type ForeignEvent, RecountEvents } from './recount-events.js';
import { LogTail } from './log-tail.js';
import { isAfter, messageOf, newestPosition, readEvents, toRecordedEvent } from './reads.js';
import { followAll } from './subscription.js';

/** Events of a page. They are streamed, so memory holds a few of them. */
const PAGE = 500;
const HEAD_PAGE = 32;
/** Limit of pages that the tail reads at once; further behind, it restarts at the end of the log. */
const TAIL_PAGES = 8;
const DEADLINE = 10_000;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 100;

/** The log in EventStoreDB, over gRPC. */
export class EventStoreDbEventStore implements EventStore {
  readonly #closed = new AbortController();
  readonly #reader: NodeClient;
  readonly #appender: Appender;
  /** Result of an earlier `head`: up to the position `upTo`, no event of this service is newer than `head`. */
  #known: { upTo: Position; head: Position | undefined } | undefined;

  readonly #own: RecountEvents;
  readonly #tail = new LogTail({
    newest: () => newestPosition(this.#reader, this.deadline),
    readOn: (after, pass) => this.#readOn(after, pass),
  });

  /**
   * @param deadline milliseconds for the answer of an append, or the next event of a read
   * @param onForeign called for each event of another application in the log
   * @throws ConnectionStringError
   */
  constructor(
    connectionString: string,
    private readonly deadline: number = DEADLINE,
    onForeign?: (event: ForeignEvent) => void,
  ) {
    this.#own = new RecountEvents(onForeign);
    this.#reader = connectClient(connectionString);
    this.#appender = new Appender(connectionString, deadline);
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    const serialized = serializeAppend(stream, events);
    this.#refuseWhenClosed();
    const { revision, position } = await this.#appender
      .append(stream, expected, serialized)
      .catch((error: unknown) => this.#appendBehindForeign(error, stream, expected, serialized));
    this.#tail.note(stream, revision, position);
    return { revision, position: position ?? (await this.#positionOf(stream, revision)) };
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    this.#refuseWhenClosed();
    const known = await this.#fromTail(stream, options);
    if (known) return yield* known;
    const { direction = FORWARDS, limit = Infinity } = options;
    const before = this.#tail.end;
    let last: RecordedEvent | undefined;
    const step = direction === FORWARDS ? 1n : -1n;
    let start: bigint | typeof START | typeof END = options.from ?? (direction === FORWARDS ? START : END);
    for (let left = limit; left > 0;) {
      const maxCount = Math.min(PAGE, left);
      let count = 0;
      let next = 0n;
      const page = { stream, from: start, direction, maxCount };
      for await (const event of readEvents(this.#reader, page, this.deadline)) {
        count++;
        next = event.revision + step;
        if (!this.#own.has(event)) continue;
        last = toRecordedEvent(event);
        if (options.from === undefined && direction === BACKWARDS) this.#note(stream, last, before);
        yield last;
        left--;
      }
      if (count < maxCount || next < 0n) {
        if (direction === FORWARDS)
          this.#note(stream, last ?? { revision: (options.from ?? 0n) - 1n }, before);
        return;
      }
      start = next;
    }
  }

  knownEvents(stream: string, from: bigint, since: number): readonly RecordedEvent[] | undefined {
    this.#refuseWhenClosed();
    return this.#tail.known(stream, from, since);
  }

  async *readAll(after?: Position, limit = Infinity): AsyncGenerator<RecordedEvent> {
    this.#refuseWhenClosed();
    const known = after && (await this.#tail.after(after));
    if (known) return yield* known.slice(0, limit);
    let last = after;
    let left = limit;
    while (left > 0) {
      let count = 0;
      // A read includes its start, so a page begins with the last event of the page before.
      const page = { from: last ?? START, maxCount: PAGE } as const;
      for await (const event of readEvents(this.#reader, page, this.deadline)) {
        count++;
        if (!isAfter(event.position, last)) continue;
        last = event.position;
        if (!this.#own.has(event)) continue;
        yield toRecordedEvent(event);
        if (--left <= 0) return;
      }
      if (count < PAGE) return;
    }
  }

  async *subscribeAll(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<RecordedEvent | typeof CAUGHT_UP> {
    this.#refuseWhenClosed();
    const stop = anySignal(signal, this.#closed.signal);
    const reading = { deadline: this.deadline, own: this.#own };
    try {
      yield* followAll(this.#reader, after, stop.signal, reading);
    } finally {
      stop.release();
    }
  }

  /** Reads backwards to the newest event of this service, but not beyond the positions of the last call. */
  async head(): Promise<Position | undefined> {
    this.#refuseWhenClosed();
    let newest: Position | undefined;
    let before: Position | undefined;
    for (;;) {
      let count = 0;
      const page = { direction: BACKWARDS, from: before ?? END, maxCount: HEAD_PAGE } as const;
      for await (const event of readEvents(this.#reader, page, this.deadline)) {
        count++;
        if (before !== undefined && !isAfter(before, event.position)) continue;
        before = event.position;
        newest ??= event.position;
        if (this.#known && !isAfter(event.position, this.#known.upTo))
          return this.#know(newest, this.#known.head);
        if (this.#own.has(event)) return this.#know(newest, event.position);
      }
      if (count < HEAD_PAGE) return newest && this.#know(newest, undefined);
    }
  }

  async identity(): Promise<Uuid | undefined> {
    this.#refuseWhenClosed();
    for await (const { id } of this.readAll(undefined, 1)) return id;
    return undefined;
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    await Promise.all([this.#appender.close(), dispose(this.#reader)]);
  }

  /**
   * Appends after events of other applications. A caller knows the revisions of this service's events only, so events of
   * others after the expected revision are no conflict.
   */
  async #appendBehindForeign(
    error: unknown,
    stream: string,
    expected: ExpectedRevision,
    events: Parameters<Appender['append']>[2],
  ): ReturnType<Appender['append']> {
    if (!(error instanceof RevisionConflict)) throw error;
    // The next read of the stream must not use the tail.
    this.#tail.forget(stream);
    const last = await this.#revisionBehindForeign(stream, expected);
    if (last === expected) throw error;
    return this.#appender.append(stream, last, events).catch((again: unknown) => {
      throw again instanceof RevisionConflict ? error : again;
    });
  }

  /**
   * Returns the last of the revisions after `expected` that other applications have written. A node refuses an append before
   * the events that it conflicts with can be read, so this waits for them: the caller would read the same stream again.
   */
  async #revisionBehindForeign(stream: string, expected: ExpectedRevision): Promise<ExpectedRevision> {
    const page = { stream, from: expected === 'no_stream' ? 0n : expected, maxCount: PAGE };
    const until = performance.now() + this.deadline;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      let end: ExpectedRevision = 'no_stream';
      let last = expected;
      for await (const event of readEvents(this.#reader, page, this.deadline)) {
        end = event.revision;
        if (end === expected) continue;
        if (this.#own.has(event)) break;
        last = end;
      }
      // A stream that is shorter than expected conflicts with nothing that is to come.
      if (end !== expected || performance.now() + pause > until) return last;
      await sleep(pause);
    }
  }

  /** Reads a stream from the tail of the log; undefined if the stream itself has to be read. */
  async #fromTail(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[] | undefined> {
    const { direction = FORWARDS, from, limit } = options;
    const first = direction === FORWARDS ? (from ?? 0n) : 0n;
    if (!this.#tail.mayKnow(stream, first)) return undefined;
    const events = await this.#tail.since(stream, first);
    if (!events || direction === FORWARDS) return events?.slice(0, limit);
    return events
      .filter(({ revision }) => from === undefined || revision <= from)
      .reverse()
      .slice(0, limit);
  }

  /** Notes the last revision of a stream after a read. */
  #note(
    stream: string,
    { revision, position }: Pick<RecordedEvent, 'revision'> & Partial<RecordedEvent>,
    before: Position | undefined,
  ): void {
    const isNewer = position && (before === undefined || isAfter(position, before));
    this.#tail.note(stream, revision, isNewer ? position : before);
  }

  async #readOn(
    after: Position,
    pass: (position: Position, event?: RecordedEvent) => void,
  ): Promise<boolean> {
    let last = after;
    for (let pages = 0; pages < TAIL_PAGES; pages++) {
      let count = 0;
      const page = { from: last, maxCount: PAGE };
      for await (const event of readEvents(this.#reader, page, this.deadline)) {
        count++;
        if (!isAfter(event.position, last)) continue;
        last = event.position;
        pass(last, this.#own.has(event) ? toRecordedEvent(event) : undefined);
      }
      if (count < PAGE) return true;
    }
    return false;
  }

  #know(upTo: Position, head: Position | undefined): Position | undefined {
    this.#known = { upTo, head };
    return head;
  }

  /**
   * Reads the position of an event that an append has stored: the answer to a repeated append may have none.
   * @throws AppendOutcomeUnknown, so that the append is repeated: a store that is down would mean that nothing is stored
   */
  async #positionOf(stream: string, revision: bigint): Promise<Position> {
    let reason = 'it is not there yet.';
    try {
      for await (const event of this.readStream(stream, { from: revision, limit: 1 })) return event.position;
    } catch (error) {
      reason = messageOf(error);
    }
    throw new AppendOutcomeUnknown(
      `The revision ${revision} of ${stream} is stored and not readable: ${reason}`,
    );
  }

  #refuseWhenClosed(): void {
    if (this.#closed.signal.aborted) throw new StoreUnavailable('The event store is closed.');
  }
}
