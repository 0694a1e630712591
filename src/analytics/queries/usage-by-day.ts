import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { Database } from '../../platform/database/open-database.js';
import { AnalyticsReader, type Current } from './analytics-reader.js';

/** Stored events of a day. */
interface UsageOfDayRow {
  readonly day: string;
  /** Null: all names that are not among the most used. */
  readonly event_name: string | null;
  readonly events: string;
}

interface CountingMetric {
  readonly metric_id: Uuid;
  readonly name: string;
  readonly event_name: string;
}

export interface UsageByDay extends Current<readonly UsageOfDayRow[]> {
  /** Metrics that read events of these names. */
  readonly metrics: readonly CountingMetric[];
}

/** Names with rows of their own. */
const MOST_NAMES = 20;

/** Counts stored events by day and name, as the view `usage_by_day` has them. */
@Injectable()
export class UsageByDayReport {
  constructor(
    private readonly reader: AnalyticsReader,
    private readonly database: Database,
  ) {}

  async read(org: Uuid, range: Period, eventName: string | undefined): Promise<UsageByDay> {
    const values = [range.start, range.end, eventName];
    const current = await this.reader.read<UsageOfDayRow>(org, 'usage', USAGE_BY_DAY, values);
    const names = [...new Set(current.rows.flatMap(({ event_name: name }) => name ?? []))];
    const { rows: metrics } = await this.database.pool.query<CountingMetric>({
      name: 'analytics-usage-metrics',
      text: `select metric_id, name, event_name from metrics
        where org = $1 and event_name = any($2::text[]) and archived_at is null order by event_name, name limit 1000`,
      values: [org, names],
    });
    return { ...current, metrics };
  }
}

/**
 * Skips from one pair of customer and name to the next and reads its part of the range by the index of the usage log: the
 * cost is that of the pairs and of the events in the range, whatever else is stored.
 */
const USAGE_BY_DAY = `
  with recursive pair as (
    (select customer_key, event_name from usage_events where org = $1 order by customer_key, event_name limit 1)
    union all
    select next.* from pair p cross join lateral (
      select customer_key, event_name from usage_events
      where org = $1 and (customer_key, event_name) > (p.customer_key, p.event_name)
      order by customer_key, event_name limit 1
    ) next
  ), counted as materialized (
    select p.event_name, d.day, sum(d.events) as events
    from pair p cross join lateral (
      select (e.event_time at time zone 'UTC')::date as day, count(*) as events from usage_events e
      where e.org = $1 and e.customer_key = p.customer_key and e.event_name = p.event_name
        and e.event_time >= $2 and e.event_time < $3
      group by day
    ) d
    where $4::text is null or p.event_name = $4
    group by p.event_name, d.day
  ), most as (
    select event_name from counted group by event_name order by sum(events) desc, event_name limit ${MOST_NAMES}
  )
  select c.day, m.event_name, sum(c.events) as events
  from counted c left join most m using (event_name)
  group by c.day, m.event_name order by c.day, m.event_name`;
