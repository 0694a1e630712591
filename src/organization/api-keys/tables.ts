export const API_KEYS_MIGRATION = `
create table api_keys (
  id uuid primary key,
  org uuid not null,
  prefix text not null unique,
  key_hash bytea not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_org on api_keys (org, created_at);
comment on table api_keys is 'API keys; only their hashes are kept. All times are wall time.';
comment on column api_keys.id is 'The actor in the metadata of what was done with the key.';
comment on column api_keys.org is 'Tenant.';
comment on column api_keys.prefix is 'Finds the row of a key, and names the key to people.';
comment on column api_keys.key_hash is 'SHA-256 of the whole key, which is random enough that a slow hash would add nothing.';
comment on column api_keys.name is 'What the key is for, in its owner''s words.';
comment on column api_keys.scope is 'read, write or admin; each includes those before it.';
comment on column api_keys.expires_at is 'Refused from then on; null: never.';
comment on column api_keys.revoked_at is 'Refused from then on; null: not revoked.';`;

export const INGEST_KEYS_MIGRATION = `
alter table api_keys drop constraint api_keys_scope_check;
alter table api_keys add constraint api_keys_scope_check check (scope in ('ingest', 'read', 'write', 'admin'));
comment on column api_keys.scope is 'ingest (sends usage, reads nothing), read, write or admin; each of the last three includes those before it.';`;

export const RECORDED_KEYS_MIGRATION = `
alter table api_keys add column recorded boolean;
comment on column api_keys.recorded is 'Whether the event that creates it is in the log; refused while false. Null: it is older than such events.';`;

/** Rows of earlier releases are sealed when their key is used first. */
export const SEALED_KEYS_MIGRATION = `
alter table api_keys add column seal bytea;
comment on column api_keys.seal is 'Keyed hash of id, tenant, hash, scope and expiry, under a key of MASTER_KEY: a key with another one is refused. Null: it is used only if its events confirm it, which sets the seal.';`;
