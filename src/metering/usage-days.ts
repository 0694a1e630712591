import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/open-database.js';

/** Adds stored usage up by day and event name, batch by batch. */
@Injectable()
export class UsageDays {
  constructor(private readonly database: Database) {}

  /**
   * Adds the events of waiting batches. Two processes take different batches.
   * @param most batches to take
   * @returns how many were taken
   */
  async add(most: number): Promise<number> {
    const { rows: waiting } = await this.database.pool.query({
      name: 'usage-days-waiting',
      text: 'select from usage_days_queue limit 1',
    });
    if (waiting.length === 0) return 0;
    // The newest blocks are read as a whole until they are summarized.
    await this.database.pool.query(`select brin_summarize_new_values('usage_events_of_batch')`);
    const { rows } = await this.database.pool.query<{ taken: number }>({
      name: 'usage-days-add',
      text: ADD,
      values: [most],
    });
    return rows[0]!.taken;
  }
}

/** Events of the batches in a set `wanted`, which has a column batch_id: the block index finds them by the span of the ids. */
export const EVENTS_OF_BATCHES = (wanted: string): string => `usage_events e
    join ${wanted} on ${wanted}.org = e.org and ${wanted}.batch_id = e.batch_id
      and e.batch_id between (select min(batch_id) from ${wanted}) and (select max(batch_id) from ${wanted})`;

/** Rows are written in the order of their key, so that two processes cannot deadlock. */
const ADD = `
with taken as materialized (
  select org, batch_id from usage_days_queue order by batch_id limit $1 for update skip locked
), removed as (
  delete from usage_days_queue q using taken where q.batch_id = taken.batch_id
), added as (
  insert into usage_days as d
  select e.org, (e.event_time at time zone 'UTC')::date as day, e.event_name, count(*)
  from ${EVENTS_OF_BATCHES('taken')}
  group by e.org, day, e.event_name order by e.org, day, e.event_name
  on conflict (org, day, event_name) do update set events = d.events + excluded.events
)
select count(*)::integer as taken from taken`;
