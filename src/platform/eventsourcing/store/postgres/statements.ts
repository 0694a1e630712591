import { takingClaims } from '../../claims/claim.js';

export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** JSON texts travel as one list: an array of them would be quoted a second time, and read so. They stay as they are. */
const texts = (list: string): string =>
  `array(select text from json_array_elements(${list}::json) with ordinality as t (text, n) order by n)`;

/** `append_events` (schema.ts) for one group of appends; it is the whole transaction, so it costs one round trip. */
export const APPEND_GROUP: Statement = {
  name: 'append-group',
  text: `select stream, revision, position
    from append_events($1, $2, $3, $4, $5, $6, $7, ${texts('$8')}, ${texts('$9')})`,
};

/**
 * The same of a group of which members take claims with them ($10, by the number of the member): claims first, as in
 * `ClaimTaking`, then the log. Who wants what is another's stands nowhere: the log has no revision -2. $2 is a JSON list,
 * as an array would be planned anew for each length.
 */
export const APPEND_CLAIMING_GROUP: Statement = {
  name: 'append-claiming-group',
  text: `with ${takingClaims('$10')}, refused as materialized (
  select coalesce(array_agg(place), '{}') as members from (
    select place from held
    union all
    select w.place from inserted i join wanted w using (org, kind, key)
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

/**
 * A page ends after so many events or, counted as they are stored, so many bytes; at least one event is in it.
 * `fetched` tells the reader whether the page was cut short by its size.
 */
const PAGE_BYTES = 4_000_000;

const page = (where: string, order: string, limit: string, bytes = PAGE_BYTES): string => `
select position, stream, revision, id, type, data, metadata, fetched from (
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
 * A page of each of many streams, shorter than one read alone. $1 is one list, as arrays would be planned anew for
 * nearly every read, and planning costs more than reading.
 */
const pages = (where: string, order: string): string => `
select m.place, e.*
  from json_to_recordset($1) as m (place int, stream text, first bigint, count int, until text)
  cross join lateral (${page(`stream = m.stream and ${where}`, order, 'm.count', PAGE_BYTES / 16)}) as e
  order by m.place, e.${order}`;

export const READ_STREAMS: Statement = {
  name: 'read-streams',
  text: pages('revision >= m.first', 'revision'),
};

/** Each back to its newest event of the type `until`, to its beginning where that is null. */
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

/** Streams of a category, by their first events; in the order of the log, so that a page goes on where another ended. */
export const STREAMS_OF: Statement = {
  name: 'streams-of',
  text: `select stream, position from events
    where revision = 0 and position > $1 and starts_with(stream, $2) order by position limit $3`,
};
