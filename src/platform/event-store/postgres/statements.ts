export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Taken by an append until it commits: the first 7 bytes of "recount" as a number. Positions are given and become
 * visible under it, one append group after the other, so a reader that remembers the last position skips nothing.
 * In Postgres a commit is visible before its locks are released.
 */
const APPEND_LOCK = BigInt(`0x${Buffer.from('recount').toString('hex')}`);

/**
 * The lock is a statement of its own: the statement that compares revisions must take its snapshot after it, which
 * is what read committed does. The timeouts bound what a process that stalls while it holds the lock does to others.
 */
export const BEGIN_APPEND = `begin isolation level read committed;
set local lock_timeout = '10s';
set local idle_in_transaction_session_timeout = '10s';
select pg_advisory_xact_lock(${APPEND_LOCK})`;

/**
 * One group of appends, at most one per stream. Members whose stream stands at the expected revision (-1: no stream)
 * are inserted, in order; the others are missing from the answer. Which those are is an array that the events look
 * into: a join is planned for ten rows and takes the square of the group.
 * $1 streams, $2 expected revisions; then one element per event: $3 its member (1, 2 …), $4 streams, $5 revisions,
 * $6 ids, $7 types, $8 data, $9 metadata.
 */
export const APPEND_GROUP = {
  name: 'append-group',
  text: `with compared as materialized (
  select array_agg(m.expected = coalesce(
    (select e.revision from events e where e.stream = m.stream order by e.revision desc limit 1), -1
  ) order by m.n) as is_current
  from unnest($1::text[], $2::bigint[]) with ordinality as m (stream, expected, n)
), inserted as (
  insert into events (position, stream, revision, id, type, data, metadata)
  select coalesce((select max(position) from events), 0) + row_number() over (order by e.i),
    e.stream, e.revision, e.id, e.type, e.data, e.metadata
  from compared, unnest($3::int[], $4::text[], $5::bigint[], $6::uuid[], $7::text[], $8::json[], $9::json[])
    with ordinality as e (member, stream, revision, id, type, data, metadata, i)
  where compared.is_current[e.member]
  returning stream, revision, position
)
select stream, max(revision) as revision, max(position) as position from inserted group by stream`,
};

/** What stands where refused appends wanted to stand. $1 streams, $2 first and $3 last revisions. */
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

/** A page of each of many streams, shorter than one read alone. $1 streams, $2 first revisions, $3 counts. */
export const READ_STREAMS: Statement = {
  name: 'read-streams',
  text: `select m.place, e.* from unnest($1::text[], $2::bigint[], $3::int[])
    with ordinality as m (stream, first, count, place)
  cross join lateral (${page('stream = m.stream and revision >= m.first', 'revision', 'm.count', PAGE_BYTES / 16)}) as e
  order by m.place, e.revision`,
};

/** $1 position, exclusive, $2 count. */
export const READ_ALL: Statement = { name: 'read-all', text: page('position > $1', 'position', '$2') };

export const HEAD: Statement = { name: 'head', text: 'select max(position) as position from events' };

export const IDENTITY: Statement = {
  name: 'identity',
  text: 'select id from events order by position limit 1',
};
