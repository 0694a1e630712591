import type { RecordedEvent } from '../../../kernel/event.js';
import { Gathering } from '../../gathering.js';
import { recordedEvent, type EventRow } from './event-row.js';
import { READ_BACKWARDS, READ_FORWARDS, READ_STREAMS, type Statement } from './statements.js';

/** A part of a stream or of the log, in order. */
export interface Page {
  readonly events: readonly RecordedEvent[];
  /** Nothing stood behind it when it was read. */
  readonly isLast: boolean;
}

interface Read {
  readonly stream: string;
  readonly from: bigint;
  readonly count: number;
}

export type Query = <Row extends object>(statement: Statement, values: unknown[]) => Promise<Row[]>;

/** Streams read by one statement, and events of each: most reads are of what a stream has gained, which is little. */
const MOST_STREAMS = 64;
const MOST_EVENTS = 50;

/** Reads streams page by page. Forward reads that come while one is under way share the next statement. */
export class StreamReads {
  readonly #forwards = new Gathering<Read, Page>((group) => this.#readMany(group), MOST_STREAMS);

  constructor(private readonly query: Query) {}

  forwards(stream: string, from: bigint, count: number): Promise<Page> {
    return this.#forwards.add({ stream, from, count });
  }

  async backwards(stream: string, from: bigint, count: number): Promise<Page> {
    return pageOf(await this.query<EventRow>(READ_BACKWARDS, [stream, from, count]), count);
  }

  async #readMany(group: readonly Read[]): Promise<Page[]> {
    const [alone] = group;
    if (alone && group.length === 1) {
      const { stream, from, count } = alone;
      return [pageOf(await this.query<EventRow>(READ_FORWARDS, [stream, from, count]), count)];
    }
    const counts = group.map(({ count }) => Math.min(count, MOST_EVENTS));
    const values = [group.map(({ stream }) => stream), group.map(({ from }) => from), counts];
    const rows = group.map((): EventRow[] => []);
    for (const row of await this.query<EventRow & { place: string }>(READ_STREAMS, values)) {
      rows[Number(row.place) - 1]!.push(row);
    }
    return rows.map((ofStream, place) => pageOf(ofStream, counts[place]!));
  }
}

export function pageOf(rows: readonly EventRow[], count: number): Page {
  const fetched = Number(rows[0]?.fetched ?? 0);
  return { events: rows.map(recordedEvent), isLast: fetched < count && rows.length === fetched };
}
