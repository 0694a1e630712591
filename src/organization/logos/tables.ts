export const ORGANIZATION_LOGOS_MIGRATION = `
create table organization_logos (
  org uuid not null,
  digest text not null,
  bytes bytea not null,
  made_at timestamptz not null default now(),
  primary key (org, digest)
);
comment on table organization_logos is 'Pictures that settings name: an invoice shows the one of the settings it was computed with, so none is deleted.';
comment on column organization_logos.org is 'Tenant.';
comment on column organization_logos.digest is 'sha256 of the bytes in hex; the event SettingsChanged names it.';
comment on column organization_logos.bytes is 'PNG or JPEG, as it was sent.';
comment on column organization_logos.made_at is 'When it was sent first (wall time).';`;
