import { settingVersionsMigration } from '../platform/database/setting-versions.js';

export const WEBHOOKS_MIGRATION = `
create table webhook_endpoints (
  id uuid primary key,
  org uuid not null,
  name text not null,
  triggers text[] not null,
  sealed text not null,
  commit bigint not null,
  prepare bigint not null,
  leased_until timestamptz,
  created_at timestamptz not null default now()
);
create index webhook_endpoints_org on webhook_endpoints (org, created_at);
comment on table webhook_endpoints is 'Where events are sent to. All times are wall time.';
comment on column webhook_endpoints.id is 'The endpoint.';
comment on column webhook_endpoints.org is 'Tenant.';
comment on column webhook_endpoints.name is 'What it is for, in its owner''s words.';
comment on column webhook_endpoints.triggers is 'What it is told of.';
comment on column webhook_endpoints.sealed is 'Its URL, which may hold a token, and the secret that deliveries are signed with, sealed.';
comment on column webhook_endpoints.commit is 'Position of the last event that was looked at for it.';
comment on column webhook_endpoints.prepare is 'Second part of that position.';
comment on column webhook_endpoints.leased_until is 'Until then one process sends to it; it keeps the order and guards nothing else.';
comment on column webhook_endpoints.created_at is 'When it was made.';

create sequence webhook_delivery_places;
create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null,
  place bigint not null default nextval('webhook_delivery_places'),
  trigger text not null,
  commit bigint not null,
  prepare bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  delivered_at timestamptz,
  last_status integer,
  last_error text,
  primary key (endpoint_id, event_id)
);
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, place) where status = 'pending';
create index webhook_deliveries_places on webhook_deliveries (endpoint_id, place);
comment on table webhook_deliveries is 'What was sent to an endpoint, or is to be: one row per endpoint and event, without its content. All times are wall time.';
comment on column webhook_deliveries.endpoint_id is 'To whom.';
comment on column webhook_deliveries.event_id is 'The event, and the id that the delivery carries.';
comment on column webhook_deliveries.place is 'Deliveries of an endpoint are sent in this order.';
comment on column webhook_deliveries.trigger is 'What happened.';
comment on column webhook_deliveries.commit is 'Position of the event in the log.';
comment on column webhook_deliveries.prepare is 'Second part of that position.';
comment on column webhook_deliveries.status is 'pending, delivered, or dead after a day of failures.';
comment on column webhook_deliveries.attempts is 'How often it was tried.';
comment on column webhook_deliveries.first_attempt_at is 'When it was first tried; a day later it is given up.';
comment on column webhook_deliveries.next_attempt_at is 'Not tried before.';
comment on column webhook_deliveries.delivered_at is 'When the endpoint took it.';
comment on column webhook_deliveries.last_status is 'HTTP status of the last answer; null: there was none.';
comment on column webhook_deliveries.last_error is 'Why the last try failed.';`;

/** A delivery without an event of the log has no time there. */
export const DELIVERIES_ADDED_MIGRATION = `
alter table webhook_deliveries add column added_at timestamptz not null default now();
comment on column webhook_deliveries.added_at is 'When it was taken over.';`;

/** Monitoring counts dead deliveries. */
export const DEAD_DELIVERIES_MIGRATION = `
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id) where status = 'dead';`;

/** Endpoints take turns: the one that waited longest is next. */
export const LAST_SERVED_MIGRATION = `
alter table webhook_endpoints add column served_at timestamptz;
comment on column webhook_endpoints.served_at is 'When its last turn of sending ended; null: it had none.';`;

export const WEBHOOK_VERSIONS_MIGRATION = settingVersionsMigration('webhook_endpoints', [
  'name',
  'triggers',
  'sealed',
]);

export const RECORDED_WEBHOOKS_MIGRATION = `
alter table webhook_endpoints add column recorded boolean;
comment on column webhook_endpoints.recorded is 'Whether an event created it; sent nothing while false. Null: it is older than such events.';`;

/** Deliveries keep their versions, with the organization, as an endpoint is removed before its deliveries. */
export const DELIVERY_VERSIONS_MIGRATION = `
alter table webhook_deliveries add column org uuid;
update webhook_deliveries d set org = e.org from webhook_endpoints e where e.id = d.endpoint_id;
comment on column webhook_deliveries.org is 'Tenant of the endpoint; a trigger fills it in.';
create function set_webhook_delivery_org() returns trigger language plpgsql as $$
begin
  select e.org into new.org from webhook_endpoints e where e.id = new.endpoint_id;
  return new;
end $$;
create trigger webhook_deliveries_org before insert on webhook_deliveries
  for each row execute function set_webhook_delivery_org();
${settingVersionsMigration('webhook_deliveries', ['place', 'status', 'attempts'], 'added_at')}`;
