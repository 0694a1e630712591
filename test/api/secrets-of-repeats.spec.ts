import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  EVENT_STORE,
  StoreUnavailable,
  type EventStore,
} from '../../src/platform/eventsourcing/store/event-store.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';

/** The first request fails before its event is stored, so no answer has shown its secret. */
describe('a secret is in the answer of a repeat after a request that failed: that', () => {
  let app: TestApp;
  let isDown = false;

  beforeAll(async () => {
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const append = store.append.bind(store);
    store.append = async (stream, ...rest) => {
      if (isDown && /\.(keys|webhook\..*)$/.test(stream)) throw new StoreUnavailable('down');
      return append(stream, ...rest);
    };
  });
  afterAll(() => app.stop());

  const repeated = async (path: string, body: object, key = app.key) => {
    const send = () =>
      request(app.url)
        .post(`/api/${path}/`)
        .set('X-API-KEY', key)
        .set('Idempotency-Key', `once-${path.replaceAll('/', '-')}`)
        .send(body);
    isDown = true;
    await send().expect(503);
    isDown = false;
    const { status, body: answer } = await send();
    expect([200, 201]).toContain(status);
    const { body: again } = await send();
    return { answer, again };
  };
  const statusOf = async (key: string) =>
    (await request(app.url).get('/api/ping/').set('X-API-KEY', key)).status;
  const shown = async () => (await app.request.get('/api/api_keys/').expect(200)).body;

  it('of a new API key', async () => {
    const { answer, again } = await repeated('api_keys', { name: 'created' });
    expect(await statusOf(answer.key)).toBe(200);
    expect(again).toEqual({ ...answer, key: null });
    expect(await shown()).toHaveLength(2);
  });

  it('of a rotation', async () => {
    const { body: former } = await app.request.post('/api/api_keys/').send({ name: 'rotated' }).expect(201);
    const { answer, again } = await repeated(`api_keys/${former.prefix}/rotate`, {});
    expect(await statusOf(answer.key)).toBe(200);
    expect(await statusOf(former.key)).toBe(401);
    expect(again).toEqual({ ...answer, key: null });
  });

  it('of a new organization', async () => {
    const { answer } = await repeated('organizations', { organization_name: 'New' }, BOOTSTRAP_KEY);
    expect(await statusOf(answer.admin_key.key)).toBe(200);
  });

  it('of a new webhook endpoint', async () => {
    const body = { name: 'new', webhook_url: 'http://127.0.0.1:9/', triggers: ['invoice.paid'] };
    const { answer, again } = await repeated('webhooks', body);
    expect(answer.webhook_secret).toMatch(/^whsec_/);
    expect(again).toEqual({ ...answer, webhook_secret: null });
  });
});
