/** Trees, tiles, checkpoints and public keys of the transparency log. The database has no signing keys. */
export const TRANSPARENCY_MIGRATION = `
create table transparency_progress (
  store uuid primary key,
  commit bigint not null,
  prepare bigint not null,
  moved_at timestamptz not null default now()
);
comment on table transparency_progress is 'How far the trees have followed the event log.';
comment on column transparency_progress.store is 'The event store, by the id of its first event.';
comment on column transparency_progress.commit is 'Position of the last event taken in.';
comment on column transparency_progress.prepare is 'Second part of that position.';
comment on column transparency_progress.moved_at is 'Wall time.';

create table transparency_trees (
  org uuid primary key,
  size bigint not null,
  batches bigint not null,
  frontier bytea not null,
  last_index bigint,
  last_stream text,
  last_revision bigint
);
comment on table transparency_trees is 'The Merkle tree of each organization: how large it is, and what it grows from.';
comment on column transparency_trees.org is 'Tenant.';
comment on column transparency_trees.size is 'Number of leaves.';
comment on column transparency_trees.batches is 'Number of the last usage batch that is a leaf; 0 before the first.';
comment on column transparency_trees.frontier is 'Hashes of the complete subtrees that the tree consists of, from left to right, 32 bytes each.';
comment on column transparency_trees.last_index is 'Leaf of its newest event; null before the first.';
comment on column transparency_trees.last_stream is 'Stream of that event.';
comment on column transparency_trees.last_revision is 'Revision of that event.';

create table transparency_tiles (
  org uuid not null,
  level smallint not null,
  index bigint not null,
  hashes bytea not null,
  first_commit bigint,
  first_prepare bigint,
  leaves text[],
  primary key (org, level, index)
);
create index transparency_tiles_positions on transparency_tiles (org, first_commit, first_prepare) where level = 0;
comment on table transparency_tiles is 'Hashes of the trees, up to 256 beside each other (C2SP tlog-tiles): level 0 has leaves, level n complete subtrees of 256^n leaves.';
comment on column transparency_tiles.org is 'Tenant.';
comment on column transparency_tiles.level is '0: leaves.';
comment on column transparency_tiles.index is 'Place of the tile in its level.';
comment on column transparency_tiles.hashes is 'The hashes, 32 bytes each; fewer than 256 in the last tile.';
comment on column transparency_tiles.first_commit is 'Position of the log at which the tile was begun; null above level 0.';
comment on column transparency_tiles.first_prepare is 'Second part of that position.';
comment on column transparency_tiles.leaves is 'Per leaf stream@revision of its event, or # and the number of its usage batch; null above level 0.';

create table transparency_batches (
  org uuid not null,
  leaf bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  primary key (org, first_number),
  unique (org, leaf)
);
comment on table transparency_batches is 'Where sealed usage batches stand in the tree: a tree that is built anew takes them in at the same places.';
comment on column transparency_batches.org is 'Tenant.';
comment on column transparency_batches.leaf is 'Leaf of the first of these batches; the others follow it.';
comment on column transparency_batches.first_number is 'Number of the first batch.';
comment on column transparency_batches.last_number is 'Number of the last batch.';

create table transparency_checkpoints (
  org uuid not null,
  number bigint not null,
  id uuid not null,
  size bigint not null,
  root bytea not null,
  note text not null,
  cause text not null check (cause in ('schedule', 'billing', 'request')),
  made_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (org, number),
  unique (org, id)
);
comment on table transparency_checkpoints is 'Signed tree heads. Rows are only ever added.';
comment on column transparency_checkpoints.org is 'Tenant.';
comment on column transparency_checkpoints.number is '1, 2, 3 … in the organization.';
comment on column transparency_checkpoints.id is 'Id of the checkpoint in webhooks.';
comment on column transparency_checkpoints.size is 'Number of leaves.';
comment on column transparency_checkpoints.root is 'Root hash.';
comment on column transparency_checkpoints.note is 'The signed note, without cosignatures.';
comment on column transparency_checkpoints.cause is 'Why it was made: schedule, the end of billing runs, or a request.';
comment on column transparency_checkpoints.made_at is 'When it was made, by the clock that rules billing; never before the one before it.';
comment on column transparency_checkpoints.noted_at is 'Wall time.';

create table transparency_keys (
  public_key bytea primary key,
  first_used_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
comment on table transparency_keys is 'Public keys that checkpoints were signed with.';
comment on column transparency_keys.public_key is 'Ed25519, 32 bytes.';
comment on column transparency_keys.first_used_at is 'Wall time of the first start with it.';
comment on column transparency_keys.last_used_at is 'Wall time of the newest start with it.';

create table transparency_faults (
  org uuid not null,
  sentence text not null,
  since timestamptz not null default now(),
  primary key (org)
);
comment on table transparency_faults is 'Why no checkpoint is signed; empty while all are.';
comment on column transparency_faults.org is 'Tenant; only zeros for what concerns all of them.';
comment on column transparency_faults.sentence is 'What is wrong and what to do.';
comment on column transparency_faults.since is 'Wall time.';
`;

/**
 * Cosignatures of witnesses are rows beside the notes: a checkpoint keeps the bytes that the service signed.
 */
export const COSIGNATURES_MIGRATION = `
create table transparency_cosignatures (
  org uuid not null,
  number bigint not null,
  witness text not null,
  place smallint not null,
  line text not null,
  added_at timestamptz not null,
  primary key (org, number, witness),
  unique (org, number, place)
);
comment on table transparency_cosignatures is 'Cosignatures of checkpoints by witnesses, each verified before it was added. Rows are only ever added.';
comment on column transparency_cosignatures.org is 'Tenant.';
comment on column transparency_cosignatures.number is 'Number of the checkpoint.';
comment on column transparency_cosignatures.witness is 'Name of the key of the witness, + and its id.';
comment on column transparency_cosignatures.place is '1, 2, 3 … among the cosignatures of the checkpoint.';
comment on column transparency_cosignatures.line is 'The signature line of the note, with the newline at its end; it has the time of the witness.';
comment on column transparency_cosignatures.added_at is 'When it was added, by the clock that rules billing.';
create index transparency_cosignatures_witness on transparency_cosignatures (org, witness, number);
create index transparency_checkpoints_noted on transparency_checkpoints (noted_at);

create table transparency_witness_faults (
  org uuid not null,
  witness text not null,
  sentence text not null,
  since timestamptz not null default now(),
  retry_at timestamptz not null,
  primary key (org, witness)
);
comment on table transparency_witness_faults is 'Why a witness has not cosigned the newest checkpoint of an organization; empty while all have.';
comment on column transparency_witness_faults.org is 'Tenant.';
comment on column transparency_witness_faults.witness is 'Name of the key of the witness, + and its id.';
comment on column transparency_witness_faults.sentence is 'What is wrong and what to do.';
comment on column transparency_witness_faults.since is 'Wall time.';
comment on column transparency_witness_faults.retry_at is 'Wall time from which the witness is asked again for the organization.';
`;

/** Billing runs that wait for their checkpoint. */
export const BILLED_MIGRATION = `
alter table transparency_trees add column billed_at timestamptz;
comment on column transparency_trees.billed_at is 'Wall time since which a billing run that has ended waits for its checkpoint; null when none does.';
create index transparency_trees_billed on transparency_trees (billed_at) where billed_at is not null;
`;

/** Progress of uploads to an object store. */
export const UPLOADS_MIGRATION = `
create table transparency_uploads (
  bucket text not null,
  org uuid not null,
  number bigint not null,
  cosignatures int not null,
  sentence text,
  retry_at timestamptz,
  primary key (bucket, org)
);
comment on table transparency_uploads is 'How far the checkpoints of each organization were uploaded to an object store.';
comment on column transparency_uploads.bucket is 'URL of the bucket, as AUDIT_BUCKET has it.';
comment on column transparency_uploads.org is 'Tenant.';
comment on column transparency_uploads.number is 'Number of the newest uploaded checkpoint; 0 before the first.';
comment on column transparency_uploads.cosignatures is 'Number of its cosignatures that were uploaded.';
comment on column transparency_uploads.sentence is 'Why the next one is not uploaded, and what to do; null while it can be.';
comment on column transparency_uploads.retry_at is 'Wall time from which it is tried again.';
`;

/** Earlier starts with a signing key, in wall time and of no organization, for reads as of a moment. */
export const KEY_VERSIONS_MIGRATION = `
create function keep_signing_key_version() returns trigger language plpgsql as $$
begin
  insert into setting_versions (org, kind, since, until, content)
    values ('00000000-0000-0000-0000-000000000000', tg_table_name, old.last_used_at, new.last_used_at, to_jsonb(old));
  return new;
end $$;
create trigger transparency_keys_versions before update of last_used_at on transparency_keys
  for each row execute function keep_signing_key_version();
`;
