import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import { SingleFlight } from '../../../concurrency/shared-calls.js';
import { approximateSize } from '../event-store.js';
import { isAfter } from './reads.js';

/** Limits of the cache. Above a limit it evicts the oldest events until half is left. */
const MAX_EVENTS = 12_000;
const MAX_CHARACTERS = 8_000_000;
/** Limit of streams with a known last revision. */
const MAX_STREAMS = 20_000;

/** Source of the tail: the log. */
export interface TailSource {
  newest(): Promise<Position | undefined>;
  /**
   * Reads on after a position and passes every position, with the event if it is one of this service.
   * @returns false if the end is too far away, so that the tail restarts there
   */
  readOn(after: Position, pass: (position: Position, event?: RecordedEvent) => void): Promise<boolean>;
}

/**
 * Caches the end of the log, without a gap between positions. Concurrent questions for new events of streams share one read
 * of the log's end, instead of one read per stream. A read at the leader has every event that was stored before it began.
 */
export class LogTail {
  readonly #reads = new SingleFlight((_: 'end') => this.#read());
  #events: RecordedEvent[] = [];
  #characters = 0;
  readonly #byStream = new Map<string, RecordedEvent[]>();
  /** Positions between which `#events` has every event of this service. */
  #start: Position | undefined;
  #end: Position | undefined;
  /** Start of the latest complete read of the end, by `performance.now()`. */
  #readAt = -Infinity;
  /** Last revision of streams as of `#end`, -1 for a missing stream; the oldest entry comes first. */
  readonly #revisions = new Map<string, bigint>();

  constructor(private readonly source: TailSource) {}

  /** Position up to which the log was read. */
  get end(): Position | undefined {
    return this.#end;
  }

  /** Returns whether `since` may know the events of a stream from a revision on. */
  mayKnow(stream: string, from: bigint): boolean {
    const last = this.#revisions.get(stream);
    return last !== undefined && (from > last || this.#has(stream, from));
  }

  /** Returns the events of a stream from a revision on; undefined if the stream has to be read. @throws StoreUnavailable */
  async since(stream: string, from: bigint): Promise<readonly RecordedEvent[] | undefined> {
    await this.#reads.run('end');
    return this.#from(stream, from);
  }

  /** Returns like `since`, without a read, what was read of the end of the log by a read that began at an instant or later. */
  known(stream: string, from: bigint, at: number): readonly RecordedEvent[] | undefined {
    return this.#readAt < at ? undefined : this.#from(stream, from);
  }

  /** Returns the events after a position; undefined if the log has to be read. @throws StoreUnavailable */
  async after(position: Position): Promise<readonly RecordedEvent[] | undefined> {
    if (this.#start === undefined || isAfter(this.#start, position)) return undefined;
    await this.#reads.run('end');
    if (isAfter(this.#start, position)) return undefined;
    let first = this.#events.length;
    while (first > 0 && isAfter(this.#events[first - 1]!.position, position)) first -= 1;
    return this.#events.slice(first);
  }

  /** Notes the last revision of a stream as of a position, after an append or a read. */
  note(stream: string, revision: bigint, asOf: Position | undefined): void {
    if (this.#start === undefined) {
      // The first call finds the end of the log; later calls can be noted.
      void this.#reads.run('end').catch(() => undefined);
      return;
    }
    if (asOf === undefined || isAfter(this.#start, asOf)) return;
    const passed = this.#byStream.get(stream)?.at(-1)?.revision ?? -1n;
    this.#know(stream, passed > revision ? passed : revision);
  }

  forget(stream: string): void {
    this.#revisions.delete(stream);
  }

  #from(stream: string, from: bigint): readonly RecordedEvent[] | undefined {
    const last = this.#revisions.get(stream);
    if (last === undefined) return undefined;
    if (from > last) return [];
    if (!this.#has(stream, from)) return undefined;
    return this.#byStream.get(stream)!.filter(({ revision }) => revision >= from);
  }

  #has(stream: string, from: bigint): boolean {
    const first = this.#byStream.get(stream)?.[0];
    return first !== undefined && first.revision <= from;
  }

  async #read(): Promise<void> {
    const began = performance.now();
    await this.#readEnd();
    this.#readAt = Math.max(this.#readAt, began);
  }

  async #readEnd(): Promise<void> {
    if (this.#end !== undefined) {
      const isThere = await this.source.readOn(this.#end, (position, event) => {
        // Another read may have passed it: requests and background work read at once.
        if (!isAfter(position, this.#end)) return;
        this.#end = position;
        if (event) this.#add(event);
      });
      if (isThere) return;
    }
    this.#beginAt(await this.source.newest());
  }

  #beginAt(position: Position | undefined): void {
    this.#events = [];
    this.#characters = 0;
    this.#byStream.clear();
    this.#revisions.clear();
    this.#start = this.#end = position;
  }

  #add(event: RecordedEvent): void {
    this.#events.push(event);
    this.#characters += approximateSize(event.data);
    const ofStream = this.#byStream.get(event.stream);
    if (ofStream) ofStream.push(event);
    else this.#byStream.set(event.stream, [event]);
    this.#know(event.stream, event.revision);
    if (this.#events.length > MAX_EVENTS || this.#characters > MAX_CHARACTERS) this.#evict();
  }

  #know(stream: string, revision: bigint): void {
    const known = this.#revisions.get(stream);
    this.#revisions.delete(stream);
    this.#revisions.set(stream, known !== undefined && known > revision ? known : revision);
    if (this.#revisions.size <= MAX_STREAMS) return;
    this.#revisions.delete(this.#revisions.keys().next().value!);
  }

  #evict(): void {
    let count = 0;
    const isFull = () =>
      this.#events.length - count > MAX_EVENTS / 2 || this.#characters > MAX_CHARACTERS / 2;
    for (; count < this.#events.length && isFull(); count += 1) {
      const { stream, data, position } = this.#events[count]!;
      this.#characters -= approximateSize(data);
      this.#start = position;
      const ofStream = this.#byStream.get(stream)!;
      if (ofStream.length === 1) this.#byStream.delete(stream);
      else ofStream.shift();
    }
    this.#events = this.#events.slice(count);
  }
}
