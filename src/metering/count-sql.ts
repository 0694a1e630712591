import { MAX_VALUES } from './domain/usage-by-value.js';
import { STORED_EVENT_COLUMNS } from './stored-event.js';
import {
  COUNTED_EVENTS,
  FIRST_UNCOUNTED_BATCH,
  NOT_IN_BASE,
  numberIn,
  QUESTIONS,
  QUESTIONS_FROM_BASE,
} from './usage-questions-sql.js';

/** Limit of events (3 MB of hashes) whose digest PostgreSQL computes in memory; above it the hashes are streamed. */
const MAX_IN_MEMORY = 100_000;

/** Aggregates the values of a question `q`. */
export const AGGREGATES_SQL = `count(*) as event_count,
    case q.aggregation
      when 'max' then trim_scale(greatest(max(value), 0))
      when 'unique' then count(distinct said)
      when 'count' then null
      else trim_scale(coalesce(sum(value), 0))
    end as total,
    case q.aggregation
      when 'count' then 0
      when 'unique' then count(*) - count(said)
      else count(*) - count(value)
    end as absent_values`;

/** Returns SQL for the value of one event: its number, or for `unique` its text. */
export const valueColumnsSql = (property: string): string => `
  case when q.aggregation <> 'unique' then ${numberIn(property)} end as value,
  case when q.aggregation = 'unique' then usage_text(${property}) end as said`;

interface CountedSet {
  readonly questions: string;
  readonly events: string;
}

const ALL: CountedSet = { questions: QUESTIONS, events: COUNTED_EVENTS };
const FROM_BASE: CountedSet = { questions: QUESTIONS_FROM_BASE, events: COUNTED_EVENTS + NOT_IN_BASE };

/** @param further columns of each event, and of all of them */
const countOfEvents = ({ questions, events }: CountedSet, further = { each: '', all: '' }): string => `
with questions as (${questions}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select answer.* from questions q cross join lateral (
  select ${AGGREGATES_SQL},
    case when count(*) <= ${MAX_IN_MEMORY} then encode(sha256(coalesce(
      string_agg(body_hash, ''::bytea order by idempotency_id) filter (where ordinal <= ${MAX_IN_MEMORY}),
      ''::bytea)), 'hex') end as digest${further.all}
  from (
    select e.idempotency_id, e.body_hash, row_number() over (order by e.idempotency_id) as ordinal,
      ${valueColumnsSql('(e.properties -> q.property)')}${further.each}
    ${events}
  ) counted
) answer
order by q.ordinal`;

/**
 * SQL for the body hash of an event `e`: sha256 over the canonical JSON that `bodyHashOf` (domain/usage-event.ts)
 * writes. The JSON has exactly the content of the row, so an equal hash proves the row. A different one proves nothing:
 * nested properties, numbers beyond 1e21 or below 1e-6 and names outside of the Basic Multilingual Plane are written
 * differently here. Such rows are few, and `bodyHashOf` decides. It is no SQL function: PostgreSQL does not inline one
 * with a subquery, which costs three times as much.
 */
export const BODY_HASH = `sha256(convert_to(
  '[' || to_json(e.idempotency_id)::text || ',"' || e.customer_key || '",' || to_json(e.event_name)::text
    || ',"' || to_char(e.event_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '",'
    || case when jsonb_typeof(e.properties) = 'object' then '{' || coalesce((
        select string_agg(to_json(member.name)::text || ':' || member.value::text, ',' order by member.name collate "C")
        from jsonb_each(e.properties) as member (name, value)), '') || '}' end
    || ']', 'UTF8'))`;

/** True for an event `e` that differs from its stored hash. */
export const HASH_DIFFERS_SQL = `e.body_hash is distinct from ${BODY_HASH}`;
const AUDIT = {
  each: `, ${HASH_DIFFERS_SQL} as differs`,
  all: `, count(*) filter (where differs) as differing`,
};

/** Two named statements: one for questions without a base, one where some questions continue a base. */
export interface NamedPair {
  readonly all: NamedStatement;
  readonly fromBase: NamedStatement;
}

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

export const COUNT_USAGE_SQL: NamedPair = {
  all: { name: 'usage-count', text: countOfEvents(ALL) },
  fromBase: { name: 'usage-count-from-base', text: countOfEvents(FROM_BASE) },
};

/** Counts, and also counts the events whose stored body hash differs from the one computed from the row. */
export const AUDIT_USAGE_SQL: NamedPair = {
  all: { name: 'usage-audit', text: countOfEvents(ALL, AUDIT) },
  fromBase: { name: 'usage-audit-from-base', text: countOfEvents(FROM_BASE, AUDIT) },
};

/**
 * Counts without a digest, which needs an order: a customer's limit may be checked before each of its requests. `offset
 * 0` keeps PostgreSQL from computing the value of an event again for each aggregate.
 */
const liveCountOf = ({ questions, events }: CountedSet): string => `
with questions as (${questions}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select answer.* from questions q cross join lateral (
  select ${AGGREGATES_SQL}
  from (
    select ${valueColumnsSql('property')} from (select e.properties -> q.property as property ${events} offset 0) event
    offset 0
  ) counted
) answer
order by q.ordinal`;

export const COUNT_LIVE_USAGE_SQL: NamedPair = {
  all: { name: 'usage-count-live', text: liveCountOf(ALL) },
  fromBase: { name: 'usage-count-live-from-base', text: liveCountOf(FROM_BASE) },
};

/** The texts of property $10 that the counted events have. */
export const PROPERTY_VALUES_SQL = `
with questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select array(
  select distinct said collate "C" from (select usage_text(e.properties -> $10) as said ${COUNTED_EVENTS} offset 0) event
  where said is not null order by 1 limit ${MAX_VALUES}
) as texts
from questions q order by q.ordinal`;

const hashesOfEvents = ({ questions, events }: CountedSet): string => `
with questions as (${questions}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select counted.body_hash from questions q cross join lateral (
  select e.idempotency_id, e.body_hash ${events}
) counted
order by counted.idempotency_id`;

export const BODY_HASHES_SQL: NamedPair = {
  all: { name: 'usage-hashes', text: hashesOfEvents(ALL) },
  fromBase: { name: 'usage-hashes-from-base', text: hashesOfEvents(FROM_BASE) },
};

const differingEvents = ({ questions, events }: CountedSet): string => `
with questions as (${questions}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select counted.* from questions q cross join lateral (
  select ${STORED_EVENT_COLUMNS}
  ${events} and ${HASH_DIFFERS_SQL}
) counted
order by counted.idempotency_id`;

/** Selects the events that `AUDIT_USAGE_SQL` says differ. */
export const DIFFERING_EVENTS_SQL: NamedPair = {
  all: { name: 'usage-differing', text: differingEvents(ALL) },
  fromBase: { name: 'usage-differing-from-base', text: differingEvents(FROM_BASE) },
};
