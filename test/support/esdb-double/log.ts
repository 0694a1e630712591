import { EventEmitter } from 'node:events';

/** Expected revision of a stream. The driver under test uses only revisions and no_stream. */
export type Expected = bigint | 'no_stream' | 'stream_exists' | 'any';

export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

export interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export class WrongExpectedVersion extends Error {
  constructor(
    readonly expected: Expected,
    /** -1 for a stream that does not exist. */
    readonly current: bigint,
  ) {
    super('wrong expected version');
  }
}

export class AppendTooBig extends Error {
  constructor(readonly limit: number) {
    super('maximum append size exceeded');
  }
}

/** Default of the server's MaxAppendSize. */
const MAX_APPEND_BYTES = 1024 * 1024;

/** Result of an append: written now, a repeat, or a repeat whose original is not indexed yet. */
export interface Written {
  readonly last: Recorded;
  readonly isRepeat: boolean;
  /** True for a repeat whose original is not indexed yet: a node drops it without an answer. */
  readonly isDropped: boolean;
}

/**
 * The log of a node. Events become visible when they are indexed. Positions are not consecutive, and the log begins
 * with system events, as in a real node.
 */
export class Log extends EventEmitter<{ appended: [] }> {
  /** Indexed events, in order. */
  readonly all: Recorded[] = [];
  readonly streams = new Map<string, Recorded[]>();
  /** Instants at which the events of `all` were indexed, for followers that lag behind. */
  readonly indexedAt: number[] = [];
  readonly #written = new Map<string, Recorded[]>();
  readonly #unindexed: Recorded[] = [];
  #nextPosition = 0n;

  constructor() {
    super();
    this.setMaxListeners(0);
    this.appendSystemEvents(3);
  }

  /** Appends statistics events, which a real node writes all the time. */
  appendSystemEvents(count: number): void {
    for (let i = 0; i < count; i++) {
      const id = `00000000-0000-4000-8000-${this.all.length.toString(16).padStart(12, '0')}`;
      const data = Buffer.from('{}');
      const event = { id, type: '$statsCollected', contentType: 'application/json', data, metadata: data };
      this.append('$stats-127.0.0.1:2113', 'any', [event]);
    }
  }

  /** Writes and indexes events. @returns the last event of the append, also when it is a repeat */
  append(stream: string, expected: Expected, events: readonly Proposed[]): Recorded {
    const { last } = this.write(stream, expected, events);
    this.index(last);
    return last;
  }

  write(stream: string, expected: Expected, events: readonly Proposed[]): Written {
    const recorded = this.#written.get(stream) ?? [];
    const current = BigInt(recorded.length) - 1n;
    const size = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    if (size > MAX_APPEND_BYTES) throw new AppendTooBig(MAX_APPEND_BYTES);
    if (!isAsExpected(expected, current)) {
      const first = expected === 'no_stream' ? 0 : Number(expected) + 1;
      const isRepeat = typeof expected !== 'string' || expected === 'no_stream';
      if (isRepeat && events.every((event, i) => recorded[first + i]?.id === event.id)) {
        const last = recorded[first + events.length - 1]!;
        return { last, isRepeat, isDropped: this.#unindexed.includes(last) };
      }
      throw new WrongExpectedVersion(expected, current);
    }
    for (const event of events) {
      const stored: Recorded = {
        ...event,
        stream,
        revision: BigInt(recorded.length),
        position: this.#nextPosition,
        created: Date.now(),
      };
      this.#nextPosition += 100n + BigInt(event.data.length + event.metadata.length);
      recorded.push(stored);
      this.#unindexed.push(stored);
    }
    this.#written.set(stream, recorded);
    return { last: recorded.at(-1)!, isRepeat: false, isDropped: false };
  }

  /** Makes all events up to this one visible. */
  index(upTo: Recorded): void {
    const count = this.#unindexed.findIndex(({ position }) => position > upTo.position);
    const indexed = this.#unindexed.splice(0, count < 0 ? Infinity : count);
    if (indexed.length === 0) return;
    for (const event of indexed) {
      this.all.push(event);
      this.indexedAt.push(performance.now());
      const ofStream = this.streams.get(event.stream);
      if (ofStream) ofStream.push(event);
      else this.streams.set(event.stream, [event]);
    }
    this.emit('appended');
  }

  /** Tells whether a node accepts a position to read from: that of an event, or one after all events. */
  readsFrom(position: bigint): boolean {
    const next = this.all[this.indexFrom(position)];
    return next === undefined || next.position === position;
  }

  /** Returns the index of the first event at or after a position. */
  indexFrom(position: bigint): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isAsExpected(expected: Expected, current: bigint): boolean {
  if (expected === 'any') return true;
  if (expected === 'stream_exists') return current >= 0n;
  return current === (expected === 'no_stream' ? -1n : expected);
}
