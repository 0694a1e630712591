import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.js';
import { compareWithLog } from '../../projections/runtime/compare-with-log.js';
import { DriftMonitor } from '../../projections/runtime/drift-monitor.js';
import { toWireId } from '../../src/kernel/ids.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount } from '../support/recount.js';
import { richTenant } from '../support/rich-tenant.js';
import { shopOf } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';
import { until } from '../support/until.js';

const ENV = { MANAGEMENT_PORT: '0' };

describe('read models that are not what the log says', () => {
  let database: TestDatabase;
  let app: TestApp;

  /** Creates an organization with one of every resource, billed invoices and a due payment. */
  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z', databaseUrl: database.url, env: ENV });
    await app.request.patch('/api/organization/').send({ payment_grace_period: 10 }).expect(200);
    await richTenant(app, 'rich');
    const shop = shopOf(app);
    const flat = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('payer');
    await shop.subscribe('payer', flat, '2026-01-01');
    await app.advance('2026-02-02T00:00:00Z');
    await shop.metric({
      metric_name: 'bytes',
      event_name: 'sent',
      aggregation_type: 'sum',
      property_name: 'bytes',
    });
    const sent = [1, 2, 3].map((bytes) => ({
      idempotency_id: `sent ${bytes}`,
      event_name: 'sent',
      customer_id: 'payer',
      time_created: '2026-02-01T12:00:00Z',
      properties: { bytes },
    }));
    await app.request.post('/api/track/').send({ batch: sent }).expect(201);
    await until(async () => (await app.pool.query('select from usage_days_queue')).rows.length === 0);
    await countUsage();
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  /** Requests the report that counts a metric's usage: three events with a sum of 6. */
  async function countUsage(): Promise<void> {
    const report = '/api/analytics/usage-by-metric/?range_start=2026-02-01&range_end=2026-02-02';
    const { body } = await app.request.get(report).expect(200);
    expect(body.rows).toMatchObject([{ quantity: 6, events: 3 }]);
    const { rows } = await app.pool.query('select from usage_days_queue');
    expect(rows).toEqual([]);
  }

  const watch = () => app.service.app.get(DriftMonitor, { strict: false }).compare();
  const ask = async (path: string) => (await fetch(`${app.service.managementUrl}${path}`)).text();
  const readiness = async () => JSON.parse(await ask('/readiness')) as { reasons: string[] };
  const isReady = () => until(async () => (await readiness()).reasons.length === 0);

  /** Expects the finding in `projections status`, the doctor, the monitor of the service, its metrics and its readiness. */
  async function expectFound(projection: string, table: string, said: string): Promise<void> {
    const org = toWireId('org', app.org);
    const status = await recount(app, 'projections', 'status');
    expect(status.isWell).toBe(false);
    expect(status.lines.slice(1 + PROJECTIONS.length)).toEqual([
      `${projection}: DIFFERS FROM THE LOG: ${table} of ${org} has ${said}`,
    ]);
    const doctor = (await recount(app, 'doctor', '--sample', '0')).lines.join('\n');
    expect(doctor).toContain(
      `BROKEN  every read model is what the log says\n        ${table} of organization ${app.org}: ${said}`,
    );
    expect(await watch()).toMatchObject([{ projection, table, org: app.org }]);
    expect(await ask('/metrics')).toContain(
      `recount_read_model_differences{read_model="${table}",organization="${org}"} 1`,
    );
    const red = `The read model ${table} is not what the log says: rebuild it.`;
    await until(async () => (await readiness()).reasons.includes(red));
  }

  async function expectMendedByRebuild(projection: string): Promise<void> {
    await recount(app, 'projections', 'rebuild', projection);
    await isReady();
    expect(await ask('/metrics')).not.toContain('recount_read_model_differences{');
    expect((await recount(app, 'projections', 'status')).isWell).toBe(true);
    expect(await watch()).toEqual([]);
  }

  it('are none at first, in every table there is, also where the log is read in turns', async () => {
    const counts: Record<string, number> = {};
    for (const table of PROJECTIONS.flatMap(({ tables }) => Object.keys(tables))) {
      const { rows } = await app.pool.query<{ count: string }>(`select count(*) from ${table}`);
      counts[table] = Number(rows[0]!.count);
    }
    expect(Object.keys(counts).filter((table) => counts[table] === 0)).toEqual([]);
    expect(await watch()).toEqual([]);
    const stores = { store: app.service.app.get<EventStore>(EVENT_STORE), pool: app.pool };
    expect(await compareWithLog(stores, PROJECTIONS, { mostRows: 3 })).toEqual([]);
    await checkpointsAtHead(app);
    expect((await recount(app, 'projections', 'status')).isWell).toBe(true);
    await isReady();
  });

  it('are found by a row that was deleted', async () => {
    await app.pool.query(
      'delete from invoices where invoice_number = (select max(invoice_number) from invoices)',
    );
    const { rows } = await app.pool.query<{ count: string }>('select count(*) from invoices');
    const left = Number(rows[0]!.count);
    await expectFound('invoices', 'invoices', `${left} rows, by the log ${left + 1}`);
    await expectMendedByRebuild('invoices');
  });

  it.each([
    ['invoices', 'invoices', 'invoice_id', 'cost_due = cost_due + 1'],
    ['invoices', 'invoice_lines', 'invoice_id', 'amount = amount + 0.01'],
    ['credits', 'credits', 'credit_id', 'amount_remaining = amount_remaining - 1'],
    ['due-payments', 'due_payments', 'invoice_id', 'cost_due = cost_due + 1'],
    ['due-billing', 'due_billing', 'subscription_id', 'graced = not graced'],
  ])('are found by a value that was changed: %s, %s by %s set %s', async (projection, table, key, set) => {
    const { rowCount } = await app.pool.query(
      `update ${table} set ${set} where (org, ${key}) = (select org, ${key} from ${table} limit 1)`,
    );
    expect(rowCount).toBeGreaterThan(0);
    const { rows } = await app.pool.query<{ count: string }>(`select count(*) from ${table}`);
    await expectFound(
      projection,
      table,
      `${rows[0]!.count} rows as in the log, but not all of them the same`,
    );
    await expectMendedByRebuild(projection);
  });

  it.each([
    [
      'usage_days',
      'update usage_days set events = events + 100',
      /^103 events in 1 rows that have 3 by the usage log$/,
    ],
    ['usage_days', 'delete from usage_days', /^0 events in 1 rows that have 3 by the usage log$/],
    [
      'usage_of_metrics',
      'update usage_of_metrics set total = total + 1',
      /^3 events of metric .+ in the day of 2026-02-01 and another sum than its 3 events have$/,
    ],
  ])('are found by sums of usage that were changed: %s by %s', async (table, change, said) => {
    const { rowCount } = await app.pool.query(change);
    expect(rowCount).toBe(1);
    const [description] = (await recount(app, 'projections', 'status')).lines
      .slice(1 + PROJECTIONS.length)
      .map((line) => line.slice(line.indexOf(' has ') + 5));
    expect(description).toMatch(said);
    await expectFound('usage-sums', table, description!);
    const verified = await recount(app, 'verify', '--all');
    expect(verified.isWell).toBe(false);
    expect(verified.lines).toContainEqual(expect.stringContaining(`${table} of org_`));
    await expectMendedByRebuild('usage-sums');
    await countUsage();
  });

  it.each([
    [
      'credits',
      'credits',
      `update projection_checkpoints set definition = definition + 1 where projection = 'credits'`,
      'it is of version',
    ],
    [
      'due-billing',
      'due_billing',
      `update projection_checkpoints set store = null where projection = 'due-billing'`,
      'its checkpoint was taken from the event store null',
    ],
    [
      'due-billing',
      'due_billing',
      `do $$ begin execute 'create or replace view due_billing as ' || rtrim(pg_get_viewdef('due_billing'::regclass), ';') || ' where false'; end $$`,
      'its view does not show the table due_billing_v',
    ],
    [
      'credits',
      'credits',
      `do $$ begin execute (select 'drop table credits_v' || version || ' cascade' from projection_checkpoints where projection = 'credits' and live); end $$`,
      'its table credits_v',
    ],
  ])('are found for all organizations at once: %s, %s by %s', async (projection, table, change, said) => {
    expect(await watch()).toEqual([]);
    await app.pool.query(change);
    const status = await recount(app, 'projections', 'status');
    expect(status.isWell).toBe(false);
    expect(status.lines).toContainEqual(
      expect.stringContaining(`${projection}: DIFFERS FROM THE LOG: ${table}: ${said}`),
    );
    expect(await watch()).toContainEqual(expect.objectContaining({ projection, table }));
    expect(await ask('/metrics')).toContain(
      `recount_read_model_differences{read_model="${table}",organization=""} 1`,
    );
    await until(async () =>
      (await readiness()).reasons.includes(`The read model ${table} is not what the log says: rebuild it.`),
    );
    const doctor = await recount(app, 'doctor', '--sample', '0');
    expect(doctor.isWell).toBe(false);
    expect(doctor.lines.join('\n')).toContain(`${table}: ${said}`);
    await expectMendedByRebuild(projection);
  });

  it('are found by an event that was skipped, which every checkpoint has passed', async () => {
    await app.stop();
    const writer = await startTestApp({
      databaseUrl: database.url,
      env: { ...ENV, ROLES: 'api' },
      limitsWaits: true,
    });
    await writer.request
      .post('/api/customers/')
      .send({ customer_id: 'skipped', customer_name: 'Skipped' })
      .expect(201);
    await writer.stop();
    await database.pool.query(
      `update projection_checkpoints set commit = (select max(position) from events), prepare = (select max(position) from events)
       where projection = 'customers'`,
    );
    app = await startTestApp({ databaseUrl: database.url, env: ENV });
    await until(async () =>
      (await recount(app, 'projections', 'status')).lines.every((line) => !/BEHIND/.test(line)),
    );
    const { rows } = await app.pool.query<{ count: string }>('select count(*) from customers');
    const there = Number(rows[0]!.count);
    await expectFound('customers', 'customers', `${there} rows, by the log ${there + 1}`);
    await expectMendedByRebuild('customers');
  });
});
