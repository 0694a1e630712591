import { Injectable } from '@nestjs/common';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { asCounter } from './domain/usage-base.js';
import type { CountRequest } from './usage-reader.js';
import { COUNTED_EVENTS, FRONTIER, QUESTIONS, questionValues } from './usage-questions-sql.js';

export interface CountedEventRow {
  readonly idempotency_id: string;
  readonly event_name: string;
  readonly event_time: Instant;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Last event of a page. */
interface After {
  readonly time: Instant;
  readonly idempotencyId: string;
}

/** Lists the events in the window of a count, by the statements that count them. */
@Injectable()
export class CountedEvents {
  constructor(private readonly database: Database) {}

  /** Events by time, then by id. Events before the window, which set the first level of a gauge, are not listed. */
  async page(request: CountRequest, after: After | undefined, limit: number): Promise<CountedEventRow[]> {
    const { rows } = await this.database.pool.query<CountedEventRow>({
      name: 'usage-counted-events',
      text: PAGE,
      values: [
        request.org,
        request.sealedUpTo,
        ...questionValues([asCounter(request, request.window)]),
        after?.time ?? null,
        after?.idempotencyId ?? null,
        limit,
      ],
    });
    return rows;
  }
}

const PAGE = `
with questions as (${QUESTIONS}), frontier as materialized (${FRONTIER})
select event.* from questions q cross join lateral (
  select e.idempotency_id, e.event_name, e.event_time, e.properties ${COUNTED_EVENTS}
    and ($10::timestamptz is null or (e.event_time, e.idempotency_id) > ($10::timestamptz, $11::text))
  order by e.event_time, e.idempotency_id limit $12
) event order by event.event_time, event.idempotency_id`;
