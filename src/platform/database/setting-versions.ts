/** Table of the earlier versions of settings that are no events, for reads as of a moment (docs/adr/0070-an-answer-as-of-a-moment-is-rebuilt-from-events.md). */
export const SETTING_VERSIONS_MIGRATION = `
create table setting_versions (
  org uuid not null,
  kind text not null,
  since timestamptz not null,
  until timestamptz not null,
  content jsonb not null
);
create index setting_versions_until on setting_versions (org, kind, until);
comment on table setting_versions is 'Earlier versions of settings that are no events: what they were until they were changed or removed. Triggers write it.';
comment on column setting_versions.org is 'Tenant.';
comment on column setting_versions.kind is 'The table that the setting was in.';
comment on column setting_versions.since is 'First instant of the version, in domain time.';
comment on column setting_versions.until is 'End of the version, exclusive, in domain time.';
comment on column setting_versions.content is 'The row.';

create function keep_setting_version() returns trigger language plpgsql as $$
declare
  tenant constant uuid := case tg_op when 'DELETE' then old.org else new.org end;
  at constant timestamptz :=
    coalesce((select clock.now from manual_clock clock where clock.org = tenant), clock_timestamp());
begin
  if tg_op <> 'INSERT' and old.since < at then
    insert into setting_versions (org, kind, since, until, content)
      values (old.org, tg_table_name, old.since, at, to_jsonb(old));
  end if;
  if tg_op = 'DELETE' then return old; end if;
  new.since := at;
  return new;
end $$;`;

/**
 * Returns the SQL that makes a table keep its versions.
 * @param columns a change of one of them ends a version
 * @param began column with the beginning of the rows that are older than this step
 */
export const settingVersionsMigration = (
  table: string,
  columns: readonly string[],
  began = 'created_at',
): string => `
alter table ${table} add column since timestamptz not null default now();
update ${table} set since = ${began};
comment on column ${table}.since is 'First instant of this version, in domain time; earlier ones are in setting_versions.';
create trigger ${table}_versions before insert or delete or update of ${columns.join(', ')} on ${table}
  for each row execute function keep_setting_version();`;
