export const CHECKPOINTS_MIGRATION = `
create table projection_checkpoints (
  projection text not null,
  version integer not null,
  commit bigint not null default -1,
  prepare bigint not null default -1,
  store uuid,
  stopped text,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (projection, version)
);
comment on table projection_checkpoints is 'How far each read model has followed the log.';
comment on column projection_checkpoints.projection is 'Name of the projection';
comment on column projection_checkpoints.version is 'Version of its tables and their meaning';
comment on column projection_checkpoints.commit is 'Position of the last event applied; -1 before the first';
comment on column projection_checkpoints.prepare is 'Second part of that position';
comment on column projection_checkpoints.store is 'Event store it was taken from: the id of that store''s first event';
comment on column projection_checkpoints.stopped is 'Why the projection has stopped; null while nothing is wrong';
comment on column projection_checkpoints.updated_at is 'Wall time of the last batch';
`;

/**
 * A projection has one live build, which its views read, and at most one more that is filled beside it. Each
 * build has a checkpoint.
 */
export const BUILDS_MIGRATION = `
alter table projection_checkpoints add column definition integer, add column live boolean not null default false;
update projection_checkpoints c set definition = version,
  live = version = (select max(version) from projection_checkpoints o where o.projection = c.projection);
alter table projection_checkpoints alter column definition set not null;
create unique index projection_checkpoints_live on projection_checkpoints (projection) where live;
comment on column projection_checkpoints.version is 'Number of the build: its tables are called <table>_v<version>';
comment on column projection_checkpoints.definition is 'Version of the projection in the code that fills it';
comment on column projection_checkpoints.live is 'Whether the views read this build';
`;

export const PARKED_STREAMS_MIGRATION = `
create table projection_parked_streams (
  projection text not null,
  version integer not null,
  stream text not null,
  revision bigint not null,
  reason text not null,
  parked_at timestamptz not null default clock_timestamp(),
  retry boolean not null default false,
  primary key (projection, version, stream)
);
comment on table projection_parked_streams is 'Streams whose events a read model does not apply, as one of them failed.';
comment on column projection_parked_streams.projection is 'Name of the projection';
comment on column projection_parked_streams.version is 'Number of its build';
comment on column projection_parked_streams.stream is 'The stream; of others everything is applied';
comment on column projection_parked_streams.revision is 'The first event in it that is not applied';
comment on column projection_parked_streams.reason is 'Why';
comment on column projection_parked_streams.parked_at is 'Wall time of the failure';
comment on column projection_parked_streams.retry is 'Somebody has asked for another try';
`;

export const LEASES_MIGRATION = `
create table leases (
  name text primary key,
  holder bigint not null,
  epoch bigint not null,
  renewed_at timestamptz not null
);
comment on table leases is 'Which process does what only one should do at a time.';
comment on column leases.name is 'What is done: projection NAME, rebuild NAME';
comment on column leases.holder is 'The process, by the advisory lock that its session holds while it lives';
comment on column leases.epoch is 'Rises whenever another process takes it: what was begun under an older one is refused';
comment on column leases.renewed_at is 'Wall time of the last sign of life';
alter table projection_checkpoints add column epoch bigint not null default 0;
comment on column projection_checkpoints.epoch is 'Epoch of the lease under which it may be moved';
`;

export const DIFFERENCES_MIGRATION = `
create table read_model_differences (
  projection text not null,
  version integer not null,
  table_name text not null,
  org uuid not null,
  rows bigint not null,
  expected bigint not null,
  found_at timestamptz not null default clock_timestamp(),
  primary key (projection, version, table_name, org)
);
comment on table read_model_differences is 'Where the last comparison found read models that are not what the log says; empty while all are.';
comment on column read_model_differences.projection is 'Name of the projection';
comment on column read_model_differences.version is 'Number of the build: another one that is read since says nothing of this';
comment on column read_model_differences.table_name is 'The read model';
comment on column read_model_differences.org is 'The tenant';
comment on column read_model_differences.rows is 'Rows it has';
comment on column read_model_differences.expected is 'Rows that the log says it has; as many, where only their content differs';
comment on column read_model_differences.found_at is 'Wall time of the comparison';
`;

export const SUMS_MIGRATION = `
create table read_model_sums (
  projection text not null,
  version integer not null,
  table_name text not null,
  org uuid not null,
  rows bigint not null,
  hash numeric not null,
  primary key (projection, version, table_name, org)
);
comment on table read_model_sums is 'Rows that projections have written and the sum of their hashes. Batches move it together with the rows, so a row that was changed beside them shows.';
comment on column read_model_sums.projection is 'Name of the projection';
comment on column read_model_sums.version is 'Number of the build';
comment on column read_model_sums.table_name is 'The read model';
comment on column read_model_sums.org is 'The tenant';
comment on column read_model_sums.rows is 'Number of its rows';
comment on column read_model_sums.hash is 'Sum of hashtextextended(row::text, 0) over its rows, all columns';
`;
