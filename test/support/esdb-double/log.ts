import { EventEmitter } from 'node:events';

/** What the client may expect of a stream; the driver under test uses only revisions and no_stream. */
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

/** The default of a server's MaxAppendSize. */
const MAX_APPEND_BYTES = 1024 * 1024;

/**
 * The log of a node: one writer, one order. Positions are byte-like, never dense, and the log begins with events of
 * the system, as a real one does.
 */
export class Log extends EventEmitter<{ appended: [] }> {
  readonly all: Recorded[] = [];
  readonly streams = new Map<string, Recorded[]>();
  #nextPosition = 0n;

  constructor() {
    super();
    this.setMaxListeners(0);
    this.appendSystemEvents(3);
  }

  /** Statistics of the node itself, such as it writes all the time. */
  appendSystemEvents(count: number): void {
    for (let i = 0; i < count; i++) {
      const id = `00000000-0000-4000-8000-${this.all.length.toString(16).padStart(12, '0')}`;
      const data = Buffer.from('{}');
      const event = { id, type: '$statsCollected', contentType: 'application/json', data, metadata: data };
      this.append('$stats-127.0.0.1:2113', 'any', [event]);
    }
  }

  /** The last event of the append, stored now or found standing there already. */
  append(stream: string, expected: Expected, events: readonly Proposed[]): Recorded {
    const recorded = this.streams.get(stream) ?? [];
    const current = BigInt(recorded.length) - 1n;
    const size = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    if (size > MAX_APPEND_BYTES) throw new AppendTooBig(MAX_APPEND_BYTES);
    if (!isAsExpected(expected, current)) {
      const first = expected === 'no_stream' ? 0 : Number(expected) + 1;
      const isRepeat = typeof expected !== 'string' || expected === 'no_stream';
      if (isRepeat && events.every((event, i) => recorded[first + i]?.id === event.id)) {
        return recorded[first + events.length - 1]!;
      }
      throw new WrongExpectedVersion(expected, current);
    }
    for (const event of events) {
      const revision = BigInt(recorded.length);
      const stored: Recorded = {
        ...event,
        stream,
        revision,
        position: this.#nextPosition,
        created: Date.now(),
      };
      this.#nextPosition += 100n + BigInt(event.data.length + event.metadata.length);
      recorded.push(stored);
      this.all.push(stored);
    }
    this.streams.set(stream, recorded);
    this.emit('appended');
    return recorded.at(-1)!;
  }

  /** Index of the first event at or after a position. */
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
