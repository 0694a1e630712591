import { AGGREGATES_SQL, valueColumnsSql } from '../../metering/count-sql.js';
import { EVENTS_OF_BATCHES } from '../../metering/usage-days.js';
import { filterRows, PASSES_FILTERS } from '../../metering/usage-questions-sql.js';
import type { Metric } from '../../catalog/domain/metric.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import type { UsageGranularity } from './usage-granularity.js';

/** Number of metrics with rows of their own. */
const MAX_METRICS = 20;

/** First day of the part ($4 is `day` or `month`) of an instant. */
const partOf = (instant: string): string => `date_trunc($4::text, ${instant} at time zone 'UTC')::date`;

/**
 * Counts usage by metric and part. A metric that counts every event of a name takes the kept sum of the name.
 * For other metrics, a kept row holds while the number of events of its name is unchanged. Otherwise the
 * events of the name are read, customer by customer, and the results of the customers are added up. The walk
 * over customers and names in the index of the usage log begins only when a part is counted.
 */
export const COUNT_USAGE_BY_METRIC = `
  with recursive waiting as materialized (select org, batch_id from usage_days_queue where org = $1),
  stored as materialized (
    select event_name, day, sum(events) as events from (
      select event_name, date_trunc($4::text, day)::date as day, events from usage_days
      where org = $1 and event_name = any($5::text[])
        and day >= ($2::timestamptz at time zone 'UTC')::date and day < ($3::timestamptz at time zone 'UTC')::date
      union all
      select e.event_name, ${partOf('e.event_time')}, 1
      from ${EVENTS_OF_BATCHES('waiting')}
      where e.org = $1 and e.event_name = any($5::text[]) and e.event_time >= $2 and e.event_time < $3
    ) part group by 1, 2
  ), candidates as (
    select w.*, coalesce(of_name.events, 0) as of_name from unnest(
        $6::text[], $7::text[], $8::text[], $9::jsonb[], $10::boolean[], $11::uuid[])
      with ordinality as w (event_name, aggregation, property, filters, is_plain, metric_id, ordinal)
    left join (select event_name, sum(events) as events from stored group by event_name) of_name using (event_name)
  ), chosen as materialized (
    select * from candidates where of_name > 0 order by of_name desc, ordinal limit ${MAX_METRICS}
  ), part as materialized (
    select q.ordinal, q.of_name, q.is_plain, s.day, s.events as name_events, k.events, k.total,
      q.is_plain or k.events is not null as is_known
    from chosen q join stored s using (event_name)
    left join usage_of_metrics k on not q.is_plain and k.org = $1 and k.metric_id = q.metric_id
      and k.granularity = $4 and k.day = s.day and k.name_events = s.events
  ), uncounted as materialized (
    select q.*, u.days, u.since, u.until from chosen q join (
      select ordinal, array_agg(day) as days, min(day)::timestamp at time zone 'UTC' as since,
        (max(day) + ('1 ' || $4)::interval) at time zone 'UTC' as until
      from part where not is_known group by ordinal
    ) u using (ordinal)
  ), pair as (
    (select customer_key, event_name from usage_events
      where org = $1 and exists (select from uncounted) order by customer_key, event_name limit 1)
    union all
    select next.* from pair p cross join lateral (
      select customer_key, event_name from usage_events
      where org = $1 and (customer_key, event_name) > (p.customer_key, p.event_name)
      order by customer_key, event_name limit 1
    ) next
  ), counted as materialized (
    select q.ordinal, d.day, sum(d.event_count) as events, sum(d.total) as total
    from uncounted q join pair p using (event_name) cross join lateral (
      select day, ${AGGREGATES_SQL}
      from (
        select day, ${valueColumnsSql('property')} from (
          select ${partOf('e.event_time')} as day, e.properties -> q.property as property
          from usage_events e
          where e.org = $1 and e.customer_key = p.customer_key and e.event_name = q.event_name
            and e.event_time >= q.since and e.event_time < q.until
            and ${partOf('e.event_time')} = any(q.days) and ${PASSES_FILTERS}
          offset 0
        ) event
      ) valued
      group by day
    ) d
    group by q.ordinal, d.day
  )
  select rows.ordinal, rows.day, rows.event_count, rows.total, rows.name_events, rows.is_known from (
    select p.ordinal, p.of_name, p.day, p.name_events, p.is_known,
      case when p.is_plain then p.name_events when p.is_known then p.events else coalesce(c.events, 0) end as event_count,
      case when p.is_known then p.total else c.total end as total
    from part p left join counted c on c.ordinal = p.ordinal and c.day = p.day and not p.is_known
    union all
    select ordinal, of_name, null, null, true, null, null from candidates
    where of_name > 0 and ordinal not in (select ordinal from chosen)
  ) rows
  order by rows.of_name desc, rows.ordinal, rows.day`;

/** Keeps the counted rows. A row that another request counted from more events stays. */
export const STORE_COUNTS = `
  insert into usage_of_metrics as k
  select $1::uuid, u.metric_id, $2::text, u.day, u.name_events, u.events, u.total
  from unnest($3::uuid[], $4::date[], $5::bigint[], $6::bigint[], $7::numeric[])
    as u (metric_id, day, name_events, events, total)
  order by u.metric_id, u.day
  on conflict (org, metric_id, granularity, day) do update
    set name_events = excluded.name_events, events = excluded.events, total = excluded.total
    where k.name_events < excluded.name_events`;

/**
 * Returns the values of `COUNT_USAGE_BY_METRIC` from $2 on.
 * @param keptIds metrics whose kept rows hold; null for one that is counted anew
 */
export function usageByMetricValues(
  { range, granularity }: { readonly range: Period; readonly granularity: UsageGranularity },
  metrics: readonly Metric[],
  keptIds: readonly (Uuid | null)[],
): unknown[] {
  const definitions = metrics.map(({ definition }) => definition);
  const filters = definitions.map((definition) => filterRows(definition, []));
  return [
    range.start,
    range.end,
    granularity,
    [...new Set(definitions.map(({ eventName }) => eventName))],
    definitions.map(({ eventName }) => eventName),
    definitions.map(({ aggregation }) => aggregation),
    definitions.map(({ propertyName }) => propertyName),
    filters.map((rows) => JSON.stringify(rows)),
    // Every event counts as one, so the kept sum of the name is the count.
    definitions.map(({ aggregation }, index) => aggregation === 'count' && filters[index]!.length === 0),
    keptIds,
  ];
}
