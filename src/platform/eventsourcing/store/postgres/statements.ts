import { takingClaims } from '../../claims/claim.js';

export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Converts a JSON list to an array of JSON texts; an array parameter would be quoted a second time. */
const texts = (list: string): string =>
  `array(select text from json_array_elements(${list}::json) with ordinality as t (text, n) order by n)`;

/** Calls `append_events` (tables.ts) for a group of appends, as a whole transaction in one round trip. */
export const APPEND_GROUP: Statement = {
  name: 'append-group',
  text: `select stream, revision, position
    from append_events($1, $2, $3, $4, $5, $6, $7, ${texts('$8')}, ${texts('$9')})`,
};

/**
 * Appends a group whose members take claims ($10, by number of the member). Claims come first, as in `ClaimTaking`. A member
 * with a claim of another stream gets the expected revision -2, which no stream has, and so is refused. $2 is a JSON list,
 * as an array would be planned again for each length.
 */
export const APPEND_CLAIMING_GROUP: Statement = {
  name: 'append-claiming-group',
  text: `with ${takingClaims('$10')}, refused as materialized (
  select coalesce(array_agg(member), '{}') as members from (
    select member from held
    union all
    select w.member from inserted i join wanted w using (org, kind, key)
    where not i.is_new and i.owner_stream <> w.owner
  ) as lost
)
select a.stream, a.revision, a.position
from refused cross join lateral append_events(
  $1,
  array(select case when n = any (refused.members) then -2 else text::bigint end
    from json_array_elements_text($2) with ordinality as e (text, n) order by n),
  $3, $4, $5, $6, $7, ${texts('$8')}, ${texts('$9')}
) as a`,
};

/** Reads the events at the revisions of refused appends. $1 streams, $2 first and $3 last revisions. */
export const FIND_REPEATS = {
  name: 'find-repeats',
  text: `select e.stream, e.revision, e.id, e.position
from unnest($1::text[], $2::bigint[], $3::bigint[]) as m (stream, first, last)
join events e on e.stream = m.stream and e.revision between m.first and m.last`,
};

/** Limit of stored bytes of a page, which has at least one event. `fetched` tells whether the limit cut the page. */
const PAGE_BYTES = 4_000_000;

const page = (where: string, order: string, limit: string, bytes = PAGE_BYTES): string => `
select position, stream, revision, id, type, data::text, metadata, fetched from (
  select *, count(*) over () as fetched,
    sum(pg_column_size(data)) over (order by ${order} rows unbounded preceding) - pg_column_size(data) as before
  from (select * from events where ${where} order by ${order} limit ${limit}) as candidates
) as sized where before < ${bytes} order by ${order}`;

/** $1 stream, $2 first revision, $3 count. */
export const READ_FORWARDS: Statement = {
  name: 'read-forwards',
  text: page('stream = $1 and revision >= $2', 'revision', '$3'),
};

/** $1 stream, $2 first revision, $3 count. */
export const READ_BACKWARDS: Statement = {
  name: 'read-backwards',
  text: page('stream = $1 and revision <= $2', 'revision desc', '$3'),
};

/**
 * Reads a page of each of many streams, shorter than the page of one stream. $1 is a JSON list, as arrays would be planned
 * again for nearly every read, and planning costs more than reading.
 */
const pages = (where: string, order: string): string => `
select m.index, e.*
  from json_to_recordset($1) as m (index int, stream text, first bigint, count int, until text)
  cross join lateral (${page(`stream = m.stream and ${where}`, order, 'm.count', PAGE_BYTES / 16)}) as e
  order by m.index, e.${order}`;

export const READ_STREAMS: Statement = {
  name: 'read-streams',
  text: pages('revision >= m.first', 'revision'),
};

/** Reads each stream backwards to its newest event of the type `until`, or to its beginning if `until` is null. */
export const READ_STREAMS_BACKWARDS: Statement = {
  name: 'read-streams-backwards',
  text: pages(
    `revision <= m.first and revision >= case when m.until is null then 0 else coalesce((
      select u.revision from events u where u.stream = m.stream and u.revision <= m.first and u.type = m.until
      order by u.revision desc limit 1), 0) end`,
    'revision desc',
  ),
};

/** $1 position, exclusive, $2 count. */
export const READ_ALL: Statement = { name: 'read-all', text: page('position > $1', 'position', '$2') };

export const HEAD: Statement = { name: 'head', text: 'select max(position) as position from events' };

export const IDENTITY: Statement = {
  name: 'identity',
  text: 'select id from events order by position limit 1',
};

/** Lists streams of a category by their first events, in the order of the log, so that pages can follow one another. */
export const STREAMS_OF: Statement = {
  name: 'streams-of',
  text: `select stream, position from events
    where revision = 0 and position > $1 and starts_with(stream, $2) order by position limit $3`,
};
