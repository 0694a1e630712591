import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';

/** Usage of some batches by customer and event name, with its earliest and latest time. */
export interface NewUsage {
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly first: Instant;
  readonly last: Instant;
}

/** Finds customers with usage in batches of a range of numbers. */
@Injectable()
export class NewUsageReader {
  constructor(private readonly database: Database) {}

  /**
   * Returns usage of some event names in the batches after one number and up to another. The batches are found by the block
   * index, whose newest blocks are summarized first, so that the read does not grow with the log.
   */
  async between(
    org: Uuid,
    after: bigint,
    upTo: bigint,
    eventNames: readonly string[],
  ): Promise<readonly NewUsage[]> {
    await this.database.pool.query(`select brin_summarize_new_values('usage_events_of_batch')`);
    const { rows } = await this.database.pool.query<NewUsage>({
      name: 'usage-new',
      text: `select e.customer_key as "customerKey", e.event_name as "eventName",
          min(e.event_time) as first, max(e.event_time) as last
        from usage_batches b join usage_events e on e.org = b.org and e.batch_id = b.batch_id
          and e.batch_id between
            (select min(batch_id) from usage_batches where org = $1 and sealed_number > $2 and sealed_number <= $3) and
            (select max(batch_id) from usage_batches where org = $1 and sealed_number > $2 and sealed_number <= $3)
        where b.org = $1 and b.sealed_number > $2 and b.sealed_number <= $3 and e.event_name = any($4::text[])
        group by e.customer_key, e.event_name`,
      values: [org, after, upTo, eventNames],
    });
    return rows;
  }
}
