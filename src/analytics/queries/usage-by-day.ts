import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { EVENTS_OF_BATCHES } from '../../metering/usage-days.js';
import { Database } from '../../platform/database/open-database.js';
import { AnalyticsReader, type RowsAsOf } from './analytics-reader.js';
import { type UsageGranularity } from './usage-granularity.js';

/** Stored events of a day or month. */
interface UsageOfDayRow {
  readonly day: string;
  /** Null: all names beyond the most used. */
  readonly event_name: string | null;
  readonly events: string;
}

interface CountingMetric {
  readonly metric_id: Uuid;
  readonly name: string;
  readonly event_name: string;
}

export interface UsageByDay extends RowsAsOf<readonly UsageOfDayRow[]> {
  /** Metrics that read events of these names. */
  readonly metrics: readonly CountingMetric[];
}

/** Number of names with rows of their own. */
const MAX_NAMES = 20;

/** Counts stored events by day and name, as the view `usage_by_day` has them. */
@Injectable()
export class UsageByDayReport {
  constructor(
    private readonly reader: AnalyticsReader,
    private readonly database: Database,
  ) {}

  async read(
    org: Uuid,
    range: Period,
    granularity: UsageGranularity,
    eventName: string | undefined,
  ): Promise<UsageByDay> {
    const values = [range.start, range.end, granularity, eventName];
    const current = await this.reader.read<UsageOfDayRow>(org, 'usage', USAGE_BY_DAY, values);
    const names = [...new Set(current.rows.flatMap(({ event_name: name }) => name ?? []))];
    const { rows: metrics } = await this.database.pool.query<CountingMetric>({
      name: 'analytics-usage-metrics',
      text: `select metric_id, name, event_name from metrics
        where org = $1 and event_name = any($2::text[]) and archived_at is null order by event_name collate "C", name collate "C"`,
      values: [org, names],
    });
    return { ...current, metrics };
  }
}

/** Reads the kept sums by day, and the events of batches that are still queued. */
const USAGE_BY_DAY = `
  with waiting as materialized (select org, batch_id from usage_days_queue where org = $1),
  counted as materialized (
    select date_trunc($4::text, day)::date as day, event_name, sum(events) as events
    from (
      select day, event_name, events from usage_days
      where org = $1 and day >= ($2::timestamptz at time zone 'UTC')::date and day < ($3::timestamptz at time zone 'UTC')::date
      union all
      select (e.event_time at time zone 'UTC')::date, e.event_name, count(*)
      from ${EVENTS_OF_BATCHES('waiting')}
      where e.org = $1 and e.event_time >= $2 and e.event_time < $3 group by 1, 2
    ) parts
    where $5::text is null or event_name = $5
    group by 1, 2
  ), most as (
    select event_name from counted group by event_name order by sum(events) desc, event_name limit ${MAX_NAMES}
  )
  select c.day, m.event_name, sum(c.events) as events
  from counted c left join most m using (event_name)
  group by c.day, m.event_name order by c.day, m.event_name`;
