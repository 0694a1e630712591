import { Injectable } from '@nestjs/common';
import { invalidFields } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { Period } from '../kernel/period.js';
import { Database } from '../platform/database/open-database.js';
import type { Properties } from './domain/properties.js';
import { RequestedCounts, type CountCaller } from './requested-counts.js';
import {
  byTime,
  LISTED_COLUMNS_SQL,
  LISTED_EVENTS_SQL,
  MAX_STEPS,
  namesOf,
  seriesOf,
} from './stored-events-sql.js';

/** A customer and an event name that have events: the order in which the usage log is indexed. */
export interface EventSeries {
  readonly customerKey: Uuid;
  readonly eventName: string;
}

export interface FoundSeries extends EventSeries {
  /** True if its name is one of the selected ones. */
  readonly isWanted: boolean;
  /** True if the look-ups ended with it; others may follow. */
  readonly isLast: boolean;
}

/** A stored event, with the number of its batch. */
export interface ListedEvent extends EventSeries {
  readonly idempotencyId: string;
  readonly time: Instant;
  readonly properties: Properties;
  readonly receivedAt: Instant;
  /** Null until the batch is sealed. */
  readonly sealedNumber: string | null;
}

/** Position of an event in the order of time, then of ids. */
interface EventPosition {
  readonly time: Instant;
  readonly idempotencyId: string;
}

/** The events of one series after a position in it. */
export interface SeriesPart extends EventSeries {
  readonly after: EventPosition | undefined;
}

/** Events in the order of their times, from a position in it. */
export interface PartByTime {
  readonly customerKey: Uuid | undefined;
  readonly eventNames: readonly string[];
  readonly range: Period;
  readonly isNewestFirst: boolean;
  readonly after: EventPosition | undefined;
  readonly limit: number;
}

export interface EventsByTime {
  readonly events: readonly ListedEvent[];
  /** True if no event follows. */
  readonly isEnd: boolean;
}

/** Entries of the index that one statement merges. */
const MAX_MERGED = 20_000;

/** Lists stored events by their index, series by series. A request reads a row only to return it or to skip it. */
@Injectable()
export class StoredEvents {
  readonly #requested: RequestedCounts;

  constructor(database: Database) {
    this.#requested = new RequestedCounts(database);
  }

  /**
   * Lists the next series, each by one index look-up. After `MAX_STEPS` look-ups it ends with the series reached,
   * selected or not.
   * @param from first series, inclusive
   */
  async series(
    caller: CountCaller,
    { customerKey, eventNames }: { customerKey: Uuid | undefined; eventNames: readonly string[] | undefined },
    from: EventSeries | undefined,
    limit: number,
  ): Promise<FoundSeries[]> {
    const { rows } = await this.#query<FoundSeries>(caller, {
      name: `stored-event-series-${customerKey === undefined ? 'all' : 'of-customer'}`,
      text: seriesOf(customerKey !== undefined),
      values: [
        caller.org,
        from?.customerKey ?? customerKey ?? FIRST,
        from?.eventName ?? '',
        eventNames ?? null,
        limit,
      ],
    });
    return rows;
  }

  /** Lists the events of some series in a range of time, at most `limit` of each and `MAX_LISTED`, in the order of their times. */
  async list(
    caller: CountCaller,
    parts: readonly SeriesPart[],
    range: Period,
    limit: number,
  ): Promise<ListedEvent[]> {
    if (parts.length === 0) return [];
    const { rows } = await this.#query<ListedEvent>(caller, {
      name: 'stored-events',
      text: LISTED_EVENTS_SQL,
      values: [
        caller.org,
        parts.map((part) => part.customerKey),
        parts.map((part) => part.eventName),
        parts.map(({ after }) => after?.time ?? range.start),
        parts.map(({ after }) => after?.idempotencyId ?? ''),
        range.end,
        limit,
      ],
    });
    return rows;
  }

  /**
   * Lists the names of events, of a customer or of all.
   * @throws DomainError `invalid` where the names are too many to be merged by time
   */
  async names(caller: CountCaller, customerKey: Uuid | undefined): Promise<readonly string[]> {
    const { rows } = await this.#query<{ name: string }>(caller, {
      name: `stored-event-names-${customerKey === undefined ? 'all' : 'of-customer'}`,
      text: namesOf(customerKey !== undefined),
      values: [caller.org, customerKey ?? null, MAX_STEPS + 1],
    });
    if (rows.length <= MAX_STEPS) return rows.map(({ name }) => name);
    const detail = `Events of more than ${MAX_STEPS} names are not ordered by time together. Give event_name or metric_id.`;
    throw invalidFields({ code: 'invalid', detail, attr: 'ordering' });
  }

  /** Lists events by time, those of one time by id. */
  async byTime(caller: CountCaller, part: PartByTime): Promise<EventsByTime> {
    const { customerKey, eventNames, range, isNewestFirst, after, limit } = part;
    const [near, far] = isNewestFirst ? [range.end, range.start] : [range.start, range.end];
    const isInside = after && (isNewestFirst ? after.time < near : after.time >= near);
    const from = isInside ? after : { time: near, idempotencyId: '' };
    const most = Math.min(limit, Math.max(1, Math.floor(MAX_MERGED / Math.max(1, eventNames.length))));
    const { rows: events } = await this.#query<ListedEvent>(caller, {
      name: `stored-events-by-time-${String(isNewestFirst)}-${String(customerKey !== undefined)}`,
      text: byTime(customerKey !== undefined, isNewestFirst),
      values: [caller.org, customerKey ?? null, eventNames, from.time, from.idempotencyId, far, most],
    });
    return { events, isEnd: events.length < most };
  }

  async find(caller: CountCaller, idempotencyId: string): Promise<ListedEvent[]> {
    const { rows } = await this.#query<ListedEvent>(caller, {
      name: 'stored-event-by-id',
      text: `select ${LISTED_COLUMNS_SQL} from usage_events e
        left join usage_batches b on b.org = e.org and b.batch_id = e.batch_id
        where e.org = $1 and e.idempotency_id = $2`,
      values: [caller.org, idempotencyId],
    });
    return rows;
  }

  #query<Row extends object>(
    caller: CountCaller,
    statement: { name: string; text: string; values: unknown[] },
  ) {
    return this.#requested.run(caller, [statement.name, statement.values], (reads) =>
      reads.query<Row>(statement),
    );
  }
}

const FIRST = '00000000-0000-0000-0000-000000000000';
