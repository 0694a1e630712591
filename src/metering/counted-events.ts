import { Injectable } from '@nestjs/common';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { asCounter } from './domain/usage-base.js';
import type { CountRequest } from './usage-reader.js';
import { countedPeriod } from './usage-folds.js';
import { UsageReads } from './usage-reads.js';
import { COUNTED_EVENTS, FIRST_UNCOUNTED_BATCH, QUESTIONS, questionValues } from './usage-questions-sql.js';

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

export interface PartOfCounted {
  readonly isNewestFirst: boolean;
  readonly after: After | undefined;
  readonly limit: number;
}

/** Lists the events of a count, by the statements that count them. */
@Injectable()
export class CountedEvents {
  readonly #reads: UsageReads;

  constructor(database: Database) {
    this.#reads = new UsageReads(database);
  }

  /**
   * Returns events by time, then by id: those that a gauge or a rate reads before its window are among them. A page reads
   * the index from its place on, however many events the count has.
   */
  async page(
    request: CountRequest,
    { isNewestFirst, after, limit }: PartOfCounted,
  ): Promise<CountedEventRow[]> {
    const { org, sealedUpTo } = request;
    const period = await countedPeriod({ reads: this.#reads, org, sealedUpTo, question: request });
    const { rows } = await this.#reads.query<CountedEventRow>({
      name: isNewestFirst ? 'usage-counted-events-newest' : 'usage-counted-events',
      text: isNewestFirst ? NEWEST_FIRST : OLDEST_FIRST,
      values: [
        org,
        sealedUpTo,
        ...questionValues([asCounter(request, period)]),
        after?.time ?? null,
        after?.idempotencyId ?? '',
        limit,
      ],
    });
    return rows;
  }
}

/** @param near end of the window that the first page begins at */
const pageOf = (follows: '<' | '>', near: 'start' | 'end', direction: 'asc' | 'desc'): string => `
with questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select event.* from questions q cross join lateral (
  select e.idempotency_id, e.event_name, e.event_time, e.properties ${COUNTED_EVENTS}
    and (e.event_time, e.idempotency_id) ${follows} (coalesce($10::timestamptz, q.window_${near}), $11::text)
  order by e.event_time ${direction}, e.idempotency_id ${direction} limit $12
) event order by event.event_time ${direction}, event.idempotency_id ${direction}`;

const OLDEST_FIRST = pageOf('>', 'start', 'asc');
const NEWEST_FIRST = pageOf('<', 'end', 'desc');
