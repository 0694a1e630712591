import { settingVersionsMigration } from '../../platform/database/setting-versions.js';

export const PARKED_WORK_MIGRATION = `
create table parked_work (
  park_id uuid primary key default gen_random_uuid(),
  org uuid not null,
  kind text not null check (kind in ('run', 'boundary', 'past_due')),
  subject_id uuid not null,
  customer_key uuid,
  currency text not null default '',
  cause text not null,
  detail text not null,
  tries integer not null default 1,
  parked_at timestamptz not null,
  tried_at timestamptz not null,
  next_try_at timestamptz not null,
  resolved_at timestamptz,
  noted_at timestamptz not null default clock_timestamp()
);
create unique index parked_work_open on parked_work (org, kind, subject_id, currency) where resolved_at is null;
create index parked_work_noted on parked_work (noted_at);
comment on table parked_work is 'Due work that could not be done and is tried again; no part of the books. Instants are domain time but for noted_at.';
comment on column parked_work.park_id is 'The parking: from the first failure until it is done.';
comment on column parked_work.org is 'Tenant.';
comment on column parked_work.kind is 'A billing run of an account, a term at its boundary, or the note that an invoice is past due.';
comment on column parked_work.subject_id is 'The customer''s key, the term or the invoice.';
comment on column parked_work.customer_key is 'Whose account it is; null where that is not known.';
comment on column parked_work.currency is 'Of the account; empty where that is not known.';
comment on column parked_work.cause is 'Code of the refusal; internal: nobody foresaw it.';
comment on column parked_work.detail is 'What the newest try said, for the operator.';
comment on column parked_work.tries is 'How often it was tried in vain.';
comment on column parked_work.parked_at is 'First failure.';
comment on column parked_work.tried_at is 'Newest failure.';
comment on column parked_work.next_try_at is 'The scheduler leaves it alone until then.';
comment on column parked_work.resolved_at is 'When it was done after all; null: it is parked.';
comment on column parked_work.noted_at is 'Wall time of the first failure.';`;

export const PARKED_WORK_VERSIONS_MIGRATION = settingVersionsMigration(
  'parked_work',
  ['cause', 'tries', 'next_try_at', 'resolved_at'],
  'parked_at',
);
