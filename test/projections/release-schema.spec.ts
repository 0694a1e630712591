import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ANALYTICS_VIEWS } from '../../projections/analytics/views.js';
import { PROJECTIONS } from '../../projections/registry.js';
import { compareSchema } from '../../projections/runtime/release-schema.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('the schema of the database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase('recount_with_read_models');
  });
  afterEach(() => database.drop());

  async function differencesAfter(...changes: readonly string[]): Promise<string[]> {
    for (const change of changes) await database.pool.query(change);
    return compareSchema(database.pool, {
      migrations: MIGRATIONS,
      projections: PROJECTIONS,
      views: ANALYTICS_VIEWS,
    });
  }

  it('is what migrations and projections create, and the comparison leaves nothing behind', async () => {
    expect(await differencesAfter()).toEqual([]);
    const { rows } = await database.pool.query('select nspname from pg_namespace where nspname like $1', [
      'recount%',
    ]);
    expect(rows).toEqual([]);
  });

  it.each([
    [
      'alter table claims alter column key type varchar(200)',
      'table claims: its column key is character varying(200) not null, by this release text not null',
    ],
    [
      'alter table events alter column data drop not null',
      'table events: its column data is json, by this release json not null',
    ],
    [
      'alter table api_keys drop constraint api_keys_prefix_key',
      'table api_keys: its constraint UNIQUE (prefix) is missing',
    ],
    ['drop index api_keys_org', 'table api_keys: its index USING btree (org, created_at) is missing'],
    [
      'alter table usage_batches disable trigger queue_usage_batch',
      'table usage_batches: its trigger queue_usage_batch is ',
    ],
    [
      'drop trigger queue_usage_batch on usage_batches',
      'table usage_batches: its trigger queue_usage_batch is missing',
    ],
    ['drop table placements', 'table placements is missing'],
    [
      `update schema_migrations set checksum = 'other' where name = 'organization-logos'`,
      'table schema_migrations: the checksum of organization-logos is other, by this release ',
    ],
    ['drop view addons cascade', 'view addons is missing'],
    ['drop view analytics.mrr', 'view analytics.mrr is missing'],
    ['alter table events set unlogged', 'table events: its storage is unlogged, by this release permanent'],
    [
      'create table more () inherits (events)',
      'table events: its storage is permanent, with the rows of more, by this release permanent',
    ],
    [
      'alter table events enable row level security',
      'table events: its storage is permanent, with row security, by this release permanent',
    ],
    [
      'create rule deaf as on insert to usage_events do instead nothing',
      'table usage_events: its rule deaf is none of this release',
    ],
    ['create policy one on events using (false)', 'table events: its policy one is none of this release'],
    ['alter table events add column note text', 'table events: its column note is none of this release'],
    [
      'create unique index on claims (kind)',
      'table claims: its index UNIQUE USING btree (kind) is none of this release',
    ],
    [
      `create function keep_setting_version(text) returns text language sql as 'select 1'`,
      'function keep_setting_version: (text) is none of this release',
    ],
    [
      `create or replace function keep_setting_version() returns trigger language plpgsql as 'begin return null; end'`,
      'function keep_setting_version: () has another definition than this release gives it',
    ],
  ])('differs after %s', async (change, sentence) => {
    expect(await differencesAfter(change)).toContainEqual(expect.stringContaining(sentence));
  });

  it('differs by a trigger that drops rows', async () => {
    const differences = await differencesAfter(
      `create function swallow() returns trigger language plpgsql as 'begin return null; end'`,
      'create trigger swallow before insert on usage_events for each row execute function swallow()',
    );
    expect(differences).toEqual(['table usage_events: its trigger swallow is none of this release']);
  });

  it.each(['analytics.mrr', 'analytics.mrr_by_customer', 'analytics.audit_log', 'invoices'])(
    'differs by a view that shows fewer rows: %s',
    async (view) => {
      const narrowed = `do $$ begin execute 'create or replace view ${view} as select * from (' ||
        rtrim(pg_get_viewdef('${view}'::regclass), ';') || ') shown where false'; end $$`;
      expect(await differencesAfter(narrowed)).toEqual([
        `view ${view} has another definition than this release gives it`,
      ]);
    },
  );

  it('has objects beside those of the release', async () => {
    const differences = await differencesAfter(
      'create table notes (key uuid references api_keys (id))',
      'create view analytics.notes as select org from analytics.mrr',
      'create index on invoices_v6 (issued_at)',
      `create function noted() returns int language sql as 'select 1'`,
      'create materialized view counted as select count(*) from invoices',
    );
    expect(differences).toEqual([]);
  });

  it('is that of a backup that was restored, whose objects are created from their definitions', async () => {
    const { rows } = await database.pool.query<{ again: string }>(
      `select format('create or replace view %I.%I as %s', schemaname, viewname, definition) as again
       from pg_views where schemaname in ('public', 'analytics')
       union all select format('alter table %s drop constraint %I, add constraint %2$I %3$s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace and contype = 'c'
       union all select format('drop index %I; %s', indexname, indexdef)
       from pg_indexes where schemaname = 'public' and indexname not in (select conname from pg_constraint)`,
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(await differencesAfter(...rows.map(({ again }) => again))).toEqual([]);
  });
});
