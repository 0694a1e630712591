import { COUNTED_EVENTS, FIRST_UNCOUNTED_BATCH, numberIn, QUESTIONS } from './usage-questions-sql.js';

/**
 * Computes a rate as domain/rate.ts defines it; a property test compares both (test/metering/reading.spec.ts). Each
 * event has a sliding window that ends with it, both ends included: a window frame over times. The statement also
 * returns the numbers of events and of absent values, of all events read. $10 is the length of the sliding window in
 * microseconds, $11 the start of the period: an earlier event has no window of its own.
 */
const readings = `
with questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH}), readings as materialized (
  select at, ${numberIn('said')} as value from questions q cross join lateral (
    select e.event_time as at, e.properties -> q.property as said ${COUNTED_EVENTS} offset 0
  ) event)`;

/** Frame of the sliding window that ends with an event. */
export const RATE_WINDOW_FRAME = `(order by at range between $10::float8 * interval '1 microsecond' preceding and current row)`;

const EVIDENCE = `(select count(*) from readings) as event_count,
  (select count(*) - count(value) from readings) as absent_values`;

/** Selects one of the highest windows; their values are equal. */
const highest = (aggregates: string, columns: string, order: string): string => `${readings}
select ${EVIDENCE}, highest.* from (select) one left join lateral (
  select ${columns} from (select at, ${aggregates} from readings window sliding as ${RATE_WINDOW_FRAME}) sliding_windows
  where at >= $11::timestamptz order by ${order} desc limit 1) highest on true`;

const BY_COUNT = highest('count(*) over sliding as total', 'total, 1 as present', 'total');

const BY_SUM = highest('coalesce(sum(value) over sliding, 0) as total', 'total, 1 as present', 'total');

/**
 * Averages are compared exactly, as whole numbers: those of up to 10^7 values with s decimals differ by at least 10^-(s
 * + 14). The result has total and number, and is divided later.
 */
const BY_AVERAGE = highest(
  `coalesce(sum(value) over sliding, 0) as total, greatest(count(value) over sliding, 1) as present`,
  'total, present',
  `div(total * (select ('1e' || coalesce(max(scale(value)), 0) + 16)::numeric from readings), present)`,
);

/** The highest value in the window of any event of the period, at least 0. */
const BY_MAX = `${readings}
select ${EVIDENCE}, (select greatest(max(value), 0) from readings
  where at >= (select min(at) from readings where at >= $11::timestamptz) - $10::float8 * interval '1 microsecond') as total,
  1 as present`;

export const RATE_BY = { count: BY_COUNT, sum: BY_SUM, average: BY_AVERAGE, max: BY_MAX } as const;
