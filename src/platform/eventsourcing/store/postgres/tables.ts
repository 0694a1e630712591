/**
 * Table of the log. `position` uses no sequence: the append lock makes max + 1 safe, and a rollback leaves no gap. The
 * type is `json`, which keeps the appended text, and not `jsonb`, which reorders keys, rewrites numbers and refuses
 * \u0000: hashes need the exact text.
 */
export const EVENTS_MIGRATION = `
create table events (
  position bigint primary key,
  stream text not null,
  revision bigint not null,
  id uuid not null,
  type text not null,
  data json not null,
  metadata json not null,
  unique (stream, revision)
);

comment on table events is 'Everything that happened, in the order it became visible. Only ever appended to.';
comment on column events.position is 'Place in the whole log: 1, 2, 3 …';
comment on column events.stream is 'Category, tenant and entity: {category}-{org}.{id}.';
comment on column events.revision is 'Place in the stream: 0, 1, 2 …';
comment on column events.id is 'Derived from command id and index, so that a repeated append is recognised.';
comment on column events.type is 'Name of what happened; its shape is in the golden events of the test suite.';
comment on column events.data is 'What happened: money as digit strings, quantities as decimal strings.';
comment on column events.metadata is 'Who caused it, by which command, and when it was written down.';
`;

/**
 * Advisory lock of appends: the 7 bytes of "recount" as a number. Positions are assigned and become visible while an
 * append group holds it, so a reader that continues after the last position misses no event. PostgreSQL makes a commit
 * visible before it releases the locks.
 */
const APPEND_LOCK = BigInt(`0x${Buffer.from('recount').toString('hex')}`);

/**
 * SQL function that appends one group, at most one member per stream. It inserts members whose stream is at the expected
 * revision (-1 for no stream) in order, and returns the last revision and position of each; refused members are not in the
 * result. The array `is_current` replaces a join, which PostgreSQL plans for ten rows and runs in quadratic time.
 *
 * A function needs one round trip including the commit. With read committed each of its statements takes a new snapshot,
 * so revisions are compared after the lock.
 */
export const APPEND_EVENTS_MIGRATION = `
create function append_events(
  streams text[], expected bigint[],
  members int[], event_streams text[], revisions bigint[], ids uuid[], types text[], data json[], metadata json[]
) returns table (stream text, revision bigint, "position" bigint)
language plpgsql volatile set lock_timeout = '10s' as $$
#variable_conflict use_column
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'appends need read committed transactions';
  end if;
  perform pg_advisory_xact_lock(${APPEND_LOCK});
  return query
  with compared as materialized (
    select array_agg(m.expected = coalesce(
      (select e.revision from events e where e.stream = m.stream order by e.revision desc limit 1), -1
    ) order by m.n) as is_current
    from unnest(append_events.streams, append_events.expected) with ordinality as m (stream, expected, n)
  ), inserted as (
    insert into events as i (position, stream, revision, id, type, data, metadata)
    select coalesce((select max(position) from events), 0) + row_number() over (order by e.i),
      e.stream, e.revision, e.id, e.type, e.data, e.metadata
    from compared, unnest(append_events.members, append_events.event_streams, append_events.revisions,
        append_events.ids, append_events.types, append_events.data, append_events.metadata)
      with ordinality as e (member, stream, revision, id, type, data, metadata, i)
    where compared.is_current[e.member]
    returning i.stream, i.revision, i.position
  )
  select inserted.stream, max(inserted.revision), max(inserted.position) from inserted group by inserted.stream;
end $$;

comment on function append_events is 'The only writer of events: appends to many streams at once, each where it is expected to stand.';
`;

/**
 * Makes PostgreSQL plan `append_events` once per session. It would otherwise prefer a plan for arrays of exactly this
 * length at every call, and planning costs twice as much as the rest of an append.
 */
export const APPEND_EVENTS_PLANNED_ONCE_MIGRATION = `
alter function append_events set plan_cache_mode = force_generic_plan;
`;
