/**
 * The log in Postgres. `position` has no sequence behind it: the append lock makes max + 1 safe, and what is rolled
 * back leaves no gap. JSON is kept as `json`, not `jsonb`: the text stays as it was appended, digit for digit (jsonb
 * reorders keys, rewrites numbers and refuses \u0000), and hashes and goldens read what was written.
 */
export const EVENTS_SCHEMA = `
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
