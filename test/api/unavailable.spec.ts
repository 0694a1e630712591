import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

describe('a store that is down', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let app: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    proxy = await startPostgresProxy(database.url);
    app = await startTestApp({ databaseUrl: proxy.url });
    await app.request.post('/api/features/').send({ feature_name: 'Before' }).expect(201);
    await proxy.close();
  });
  afterAll(async () => {
    await app.stop();
    dropEventLog(proxy.url);
    await database.drop();
  });

  it('makes reads and commands unavailable, to be tried again', async () => {
    const answers = [
      await app.request.get('/api/features/'),
      await app.request.post('/api/features/').send({ feature_name: 'Meanwhile' }),
      await app.request
        .post('/api/features/')
        .set('Idempotency-Key', 'k')
        .send({ feature_name: 'Meanwhile' }),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ title: 'unavailable', type: expect.stringMatching(/#server-error$/) });
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
  });

  it('leaves the process alive', async () => {
    await app.request.get('/api/healthcheck/').expect(200);
  });
});

describe('a frozen store: its connections stay open, and nothing is sent on them', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let app: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    proxy = await startPostgresProxy(database.url);
    app = await startTestApp({ databaseUrl: proxy.url });
    await app.request.post('/api/features/').send({ feature_name: 'Before' }).expect(201);
  });
  afterAll(async () => {
    await app.stop();
    await proxy.close();
    dropEventLog(proxy.url);
    await database.drop();
  });

  it('makes reads and commands unavailable, and serves again when it thaws', async () => {
    proxy.stalled = true;
    const create = () =>
      app.request.post('/api/features/').set('Idempotency-Key', 'frozen').send({ feature_name: 'Meanwhile' });
    const answers = await Promise.all([app.request.get('/api/features/'), create()]);
    for (const { status, body, headers } of [...answers, await create()]) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ title: 'unavailable' });
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    await app.request.get('/api/healthcheck/').expect(200);
    proxy.stalled = false;
    await until(async () => (await create()).status === 201);
    const { body } = await app.request.get('/api/features/').expect(200);
    expect(body.map((feature: { feature_name: string }) => feature.feature_name).sort()).toEqual([
      'Before',
      'Meanwhile',
    ]);
  });
});
