import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Batcher } from '../../../concurrency/shared-calls.js';
import {
  READ_BACKWARDS,
  READ_FORWARDS,
  READ_STREAMS,
  READ_STREAMS_BACKWARDS,
  type Statement,
} from './statements.js';

/** An event as the statements answer it. */
export interface EventRow {
  readonly position: string;
  readonly stream: string;
  readonly revision: string;
  readonly id: Uuid;
  readonly type: string;
  readonly data: object;
  readonly metadata: RecordedEvent['metadata'];
  /** Events that the statement found before it was cut short by its size. */
  readonly fetched: string;
}

const recordedEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  stream: row.stream,
  revision: BigInt(row.revision),
  position: positionOf(row.position),
  type: row.type,
  data: row.data,
  metadata: row.metadata,
});

/** There is one number per event in this store; the port's position has two. */
export function positionOf(text: string): Position {
  const position = BigInt(text);
  return { commit: position, prepare: position };
}

/** A part of a stream or of the log, in order. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** Nothing stood behind it when it was read. */
  readonly isLast: boolean;
}

interface Read {
  readonly stream: string;
  readonly from: bigint;
  readonly count: number;
  /** Backwards only. */
  readonly until: string | undefined;
}

export type RunStatement = <Row extends object>(statement: Statement, values: unknown[]) => Promise<Row[]>;

/** Streams read by one statement, and events of each: most reads are of what a stream has gained, which is little. */
const MOST_STREAMS = 64;
const MOST_EVENTS = 50;

interface Direction {
  readonly one: Statement;
  readonly many: Statement;
}
const FORWARDS: Direction = { one: READ_FORWARDS, many: READ_STREAMS };
const BACKWARDS: Direction = { one: READ_BACKWARDS, many: READ_STREAMS_BACKWARDS };

/** Reads streams page by page. Reads in one direction that come while one is under way share the next statement. */
export class StreamReads {
  readonly #forwards = this.#gathering(FORWARDS);
  readonly #backwards = this.#gathering(BACKWARDS);

  constructor(private readonly query: RunStatement) {}

  forwards(stream: string, from: bigint, count: number): Promise<EventPage> {
    return this.#forwards.add({ stream, from, count, until: undefined });
  }

  /** @param until type of the event before which nothing is read */
  backwards(stream: string, from: bigint, count: number, until: string | undefined): Promise<EventPage> {
    return this.#backwards.add({ stream, from, count, until });
  }

  #gathering(direction: Direction): Batcher<Read, EventPage> {
    return new Batcher((group) => this.#read(direction, group), { most: MOST_STREAMS });
  }

  async #read({ one, many }: Direction, group: readonly Read[]): Promise<EventPage[]> {
    const [alone] = group;
    if (alone && group.length === 1 && alone.until === undefined) {
      const { stream, from, count } = alone;
      return [eventPageOf(await this.query<EventRow>(one, [stream, from, count]), count)];
    }
    const counts = group.map(({ count }) => Math.min(count, MOST_EVENTS));
    const reads = group.map(({ stream, from, until }, place) => {
      return { place, stream, first: String(from), count: counts[place], until };
    });
    const rows = group.map((): EventRow[] => []);
    for (const row of await this.query<EventRow & { place: number }>(many, [JSON.stringify(reads)])) {
      rows[row.place]!.push(row);
    }
    return rows.map((ofStream, place) => eventPageOf(ofStream, counts[place]!));
  }
}

export function eventPageOf(rows: readonly EventRow[], count: number): EventPage {
  const fetched = Number(rows[0]?.fetched ?? 0);
  return { events: rows.map(recordedEvent), isLast: fetched < count && rows.length === fetched };
}
