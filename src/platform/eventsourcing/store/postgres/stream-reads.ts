import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Batcher } from '../../../concurrency/shared-calls.js';
import { parseData } from '../event-store.js';
import {
  READ_BACKWARDS,
  READ_FORWARDS,
  READ_STREAMS,
  READ_STREAMS_BACKWARDS,
  type Statement,
} from './statements.js';

/** Row of an event that the statements return. */
export interface EventRow {
  readonly position: string;
  readonly stream: string;
  readonly revision: string;
  readonly id: Uuid;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  readonly metadata: RecordedEvent['metadata'];
  /** Number of events before the limit of bytes cut the page. */
  readonly fetched: string;
}

const recordedEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  stream: row.stream,
  revision: BigInt(row.revision),
  position: positionOf(row.position),
  type: row.type,
  data: parseData(row.data),
  metadata: row.metadata,
});

/** Converts the position of this store, one number, to a position of the log, two numbers. */
export function positionOf(text: string): Position {
  const position = BigInt(text);
  return { commit: position, prepare: position };
}

/** A part of a stream or of the log, in order. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** True if no event followed when the page was read. */
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

/** Limits of one statement: streams, and events of each. Most reads return the few new events of a stream. */
const MAX_STREAMS = 64;
const MAX_EVENTS = 50;

interface Direction {
  readonly one: Statement;
  readonly many: Statement;
}
const FORWARDS: Direction = { one: READ_FORWARDS, many: READ_STREAMS };
const BACKWARDS: Direction = { one: READ_BACKWARDS, many: READ_STREAMS_BACKWARDS };

/** Reads pages of streams. Concurrent reads in one direction share a statement. */
export class StreamReads {
  readonly #forwards = this.#batches(FORWARDS);
  readonly #backwards = this.#batches(BACKWARDS);

  constructor(private readonly query: RunStatement) {}

  forwards(stream: string, from: bigint, count: number): Promise<EventPage> {
    return this.#forwards.add({ stream, from, count, until: undefined });
  }

  /** @param until type of the event at which the page ends */
  backwards(stream: string, from: bigint, count: number, until: string | undefined): Promise<EventPage> {
    return this.#backwards.add({ stream, from, count, until });
  }

  #batches(direction: Direction): Batcher<Read, EventPage> {
    return new Batcher((batch) => this.#read(direction, batch), { most: MAX_STREAMS });
  }

  async #read({ one, many }: Direction, batch: readonly Read[]): Promise<EventPage[]> {
    const [alone] = batch;
    if (alone && batch.length === 1 && alone.until === undefined) {
      const { stream, from, count } = alone;
      return [await eventPageOf(await this.query<EventRow>(one, [stream, from, count]), count)];
    }
    const counts = batch.map(({ count }) => Math.min(count, MAX_EVENTS));
    const reads = batch.map(({ stream, from, until }, index) => {
      return { index, stream, first: String(from), count: counts[index], until };
    });
    const found = await this.query<EventRow & { index: number }>(many, [JSON.stringify(reads)]);
    const events = await recordedEvents(found);
    const read = batch.map(() => ({ rows: [] as EventRow[], events: [] as RecordedEvent[] }));
    for (const [at, row] of found.entries()) {
      read[row.index]!.rows.push(row);
      read[row.index]!.events.push(events[at]!);
    }
    return read.map((page, index) => pageOf(page.rows, page.events, counts[index]!));
  }
}

/** Rows that are converted in one turn of the event loop, which then lasts some milliseconds at most. */
const ROWS_AT_ONCE = 100;

/** Converts rows. Other work runs in between. */
async function recordedEvents(rows: readonly EventRow[]): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const row of rows) {
    if (events.length > 0 && events.length % ROWS_AT_ONCE === 0) await new Promise(setImmediate);
    events.push(recordedEvent(row));
  }
  return events;
}

function pageOf(rows: readonly EventRow[], events: readonly RecordedEvent[], count: number): EventPage {
  const fetched = Number(rows[0]?.fetched ?? 0);
  return { events, isLast: fetched < count && rows.length === fetched };
}

/** Converts the rows of one page of up to `count` events. */
export async function eventPageOf(rows: readonly EventRow[], count: number): Promise<EventPage> {
  return pageOf(rows, await recordedEvents(rows), count);
}
