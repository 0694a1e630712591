import { TIME_INDEX_CONDITION } from './tables.js';

export const MAX_STEPS = 5_000;
/** Limit of events that one statement lists, whatever the number of series: a page and one more. */
export const MAX_LISTED = 1_001;

export const LISTED_COLUMNS_SQL = `e.idempotency_id as "idempotencyId", e.customer_key as "customerKey", e.event_name as "eventName",
  e.event_time as time, e.properties, b.received_at as "receivedAt", b.sealed_number as "sealedNumber"`;

/** Finds series by skip scan: one index look-up each, instead of reading their events. The limit ends the recursion. */
export function seriesOf(ofCustomer: boolean): string {
  const next = (condition: string, customer: string, steps: string) => `
    select e.customer_key, e.event_name, ${steps} as steps from usage_events e
    where e.org = $1 and ${condition} ${ofCustomer ? `and e.customer_key = ${customer}` : ''}
    order by e.customer_key, e.event_name limit 1`;
  return `
with recursive series as (
  (${next('(e.customer_key, e.event_name) >= ($2::uuid, $3::text)', '$2::uuid', '1')})
  union all
  select following.* from series s cross join lateral (
    ${next('(e.customer_key, e.event_name) > (s.customer_key, s.event_name)', 's.customer_key', 's.steps + 1')}
  ) following where s.steps < ${MAX_STEPS}
)
select customer_key as "customerKey", event_name as "eventName",
  $4::text[] is null or event_name = any($4::text[]) as "isWanted", steps = ${MAX_STEPS} as "isLast"
from series
where $4::text[] is null or event_name = any($4::text[]) or steps = ${MAX_STEPS} limit $5`;
}

export const LISTED_EVENTS_SQL = `
select listed.* from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::text[])
  with ordinality as part (customer_key, event_name, after_time, after_id, ordinal)
cross join lateral (
  select ${LISTED_COLUMNS_SQL} from (
    select * from usage_events u
    where u.org = $1 and u.customer_key = part.customer_key and u.event_name = part.event_name
      and u.event_time >= part.after_time and u.event_time < $6::timestamptz
      and (u.event_time > part.after_time or u.idempotency_id > part.after_id)
    order by u.event_time, u.idempotency_id limit $7
  ) e
  left join usage_batches b on b.org = $1 and b.batch_id = e.batch_id
  order by e.event_time, e.idempotency_id
) listed
order by part.ordinal, listed.time, listed."idempotencyId" collate "C" limit ${MAX_LISTED}`;

/** Returns the condition for the events of the customer $2, or of all customers. */
const ofOneOrAll = (events: string, ofCustomer: boolean): string =>
  ofCustomer ? `${events}.customer_key = $2::uuid` : `$2::uuid is null and ${events}.${TIME_INDEX_CONDITION}`;

/** Lists event names, each by one index look-up. @param ofCustomer selects those of the customer $2 */
export function namesOf(ofCustomer: boolean): string {
  const next = (steps: string, condition = '') => `
    select e.event_name, ${steps} as steps from usage_events e
    where e.org = $1 and ${ofOneOrAll('e', ofCustomer)} ${condition}
    order by e.event_name limit 1`;
  return `
with recursive names as (
  (${next('1')})
  union all
  select following.* from names n cross join lateral (
    ${next('n.steps + 1', 'and e.event_name > n.event_name')}
  ) following where n.steps < $3
)
select event_name as name from names`;
}

/**
 * Merges the events of the names $3 by time and id, after the place ($4, $5) and up to $6. A page of $7 events comes from the
 * $7 names whose first events are the first of all: of each other name one entry of the index is read.
 */
export function byTime(ofCustomer: boolean, isNewestFirst: boolean): string {
  const direction = isNewestFirst ? 'desc' : 'asc';
  const order = (of: string): string =>
    `order by ${of}.event_time ${direction}, ${of}.idempotency_id ${direction}`;
  const firstOf = (name: string, limit: string): string => `
    select u.event_name, u.event_time, u.idempotency_id from usage_events u
    where u.org = $1 and ${ofOneOrAll('u', ofCustomer)}
      and u.event_name = ${name}
      and (u.event_time, u.idempotency_id) ${isNewestFirst ? '<' : '>'} ($4::timestamptz, $5::text)
      and u.event_time ${isNewestFirst ? '>=' : '<'} $6::timestamptz
    ${order('u')} limit ${limit}`;
  return `
with nearest as materialized (
  select first.event_name from unnest($3::text[]) asked (name)
  cross join lateral (${firstOf('asked.name', '1')}) first
  ${order('first')} limit $7
),
page as materialized (
  select own.event_time, own.idempotency_id from nearest
  cross join lateral (${firstOf('nearest.event_name', '$7')}) own
  ${order('own')} limit $7
)
select ${LISTED_COLUMNS_SQL} from page
join usage_events e on e.org = $1 and e.idempotency_id = page.idempotency_id
left join usage_batches b on b.org = $1 and b.batch_id = e.batch_id
${order('page')}`;
}
