import { valueColumnsSql } from '../../src/metering/count-sql.js';
import { PASSES_FILTERS } from '../../src/metering/usage-questions-sql.js';
import type { DerivedView } from '../runtime/derived-views.js';
import { ORG } from './shared.js';

const usageByDay: DerivedView = {
  name: 'usage_by_day',
  comment:
    'Stored usage events by customer, event name and day of the event. What metrics make of them is in usage_by_metric_and_day.',
  columns: {
    org: ORG,
    customer_key: { type: 'uuid', comment: 'Customer who used it' },
    event_name: { type: 'text', comment: 'Name of the events' },
    day: { type: 'date', comment: 'Day, UTC' },
    events: { type: 'bigint', comment: 'Number of events' },
  },
  sql: `select org, customer_key, event_name, (event_time at time zone 'UTC')::date as day, count(*)
  from usage_events group by org, customer_key, event_name, day`,
};

/** Filters of a metric as PASSES_FILTERS reads them. */
const FILTERS = `(select coalesce(jsonb_agg(filter), '[]') from (
    select jsonb_build_object('property', f ->> 'propertyName', 'operator', f ->> 'operator',
      'number', f ->> 'comparisonValue') as filter from jsonb_array_elements(m.numeric_filters) f
    union all
    select jsonb_build_object('property', f ->> 'propertyName', 'operator', f ->> 'operator',
      'texts', f -> 'comparisonValue') from jsonb_array_elements(m.categorical_filters) f
  ) filters)`;

const usageByMetricAndDay: DerivedView = {
  name: 'usage_by_metric_and_day',
  comment:
    'Usage by customer, metric and day, by the definition and the filters of the metric. Filters of subscriptions are left out; what was billed is in invoice_lines.',
  columns: {
    org: ORG,
    customer_key: { type: 'uuid', comment: 'Customer who used it' },
    metric_id: { type: 'uuid', comment: 'The metric' },
    metric_name: { type: 'text', comment: 'Name of the metric' },
    day: { type: 'date', comment: 'Day, UTC' },
    events: { type: 'bigint', comment: 'Number of events that the metric counts' },
    quantity: {
      type: 'numeric',
      comment: 'Usage of the day; null for gauges and rates, which follow from more than the events of a day',
    },
  },
  sql: `select org, customer_key, metric_id, metric_name, day, count(*),
    case when metric_type = 'counter' then case aggregation
      when 'count' then count(*)
      when 'unique' then count(distinct said)
      when 'max' then trim_scale(greatest(max(value), 0))
      when 'average' then trim_scale(coalesce(avg(value), 0))
      else trim_scale(coalesce(sum(value), 0))
    end end
  from (
    select org, customer_key, metric_id, metric_name, metric_type, aggregation, day, ${valueColumnsSql('property')}
    from (
      select e.org, e.customer_key, q.metric_id, q.metric_name, q.metric_type, q.aggregation,
        (e.event_time at time zone 'UTC')::date as day, e.properties -> q.property as property
      from (
        select m.org, m.metric_id, m.name as metric_name, m.metric_type, m.event_name, m.aggregation,
          m.property_name as property, ${FILTERS} as filters
        from metrics m
      ) q
      join usage_events e on e.org = q.org and e.event_name = q.event_name and ${PASSES_FILTERS}
    ) q
  ) valued group by org, customer_key, metric_id, metric_name, metric_type, aggregation, day`,
};

export const USAGE_VIEWS: readonly DerivedView[] = [usageByDay, usageByMetricAndDay];
