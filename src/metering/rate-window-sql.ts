import { RATE_WINDOW_FRAME } from './rate-sql.js';
import { COUNTED_EVENTS, FIRST_UNCOUNTED_BATCH, numberIn, QUESTIONS } from './usage-questions-sql.js';

/**
 * Selects the highest window of a rate with the event that it ends with. The parameters are those of rate-sql.ts. Of equal
 * windows it is the first, of events of one instant the last by id.
 */
const READINGS = `
with questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH}), readings as materialized (
  select at, idempotency_id, ${numberIn('said')} as value from questions q cross join lateral (
    select e.event_time as at, e.idempotency_id, e.properties -> q.property as said ${COUNTED_EVENTS} offset 0
  ) event)`;

const highest = (order: string): string => `${READINGS}
select idempotency_id, at, events, present, total from (
  select idempotency_id, at, count(*) over sliding as events, count(value) over sliding as present,
    coalesce(sum(value) over sliding, 0) as total
  from readings window sliding as ${RATE_WINDOW_FRAME}) sliding_windows
where at >= $11::timestamptz order by ${order} desc, at, idempotency_id desc limit 1`;

const BY_AVERAGE = highest(
  `div(total * (select ('1e' || coalesce(max(scale(value)), 0) + 16)::numeric from readings), greatest(present, 1))`,
);

/** The first window that has the highest value. A sliding maximum would read each window by itself. */
const BY_MAX = `${READINGS}, beginning as (
  select min(at) as at from readings where at >= $11::timestamptz
), highest as (
  select greatest(r.at, beginning.at) as at, greatest(r.value, 0) as total from readings r, beginning
  where r.value is not null and r.at >= beginning.at - $10::float8 * interval '1 microsecond'
  order by r.value desc, r.at limit 1)
select (select max(idempotency_id) from readings r where r.at = highest.at) as idempotency_id, highest.at,
  inside.events, inside.present, highest.total
from highest cross join lateral (
  select count(*) as events, count(value) as present from readings r
  where r.at between highest.at - $10::float8 * interval '1 microsecond' and highest.at) inside`;

export const RATE_WINDOW_BY = {
  count: highest('events'),
  sum: highest('total'),
  average: BY_AVERAGE,
  max: BY_MAX,
} as const;
