import type { MetricDefinition } from '../pricing/price-content.js';
import type { SubscriptionFilter } from '../subscription/domain/events.js';
import { type UsageQuestion, countedProperty, filtersOf } from './domain/counter.js';
import type { QuestionFromBase } from './domain/usage-base.js';

/**
 * Returns SQL for the batches that were sealed after a watermark, or not yet, and have usage before an instant: all
 * with an id above `last_batch`, and those in `stragglers`. Batches other than stragglers are numbered in the order of
 * their ids, so an event's batch id alone tells most later batches. $1 is the organization.
 */
export const laterBatches = (watermark: string, until: string): string => `
  select coalesce((
      select batch_id from usage_batches
      where org = $1 and sealed_number <= ${watermark} and not is_straggler
      order by sealed_number desc limit 1
    ), 0) as last_batch,
    array(
      select batch_id from usage_batches
      where org = $1 and is_straggler and sealed_number > ${watermark} and earliest_event_time < ${until}
      union all
      select batch_id from usage_batches
      where org = $1 and sealed_number is null and earliest_event_time < ${until}
    ) as stragglers`;

/**
 * Returns the parameters of `QUESTIONS`: customer, event name, aggregated property (null: events are counted), window,
 * filters, aggregation. One fixed statement answers any number of questions of any kind. $1 is the organization, $2 the
 * watermark (null: everything received).
 */
export const questionValues = (questions: readonly UsageQuestion[]): unknown[] => [
  questions.map((question) => question.customerKey),
  questions.map((question) => question.definition.eventName),
  questions.map((question) => countedProperty(question.definition)),
  questions.map((question) => question.window.start),
  questions.map((question) => question.window.end),
  questions.map(({ definition, filters }) => JSON.stringify(filterRows(definition, filters))),
  questions.map((question) => question.definition.aggregation),
];

/** Subqueries hide the lengths of the arrays: PostgreSQL would plan a count of few questions anew each time. */
const GIVEN = ['uuid', 'text', 'text', 'timestamptz', 'timestamptz', 'jsonb', 'text']
  .map((type, index) => `(select $${index + 3}::${type}[])`)
  .join(', ');

export const QUESTIONS = `
  select * from unnest(${GIVEN})
    with ordinality as q (customer_key, event_name, property, window_start, window_end, filters, aggregation, ordinal)`;

/** Returns the parameters of `QUESTIONS_FROM_BASE`, with the base that a question continues. */
export const questionFromBaseValues = (questions: readonly QuestionFromBase[]): unknown[] => [
  ...questionValues(questions),
  questions.map(({ base }) => base?.end ?? null),
  questions.map(({ base }) => base?.sealedUpTo ?? null),
];

export const QUESTIONS_FROM_BASE = `
  select q.*, base.last_batch, base.stragglers from unnest(${GIVEN}, (select $10::timestamptz[]), (select $11::bigint[]))
    with ordinality as q (customer_key, event_name, property, window_start, window_end, filters, aggregation,
      base_end, base_watermark, ordinal)
  cross join lateral (${laterBatches('q.base_watermark', 'q.base_end')}) base`;

/**
 * Lowest batch id that may be newer than the watermark; events below it skip the batch look-up. Without a watermark it
 * is above all ids. Batches other than stragglers are numbered in the order of their ids, so the first one past the
 * watermark has the lowest id; for `min(batch_id)` PostgreSQL would read the batches from the first one on.
 */
export const FIRST_UNCOUNTED_BATCH = `
  select case when $2::bigint is null then 9223372036854775807 else least(
    (select min(batch_id) from usage_batches where org = $1 and sealed_number is null),
    (select min(batch_id + 0) from usage_batches where org = $1 and is_straggler and sealed_number > $2),
    (select batch_id from usage_batches where org = $1 and not is_straggler and sealed_number > $2
      order by sealed_number limit 1),
    9223372036854775807) end as batch_id`;

/** Condition for an event `e` that passes the filters of a question `q`. */
export const PASSES_FILTERS = `(q.filters = '[]' or not exists (
      select from jsonb_array_elements(q.filters) as f (filter)
      cross join lateral (select e.properties -> (filter ->> 'property') as said) p
      where not coalesce(case filter ->> 'operator'
        when 'gte' then usage_number(said) >= (filter ->> 'number')::numeric
        when 'gt' then usage_number(said) > (filter ->> 'number')::numeric
        when 'eq' then usage_number(said) = (filter ->> 'number')::numeric
        when 'lt' then usage_number(said) < (filter ->> 'number')::numeric
        when 'lte' then usage_number(said) <= (filter ->> 'number')::numeric
        when 'isin' then filter -> 'texts' ? usage_text(said)
        when 'isnotin' then coalesce(not filter -> 'texts' ? usage_text(said), true)
      end, false)))`;

/**
 * FROM clause of the events `e` that a question `q` counts. The scalar subquery is deliberate: a join would be planned
 * again per question.
 */
export const COUNTED_EVENTS = `
  from usage_events e
  where e.org = $1 and e.customer_key = q.customer_key and e.event_name = q.event_name
    and e.event_time >= q.window_start and e.event_time < q.window_end
    and (e.batch_id < (select batch_id from first_uncounted) or $2 >=
      (select b.sealed_number from usage_batches b where b.org = $1 and b.batch_id = e.batch_id))
    and ${PASSES_FILTERS}`;

/** Condition for events outside of the question's base, without a look-up for events in it. */
export const NOT_IN_BASE = `
    and (q.base_end is null or e.event_time >= q.base_end
      or e.batch_id > q.last_batch or e.batch_id = any(q.stragglers))`;

/**
 * Returns SQL for the number in a property, with a fast path for common numbers: one of up to 14 digits needs no
 * function call.
 * @param said a column, as it is evaluated more than once
 */
export const numberIn = (said: string): string => `coalesce(
  case jsonb_typeof(${said}) when 'number' then
    case when scale(${said}::numeric) <= 5 and abs(${said}::numeric) < 1000000000 then ${said}::numeric end
  end, usage_number(${said}))`;

/** Converts the filters of a metric and of a subscription to the JSON that `PASSES_FILTERS` reads. */
export function filterRows(definition: MetricDefinition, filters: readonly SubscriptionFilter[]): object[] {
  const { numeric, categorical } = filtersOf(definition, filters);
  return [
    ...numeric.map(({ propertyName, operator, comparisonValue }) => ({
      property: propertyName,
      operator,
      number: comparisonValue,
    })),
    ...categorical.map(({ propertyName, operator, comparisonValue }) => ({
      property: propertyName,
      operator,
      texts: comparisonValue,
    })),
  ];
}
