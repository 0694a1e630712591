import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('a webhook endpoint that was removed', () => {
  let database: TestDatabase;
  let app: TestApp;
  const start = () => startTestApp({ databaseUrl: database.url, env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    app = await start();
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  it('stays removed when its creation, whose answer was lost with the process, is repeated', async () => {
    const body = { name: 'lost', webhook_url: 'http://127.0.0.1:9/', triggers: ['invoice.created'] };
    const create = () =>
      app.request.post('/api/webhooks/').set('Idempotency-Key', 'lost').send(body).expect(201);
    const { webhook_endpoint_id: id } = (await create()).body;
    await app.request.delete(`/api/webhooks/${id}/`).expect(200);
    await app.pool.query('update idempotency_keys set answer = null, running_until = null');
    await app.stop();
    app = await start();

    expect((await create()).body).toMatchObject({ webhook_endpoint_id: id });
    await app.request.get(`/api/webhooks/${id}/`).expect(404);
    expect((await app.request.get('/api/webhooks/').expect(200)).body).toEqual([]);
  });
});
