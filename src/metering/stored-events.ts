import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { Period } from '../kernel/period.js';
import { Database } from '../platform/database/open-database.js';
import type { Properties } from './domain/properties.js';
import { RequestedCounts, type CountCaller } from './requested-counts.js';

/** A customer and an event name that have events: the order in which the usage log is indexed. */
export interface EventSeries {
  readonly customerKey: Uuid;
  readonly eventName: string;
}

export interface FoundSeries extends EventSeries {
  /** Whether its name is one of those asked for. */
  readonly isWanted: boolean;
}

const MOST_STEPS = 5_000;

/** A stored event, with its batch's place in the order of sealing. */
export interface ListedEvent extends EventSeries {
  readonly idempotencyId: string;
  readonly time: Instant;
  readonly properties: Properties;
  readonly receivedAt: Instant;
  /** Null until the batch is sealed. */
  readonly sealedNumber: string | null;
}

/** The events of one series after a place in it. */
export interface SeriesPart extends EventSeries {
  readonly after: { readonly time: Instant; readonly idempotencyId: string } | undefined;
}

/** Lists stored events by their index, series by series: no request reads more rows than it shows and skips. */
@Injectable()
export class StoredEvents {
  readonly #requested: RequestedCounts;

  constructor(database: Database) {
    this.#requested = new RequestedCounts(database);
  }

  /**
   * Lists the next series, each found by one look into the index. After `MOST_STEPS` looks it ends with the series that it
   * has come to, wanted or not.
   * @param from where to begin, that series included
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

  /** Lists the events of some series in a range of time, at most `limit` of each, in the order of their times. */
  async list(
    caller: CountCaller,
    parts: readonly SeriesPart[],
    range: Period,
    limit: number,
  ): Promise<ListedEvent[]> {
    if (parts.length === 0) return [];
    const { rows } = await this.#query<ListedEvent>(caller, {
      name: 'stored-events',
      text: EVENTS,
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

  async find(caller: CountCaller, idempotencyId: string): Promise<ListedEvent[]> {
    const { rows } = await this.#query<ListedEvent>(caller, {
      name: 'stored-event-by-id',
      text: `select ${COLUMNS} from usage_events e
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

const COLUMNS = `e.idempotency_id as "idempotencyId", e.customer_key as "customerKey", e.event_name as "eventName",
  e.event_time as time, e.properties, b.received_at as "receivedAt", b.sealed_number as "sealedNumber"`;

/** Steps from series to series instead of reading their events; the limit ends the recursion. */
function seriesOf(ofCustomer: boolean): string {
  const next = (condition: string, customer: string, steps: string) => `
    select e.customer_key, e.event_name, ${steps} as steps from usage_events e
    where e.org = $1 and ${condition} ${ofCustomer ? `and e.customer_key = ${customer}` : ''}
    order by e.customer_key, e.event_name limit 1`;
  return `
with recursive series as (
  (${next('(e.customer_key, e.event_name) >= ($2::uuid, $3::text)', '$2::uuid', '1')})
  union all
  select following.* from series s cross join lateral (
    ${next('(e.customer_key, e.event_name) > (s.customer_key, s.event_name)', 's.customer_key', 's.steps + 1')}
  ) following where s.steps < ${MOST_STEPS}
)
select customer_key as "customerKey", event_name as "eventName",
  $4::text[] is null or event_name = any($4::text[]) as "isWanted"
from series
where $4::text[] is null or event_name = any($4::text[]) or steps = ${MOST_STEPS} limit $5`;
}

const EVENTS = `
select listed.* from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::text[])
  with ordinality as part (customer_key, event_name, after_time, after_id, place)
cross join lateral (
  select ${COLUMNS} from (
    select * from usage_events u
    where u.org = $1 and u.customer_key = part.customer_key and u.event_name = part.event_name
      and u.event_time >= part.after_time and u.event_time < $6::timestamptz
      and (u.event_time > part.after_time or u.idempotency_id > part.after_id)
    order by u.event_time, u.idempotency_id limit $7
  ) e
  left join usage_batches b on b.org = $1 and b.batch_id = e.batch_id
  order by e.event_time, e.idempotency_id
) listed
order by part.place, listed.time, listed."idempotencyId" collate "C"`;
