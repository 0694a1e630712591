export const USAGE_GRANULARITIES = ['day', 'month'] as const;
export type UsageGranularity = (typeof USAGE_GRANULARITIES)[number];

/**
 * Counts the stored events of $1, from $2 until before $3, by customer, name and $4 (`day` or `month`, of UTC). It skips
 * from one pair of customer and name to the next and reads its part of the range by the index of the usage log: the cost
 * is that of the pairs and of the events in the range, whatever else is stored.
 * @param condition for a pair `p`
 */
export const COUNTED_PAIRS = (condition: string): string => `pair as (
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
      select date_trunc($4::text, e.event_time at time zone 'UTC')::date as day, count(*) as events
      from usage_events e
      where e.org = $1 and e.customer_key = p.customer_key and e.event_name = p.event_name
        and e.event_time >= $2 and e.event_time < $3
      group by day
    ) d
    where ${condition}
    group by p.event_name, d.day
  )`;
