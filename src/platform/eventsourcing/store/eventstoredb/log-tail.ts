import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import { SingleFlight } from '../../../concurrency/shared-calls.js';
import { approximateSize } from '../event-store.js';
import { isAfter } from './reads.js';

/** Newest events that are kept, and characters of them; at half of that when the oldest are let go. */
const MOST_EVENTS = 12_000;
const MOST_CHARACTERS = 8_000_000;
/** Streams whose last revision is known. */
const MOST_STREAMS = 20_000;

/** Reads what stands behind a position, in order, and hands each event of ours and every position it passes on. */
export interface TailSource {
  newest(): Promise<Position | undefined>;
  /** @returns false when it is so far to the end that the tail begins there anew */
  readOn(after: Position, pass: (position: Position, event?: RecordedEvent) => void): Promise<boolean>;
}

/**
 * The end of the log as this process has read it, one position after the other. It answers whether a stream has gained
 * anything since: all who ask that at one moment share one read of the log's end, where each would read the end of its
 * own stream. A read of the end at the leader has everything that was answered as stored before it began.
 */
export class LogTail {
  readonly #looks = new SingleFlight((_: 'end') => this.#look());
  #events: RecordedEvent[] = [];
  #characters = 0;
  readonly #byStream = new Map<string, RecordedEvent[]>();
  /** Everything of ours between the two is in `#events`. */
  #start: Position | undefined;
  #end: Position | undefined;
  /** The last revision of a stream as of `#end`, -1 for one that there is not; of those known for longest the first. */
  readonly #revisions = new Map<string, bigint>();

  constructor(private readonly source: TailSource) {}

  /** The position up to which the log was read when the read began. */
  get end(): Position | undefined {
    return this.#end;
  }

  /** Whether it may know what stands in a stream from a revision on, once it has looked. */
  mayKnow(stream: string, from: bigint): boolean {
    const last = this.#revisions.get(stream);
    return last !== undefined && (from > last || this.#has(stream, from));
  }

  /** Returns the current events of a stream from a revision on; undefined when they have to be read. @throws StoreUnavailable */
  async since(stream: string, from: bigint): Promise<readonly RecordedEvent[] | undefined> {
    await this.#looks.run('end');
    const last = this.#revisions.get(stream);
    if (last === undefined) return undefined;
    if (from > last) return [];
    if (!this.#has(stream, from)) return undefined;
    return this.#byStream.get(stream)!.filter(({ revision }) => revision >= from);
  }

  /** Returns the current events after a position; undefined when they have to be read. @throws StoreUnavailable */
  async after(position: Position): Promise<readonly RecordedEvent[] | undefined> {
    if (this.#start === undefined || isAfter(this.#start, position)) return undefined;
    await this.#looks.run('end');
    if (isAfter(this.#start, position)) return undefined;
    let first = this.#events.length;
    while (first > 0 && isAfter(this.#events[first - 1]!.position, position)) first -= 1;
    return this.#events.slice(first);
  }

  /** A stream's last revision was this one as of a position, as an append or a read has shown. */
  note(stream: string, revision: bigint, asOf: Position | undefined): void {
    if (this.#start === undefined) {
      // Whoever comes next finds where the log ends, and what is noted from then on counts.
      void this.#looks.run('end').catch(() => undefined);
      return;
    }
    if (asOf === undefined || isAfter(this.#start, asOf)) return;
    const passed = this.#byStream.get(stream)?.at(-1)?.revision ?? -1n;
    this.#know(stream, passed > revision ? passed : revision);
  }

  forget(stream: string): void {
    this.#revisions.delete(stream);
  }

  #has(stream: string, from: bigint): boolean {
    const first = this.#byStream.get(stream)?.[0];
    return first !== undefined && first.revision <= from;
  }

  async #look(): Promise<void> {
    if (this.#end !== undefined) {
      const isThere = await this.source.readOn(this.#end, (position, event) => {
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
    if (this.#events.length > MOST_EVENTS || this.#characters > MOST_CHARACTERS) this.#letGo();
  }

  #know(stream: string, revision: bigint): void {
    const known = this.#revisions.get(stream);
    this.#revisions.delete(stream);
    this.#revisions.set(stream, known !== undefined && known > revision ? known : revision);
    if (this.#revisions.size <= MOST_STREAMS) return;
    this.#revisions.delete(this.#revisions.keys().next().value!);
  }

  #letGo(): void {
    let count = 0;
    const isFull = () =>
      this.#events.length - count > MOST_EVENTS / 2 || this.#characters > MOST_CHARACTERS / 2;
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
