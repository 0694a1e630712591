export const CONSOLE_SESSIONS_MIGRATION = `
create table console_sessions (
  token_hash bytea primary key,
  org uuid not null,
  key_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index console_sessions_expiry on console_sessions (expires_at);
comment on table console_sessions is 'Browsers that are logged in to the console. All times are wall time.';
comment on column console_sessions.token_hash is 'SHA-256 of the token in the browser''s cookie; the token itself is not kept.';
comment on column console_sessions.org is 'Tenant.';
comment on column console_sessions.key_id is 'API key that logged in: the session has its scope, and ends with it.';
comment on column console_sessions.created_at is 'When the browser logged in.';
comment on column console_sessions.expires_at is 'Refused from then on.';`;

/** Sessions of earlier releases end: they have no seal. */
export const SEALED_SESSIONS_MIGRATION = `
delete from console_sessions;
alter table console_sessions add column seal bytea;
comment on column console_sessions.seal is 'Keyed hash of hash, tenant, API key and expiry, under a key of MASTER_KEY: a session with another one is refused.';`;
