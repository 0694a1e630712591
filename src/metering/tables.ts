/**
 * The usage log. Rows of usage_events never change; of a batch only its number is written later, once.
 * Ids are compared by their bytes (collation "C"): quicker, and the digest's order is the same everywhere.
 */
export const METERING_MIGRATION = `
create sequence usage_batch_ids;

create table usage_batches (
  org uuid not null,
  batch_id bigint not null,
  sealed_number bigint,
  event_count integer not null,
  earliest_event_time timestamptz not null,
  digest bytea not null,
  received_at timestamptz not null,
  primary key (org, batch_id),
  unique (org, sealed_number)
);
create index usage_batches_unsealed on usage_batches (org, batch_id) where sealed_number is null;

comment on table usage_batches is 'The new events of one ingest request each. What a billing run counts is fixed by the numbers of the batches.';
comment on column usage_batches.org is 'The tenant.';
comment on column usage_batches.batch_id is 'The batch; says nothing about the order in which batches were committed.';
comment on column usage_batches.sealed_number is '1, 2, 3 … within the tenant, given to every committed batch when usage is closed; null until then.';
comment on column usage_batches.event_count is 'How many events the batch added; repeats of events already received are not among them.';
comment on column usage_batches.earliest_event_time is 'Time of its earliest event: whether a closed period got usage late.';
comment on column usage_batches.digest is 'sha256 over the body hashes of its events in order of idempotency_id.';
comment on column usage_batches.received_at is 'When it was received, by the clock that rules terms and billing.';

create table usage_events (
  org uuid not null,
  idempotency_id text collate "C" not null,
  customer_key uuid not null,
  event_name text collate "C" not null,
  event_time timestamptz not null,
  properties jsonb not null,
  body_hash bytea not null,
  batch_id bigint not null,
  primary key (org, idempotency_id)
);
create index usage_events_reading on usage_events (org, customer_key, event_name, event_time);

comment on table usage_events is 'What customers used: one row per event, append-only. Invoices are computed from the closes that count these rows.';
comment on column usage_events.org is 'The tenant.';
comment on column usage_events.idempotency_id is 'The id the sender gave the event, unique in the tenant.';
comment on column usage_events.customer_key is 'Stands for the customer_id, which is not kept here: uuid v5 of the tenant and "customer:" followed by the customer_id.';
comment on column usage_events.event_name is 'What was done; metrics count by it.';
comment on column usage_events.event_time is 'When it happened, as the sender says.';
comment on column usage_events.properties is 'What the sender said about it. A number is kept as the shortest decimal text of its double.';
comment on column usage_events.body_hash is 'sha256 over the canonical JSON of [idempotency_id, customer_key, event_name, event_time, properties].';
comment on column usage_events.batch_id is 'The batch in usage_batches that it came with.';

create function usage_number_of_text(value text) returns numeric
language sql immutable parallel safe
return case
  when length(value) > 400 or value !~ '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$' then null
  when translate(regexp_replace(value, '[eE].*', ''), '-.0', '') = '' then 0
  when length(trim(both '0' from translate(regexp_replace(value, '[eE].*', ''), '-.', ''))) > 15 then null
  when value ~ '[eE][+-]?0*[1-9][0-9]{3}' then null
  when abs(value::numeric) >= 1e-307 and abs(value::numeric) < 1e308 then value::numeric
end;
comment on function usage_number_of_text is 'The number a text is, if it is a JSON number of at most 15 significant digits, from 1e-307 to below 1e308; else null.';

create function usage_number(value jsonb) returns numeric
language sql immutable parallel safe
return case jsonb_typeof(value)
  when 'number' then case
    when length(trim(both '0' from translate(value #>> '{}', '-.', ''))) > 15 then null
    when value::numeric = 0 or abs(value::numeric) >= 1e-307 and abs(value::numeric) < 1e308 then value::numeric
  end
  when 'string' then usage_number_of_text(value #>> '{}')
end;
comment on function usage_number is 'The value of an event''s property, as usage_number(properties -> ''bytes''): null where it counts as absent.';

create function usage_text(value jsonb) returns text
language sql immutable parallel safe
return case when jsonb_typeof(value) in ('string', 'number', 'boolean') then value #>> '{}' end;
comment on function usage_text is 'An event''s property as filters compare it; null, lists and objects have no text.';
`;

/** Indexes for finding late usage: the batch in the index by which windows are read, and the batches out of order. */
export const LATE_USAGE_MIGRATION = `
alter table usage_batches add column is_straggler boolean not null default false;
comment on column usage_batches.is_straggler is 'Whether it was numbered after a batch with a higher batch_id: it committed late.';
create index usage_batches_stragglers on usage_batches (org, sealed_number) where is_straggler;

drop index usage_events_reading;
create index usage_events_reading on usage_events (org, customer_key, event_name, event_time) include (batch_id);
`;

/**
 * The events of a batch lie next to each other, so that a few bytes for each megabyte of them are index enough to find
 * them by their batch: verification computes the digests of batches again.
 */
export const EVENTS_OF_BATCH_MIGRATION = `
create index usage_events_of_batch on usage_events using brin (batch_id) with (pages_per_range = 16, autosummarize = on);
`;

/** Events of all customers by time: a page reads those that it shows, whatever the time of the others. */
export const EVENTS_BY_TIME_MIGRATION = `
create index usage_events_by_time on usage_events (org, event_name, event_time, idempotency_id);
`;

/** Condition of the index by time. Every event meets it; a query over all customers repeats it, so that PostgreSQL reads this index. */
export const TIME_INDEX_CONDITION = 'batch_id >= 0';

/**
 * An index that only queries of all customers can use. Before the table was first analyzed, PostgreSQL chose the one above
 * for queries of one customer too, which then read the events of all.
 */
export const EVENTS_OF_ALL_BY_TIME_MIGRATION = `
drop index usage_events_by_time;
create index usage_events_by_time on usage_events (org, event_name, event_time, idempotency_id) where ${TIME_INDEX_CONDITION};
`;

/**
 * Usage added up by day. A trigger queues each batch, also one that an older build writes while this one starts; the
 * worker adds its events and takes it from the queue in one statement.
 */
export const USAGE_DAYS_MIGRATION = `
create table usage_days (
  org uuid not null,
  day date not null,
  event_name text collate "C" not null,
  events bigint not null,
  primary key (org, day, event_name)
);
comment on table usage_days is 'Stored usage events added up by day and name, but for batches in usage_days_queue. Derived: nothing that is owed depends on it.';
comment on column usage_days.org is 'The tenant.';
comment on column usage_days.day is 'Day of the events, UTC.';
comment on column usage_days.event_name is 'Name of the events.';
comment on column usage_days.events is 'Number of events.';

create table usage_days_queue (
  batch_id bigint primary key,
  org uuid not null
);
comment on table usage_days_queue is 'Batches whose events usage_days does not have yet.';
comment on column usage_days_queue.batch_id is 'The batch.';
comment on column usage_days_queue.org is 'The tenant.';

create function queue_usage_batch() returns trigger language plpgsql as $$
begin
  insert into usage_days_queue values (new.batch_id, new.org) on conflict do nothing;
  return null;
end $$;
create trigger queue_usage_batch after insert on usage_batches for each row execute function queue_usage_batch();
insert into usage_days_queue select batch_id, org from usage_batches;
`;

/**
 * Numbers of the report of usage by metric, as they were last counted. A row holds while `name_events` is the number of
 * stored events of its metric's name in its day or month: events are only ever added.
 */
export const USAGE_OF_METRICS_MIGRATION = `
create table usage_of_metrics (
  org uuid not null,
  metric_id uuid not null,
  granularity text not null,
  day date not null,
  name_events bigint not null,
  events bigint not null,
  total numeric,
  primary key (org, metric_id, granularity, day)
);
comment on table usage_of_metrics is 'Usage of all customers by metric as it was last counted. Derived: nothing that is owed depends on it.';
comment on column usage_of_metrics.org is 'The tenant.';
comment on column usage_of_metrics.metric_id is 'The metric.';
comment on column usage_of_metrics.granularity is 'day or month.';
comment on column usage_of_metrics.day is 'The day, or the first day of the month, UTC.';
comment on column usage_of_metrics.name_events is 'Stored events with the name that the metric reads when the row was counted: with another number it is counted anew.';
comment on column usage_of_metrics.events is 'Number of events that the metric counted.';
comment on column usage_of_metrics.total is 'Usage of each customer added up; null: as many as events.';
`;
