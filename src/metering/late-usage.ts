import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database, isStatementError } from '../platform/database/open-database.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import { groupBy } from '../kernel/iteration.js';
import { laterBatches } from './usage-questions-sql.js';

/** Span of usage that was counted up to a watermark: the part of the log that could change the count. */
export interface CountedSpan {
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** Number of the last batch that was counted. */
  readonly countedUpTo: string;
}

interface LateRow {
  readonly ordinal: string;
  readonly received_at: Instant;
}

/** A span, and the instant from which received events matter; null: every event. */
interface Question extends CountedSpan {
  readonly org: Uuid;
  readonly after: Instant | null;
}

/** Finds usage that was received after its time was counted, including events that the filters of a count exclude. */
@Injectable()
export class LateUsage {
  /** Batches the questions of concurrent billing runs. */
  readonly #questions = new Batcher<Question, Instant | undefined>((group) => this.ask(group), {
    most: 1_000,
    isFaultOfItem: isStatementError,
  });

  constructor(private readonly database: Database) {}

  /**
   * Returns when the first such event was received, by the index of the span; spans without one are left out.
   * @param after events received up to this instant are ignored
   */
  async firstReceived(
    org: Uuid,
    spans: readonly CountedSpan[],
    after: readonly Instant[] | null = null,
  ): Promise<Map<number, Instant>> {
    const answers = spans.map((span, ordinal) =>
      this.#questions.add({ org, after: after?.[ordinal] ?? null, ...span }),
    );
    const late = new Map<number, Instant>();
    for (const [ordinal, received] of (await Promise.all(answers)).entries()) {
      if (received !== undefined) late.set(ordinal, received);
    }
    return late;
  }

  private async ask(questions: readonly Question[]): Promise<(Instant | undefined)[]> {
    const received = new Array<Instant | undefined>(questions.length);
    const tenants = groupBy(questions.keys(), (ordinal) => questions[ordinal]!.org);
    await Promise.all(
      [...tenants].map(async ([org, ordinals]) => {
        const own = ordinals.map((ordinal) => questions[ordinal]!);
        const { rows } = await this.database.pool.query<LateRow>({
          name: 'usage-late',
          text: LATE,
          values: [
            org,
            own.map((question) => question.customerKey),
            own.map((question) => question.eventName),
            own.map((question) => question.from),
            own.map((question) => question.to),
            own.map((question) => question.countedUpTo),
            own.map((question) => question.after),
          ],
        });
        for (const row of rows) received[ordinals[Number(row.ordinal) - 1]!] = row.received_at;
      }),
    );
    return received;
  }
}

/** One index lookup per span, also where it holds many events. */
const LATE = `
select q.ordinal, late.received_at
from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::timestamptz[])
  with ordinality as q (customer_key, event_name, since, until, counted, received_after, ordinal)
cross join lateral (${laterBatches('q.counted', 'q.until')}) counted
cross join lateral (
  select min(b.received_at) as received_at
  from usage_events e join usage_batches b on b.org = $1 and b.batch_id = e.batch_id
  where e.org = $1 and e.customer_key = q.customer_key and e.event_name = q.event_name
    and e.event_time >= q.since and e.event_time < q.until
    and (e.batch_id > counted.last_batch or e.batch_id = any(counted.stragglers))
    and (q.received_after is null or b.received_at > q.received_after)
) late
where late.received_at is not null`;
