import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  READ_MODEL_MAINTENANCE,
  type ReadModelMaintenance,
} from '../../../src/platform/eventsourcing/read-models.js';
import { readConfig } from '../../../src/platform/config/read-config.js';
import { startFailure } from '../../../src/start-failure.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aComponentBody, aPlanBody, perUnitTiers } from '../../support/builders/catalog-bodies.js';
import { urlOfDatabase } from '../../support/database-url.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { shopOf, times } from '../../support/shop.js';
import { until } from '../../support/until.js';

describe('a database of a server of the operator', () => {
  let administration: TestDatabase;
  let name: string;
  let app: TestApp | undefined;
  beforeAll(async () => {
    administration = await createTestDatabase();
  });
  afterEach(async () => {
    await app?.stop();
    app = undefined;
    await administration.pool.query(`drop database ${name} with (force)`);
    await administration.pool.query(`drop role if exists ${name}`);
  });
  afterAll(() => administration.drop());

  /** Creates an empty database, and returns its URL. */
  async function create(options = '', settings: readonly string[] = []): Promise<string> {
    name = `test_${randomBytes(6).toString('hex')}`;
    await administration.pool.query(`create database ${name} template template0 ${options}`);
    for (const setting of settings) await administration.pool.query(`alter database ${name} set ${setting}`);
    return urlOfDatabase(name, administration.url);
  }

  /** Creates an empty database and a role that owns nothing, and returns the URL with which the role connects. */
  async function createForRole(...statements: readonly string[]): Promise<string> {
    const url = new URL(await create());
    const pool = createPool(url.href, () => {}, 1);
    await pool.query(`create role ${name} login`);
    for (const statement of statements) await pool.query(statement.replaceAll('$role', name));
    await pool.end();
    url.username = name;
    return url.href;
  }

  const failureOf = async (databaseUrl: string): Promise<string> =>
    startTestApp({ databaseUrl }).then(
      () => 'none',
      (error: unknown) => startFailure(error, readConfig({})),
    );

  it('orders and compares names alike, whatever its collation', async () => {
    app = await startTestApp({
      databaseUrl: await create(`locale_provider icu icu_locale 'tr-TR' locale 'C'`),
    });
    const names = ['istanbul', 'INDIGO', 'Iğdır', 'a-c', 'ab', 'Zebra', 'Ärzte'];
    for (const plan of names)
      await app.request
        .post('/api/plans/')
        .send(aPlanBody(plan, {}, { tags: ['TRIAL-I'] }))
        .expect(201);
    const listed = async (query: string): Promise<string[]> =>
      (await app!.request.get(`/api/plans/?${query}`).expect(200)).body.map(
        (plan: { plan_name: string }) => plan.plan_name,
      );
    expect(await listed('ordering=plan_name&include_tags=trial-i')).toEqual([
      'a-c',
      'ab',
      'INDIGO',
      'istanbul',
      'Iğdır',
      'Zebra',
      'Ärzte',
    ]);
    expect(await listed('')).toEqual(['INDIGO', 'Iğdır', 'Zebra', 'a-c', 'ab', 'istanbul', 'Ärzte']);
  });

  it('bills alike, whatever its settings for other applications', async () => {
    const settings = [
      `timezone = 'Asia/Kolkata'`,
      `datestyle = 'German'`,
      `default_transaction_isolation = 'serializable'`,
      `standard_conforming_strings = off`,
      `array_nulls = off`,
      `lock_timeout = '1ms'`,
      `statement_timeout = '60ms'`,
    ];
    app = await startTestApp({ databaseUrl: await create('', settings) });
    const shop = shopOf(app);
    const components = [aComponentBody(await shop.metric(), { tiers: perUnitTiers(0.5) })];
    await shop.customer('acme');
    await shop.subscribe('acme', await shop.plan('Metered', { components }), '2026-01-01');
    await shop.use(...times(7, '2026-01-01T19:00:00Z'));
    await app.advance('2026-02-02T00:00:00Z');
    expect((await shop.invoices()).map(({ amount }: { amount: number }) => amount)).toEqual([33.5, 30]);
  });

  it('serves a role that owns two schemas and may create none', async () => {
    app = await startTestApp({
      databaseUrl: await createForRole(
        'create schema billing authorization $role',
        'create schema analytics authorization $role',
        'alter role $role set search_path = billing',
      ),
    });
    await app.request.post('/api/plans/').send(aPlanBody('Basic')).expect(201);
    expect((await app.request.get('/api/plans/').expect(200)).body).toHaveLength(1);
    const { rows } = await app.pool.query('select name from billing.plans');
    expect(rows).toEqual([{ name: 'Basic' }]);
    const maintenance = app.service.app.get<ReadModelMaintenance>(READ_MODEL_MAINTENANCE, { strict: false });
    expect(await maintenance.schemaDifferences()).toEqual([
      `the schema is not compared, as this takes the right to create schemas: grant create on database ${name} to ${name}`,
    ]);
  });

  it('whose role may not create what the service needs is refused with the right that it lacks', async () => {
    expect(await failureOf(await createForRole())).toMatch(
      /^The role of DATABASE_URL lacks a right: permission denied for schema public\. .*docs\/operating\.md#a-server-of-your-own names\.$/,
    );
  });

  it('without a schema of the search path is refused', async () => {
    const url = await createForRole('alter role $role set search_path = nowhere');
    expect(await failureOf(url)).toMatch(/^The database has no schema for the tables of the service: /);
  });

  it('that is read-only, as a standby is, is waited for, and answers nothing but reads', async () => {
    const lines: string[] = [];
    const url = await create('', ['default_transaction_read_only = on']);
    const log = { write: (line: string) => void lines.push(line) };
    const starting = startTestApp({ databaseUrl: url, env: { LOG_LEVEL: 'warn' }, log });
    await until(() => lines.some((line) => line.includes('The database is read-only: it is a standby')));
    await administration.pool.query(`alter database ${name} reset default_transaction_read_only`);
    app = await starting;
    await app.request.post('/api/features/').send({ feature_name: 'One' }).expect(201);
    expect((await app.request.get('/api/features/').expect(200)).body).toHaveLength(1);

    await administration.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    await administration.pool.query(
      'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1',
      [name],
    );
    await until(async () => {
      const { status, body } = await app!.request.get('/api/readiness/');
      return status === 503 && body.detail.includes('The database is read-only.');
    });
    await app.request.post('/api/features/').send({ feature_name: 'Two' }).expect(503);
    expect((await app.request.get('/api/features/').expect(200)).body).toHaveLength(1);
  });

  it('that allows fewer connections than a process needs is warned of at the start', async () => {
    const lines: string[] = [];
    app = await startTestApp({
      databaseUrl: await createForRole(
        'alter schema public owner to $role',
        'grant create on database $role to $role',
        'alter role $role connection limit 39',
      ),
      env: { LOG_LEVEL: 'warn' },
      log: { write: (line) => void lines.push(line) },
    });
    expect(lines).toEqual([expect.stringMatching(/"allowed":39,"needed":40,.*Raise max_connections/)]);
  });

  it('that has a service in another schema is refused, so that none begins anew beside it', async () => {
    const url = await createForRole(
      'create schema billing authorization $role',
      'alter schema public owner to $role',
      'grant create on database $role to $role',
    );
    const named = new URL(url);
    named.searchParams.set('options', '-c search_path=billing');
    await (await startTestApp({ databaseUrl: named.href })).stop();
    expect(await failureOf(url)).toMatch(
      /^The schema billing of this database has the tables of a service, and this one would use the schema public\. Set/,
    );
    app = await startTestApp({ databaseUrl: named.href });
    for (const table of ['schema_migrations', 'projection_checkpoints'])
      await app.pool.query(`create table public.${table} ()`);
    await app.stop();
    app = await startTestApp({ databaseUrl: named.href }); // A copy beside its own tables hinders nothing.
  });

  it('keeps the views that others add, and names those that hinder an upgrade', async () => {
    const url = await create();
    await (await startTestApp({ databaseUrl: url })).stop();
    const pool = createPool(url, () => {}, 1);
    await pool.query('create view analytics.mine as select 1 as one');
    app = await startTestApp({ databaseUrl: url });
    expect((await pool.query('select one from analytics.mine')).rows).toEqual([{ one: 1 }]);
    await app.stop();
    app = undefined;

    await pool.query('create schema bi');
    await pool.query('create view bi.revenue as select * from analytics.mrr');
    // As an upgrade does with other definitions.
    await pool.query('comment on schema analytics is null');
    expect(await failureOf(url)).toBe(
      'This release replaces views that others depend on: view bi.revenue depends on view analytics.mrr. Drop those, start the service, and create them again.',
    );
    await pool.query('drop view bi.revenue');
    app = await startTestApp({ databaseUrl: url });
    expect((await pool.query('select one from analytics.mine')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('whose encoding cannot store every text is refused', async () => {
    expect(await failureOf(await create(`encoding 'SQL_ASCII' locale 'C'`))).toMatch(
      /^The database of DATABASE_URL has the encoding SQL_ASCII, .* encoding 'UTF8'/,
    );
  });
});
