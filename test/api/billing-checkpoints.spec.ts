import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { BackgroundWork } from '../../src/platform/concurrency/background-work.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

const AUDIT_KEYS = Buffer.alloc(32, 7).toString('base64');
let database: TestDatabase;
let app: TestApp;
const start = async () => {
  app = await startTestApp({ databaseUrl: database.url, env: { AUDIT_KEYS } });
};
beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  await start();
});
afterAll(async () => {
  await app.stop();
  dropEventLog(database.url);
  await database.drop();
});

const checkpoints = async () =>
  (await app.request.get('/api/audit/checkpoints/').expect(200)).body as { cause: string; number: number }[];

describe('the end of a billing run', () => {
  it('has a checkpoint, also when another organization had the run taken in and the process died', async () => {
    await app.service.app.get(BackgroundWork).onApplicationShutdown();
    await app.request.post('/api/audit/checkpoints/').expect(201);
    const shop = shopOf(app);
    const planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
    await shop.customer('acme');
    await shop.subscribe('acme', planId, '2026-01-01');
    expect(await shop.invoices()).toHaveLength(1);
    const { request: other } = await anotherTenant(app);
    await other.post('/api/audit/checkpoints/').expect(201);
    await app.stop();
    await start();
    await until(async () => (await checkpoints()).length > 1);
    expect((await checkpoints())[0]).toMatchObject({ cause: 'billing', number: 2 });
    expect(
      (await app.pool.query('select org from transparency_trees where billed_at is not null')).rows,
    ).toEqual([]);
  });
});
