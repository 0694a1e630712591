import { BODY_HASH } from './body-hash-sql.js';
import { MOST_VALUES } from './domain/usage-by-value.js';
import { STORED_EVENT } from './stored-event.js';
import {
  COUNTED_EVENTS,
  FRONTIER,
  numberIn,
  NOT_IN_BASE,
  QUESTIONS,
  QUESTIONS_FROM_BASE,
} from './usage-questions-sql.js';

/** A digest over more events than this (3 MB of hashes) is not gathered in the database's memory but streamed. */
const MOST_GATHERED = 100_000;

/** Sums up the values of a question's events `q`. */
export const COUNTS = `count(*) as event_count,
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

/** Value of one event for an aggregate: its number, or the text by which values are told apart. */
export const valuesOf = (property: string): string => `
  case when q.aggregation <> 'unique' then ${numberIn(property)} end as value,
  case when q.aggregation = 'unique' then usage_text(${property}) end as said`;

interface CountedSet {
  readonly questions: string;
  readonly events: string;
}

const ALL: CountedSet = { questions: QUESTIONS, events: COUNTED_EVENTS };
const FROM_BASE: CountedSet = { questions: QUESTIONS_FROM_BASE, events: COUNTED_EVENTS + NOT_IN_BASE };

/** @param further what is computed of each event besides, and what of all of them */
const countOfEvents = ({ questions, events }: CountedSet, further = { each: '', all: '' }): string => `
with questions as (${questions}), frontier as materialized (${FRONTIER})
select answer.* from questions q cross join lateral (
  select ${COUNTS},
    case when count(*) <= ${MOST_GATHERED} then encode(sha256(coalesce(
      string_agg(body_hash, ''::bytea order by idempotency_id) filter (where place <= ${MOST_GATHERED}),
      ''::bytea)), 'hex') end as digest${further.all}
  from (
    select e.idempotency_id, e.body_hash, row_number() over (order by e.idempotency_id) as place,
      ${valuesOf('(e.properties -> q.property)')}${further.each}
    ${events}
  ) counted
) answer
order by q.place`;

/** True for an event `e` that differs from its stored hash. */
export const DIFFERS = `e.body_hash is distinct from ${BODY_HASH}`;
const AUDIT = {
  each: `, ${DIFFERS} as differs`,
  all: `, count(*) filter (where differs) as differing`,
};

/** Named statements of one kind: for questions alone, and where some go on from a base. */
export interface NamedPair {
  readonly all: NamedStatement;
  readonly fromBase: NamedStatement;
}

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

export const COUNT: NamedPair = {
  all: { name: 'usage-count', text: countOfEvents(ALL) },
  fromBase: { name: 'usage-count-from-base', text: countOfEvents(FROM_BASE) },
};

/** Also how many of the counted events have another body hash than the one PostgreSQL computes of their rows. */
export const COUNT_AUDITED: NamedPair = {
  all: { name: 'usage-audit', text: countOfEvents(ALL, AUDIT) },
  fromBase: { name: 'usage-audit-from-base', text: countOfEvents(FROM_BASE, AUDIT) },
};

/** Without the order of a digest: what may be asked before every request of a customer. */
export const COUNT_LIVE = `
with questions as (${QUESTIONS}), frontier as materialized (${FRONTIER})
select answer.* from questions q cross join lateral (
  select ${COUNTS}
  from (
    select ${valuesOf('property')} from (select e.properties -> q.property as property ${COUNTED_EVENTS} offset 0) event
  ) counted
) answer
order by q.place`;

/** The texts of property $10 that the counted events have. */
export const VALUES = `
with questions as (${QUESTIONS}), frontier as materialized (${FRONTIER})
select array(
  select distinct said collate "C" from (select usage_text(e.properties -> $10) as said ${COUNTED_EVENTS} offset 0) event
  where said is not null order by 1 limit ${MOST_VALUES}
) as texts
from questions q order by q.place`;

const hashesOfEvents = ({ questions, events }: CountedSet): string => `
with questions as (${questions}), frontier as materialized (${FRONTIER})
select counted.body_hash from questions q cross join lateral (
  select e.idempotency_id, e.body_hash ${events}
) counted
order by counted.idempotency_id`;

export const HASHES: NamedPair = {
  all: { name: 'usage-hashes', text: hashesOfEvents(ALL) },
  fromBase: { name: 'usage-hashes-from-base', text: hashesOfEvents(FROM_BASE) },
};

const differingEvents = ({ questions, events }: CountedSet): string => `
with questions as (${questions}), frontier as materialized (${FRONTIER})
select counted.* from questions q cross join lateral (
  select ${STORED_EVENT}
  ${events} and ${DIFFERS}
) counted
order by counted.idempotency_id`;

/** The events that COUNT_AUDITED says differ. */
export const DIFFERING: NamedPair = {
  all: { name: 'usage-differing', text: differingEvents(ALL) },
  fromBase: { name: 'usage-differing-from-base', text: differingEvents(FROM_BASE) },
};
