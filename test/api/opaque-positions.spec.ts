import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type TestAgent from 'supertest/lib/agent.js';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { richTenant } from '../support/rich-tenant.js';

let database: TestDatabase;
let app: TestApp;
/** A second process on the same stores. */
let beside: TestApp;
let other: TestAgent;

beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  app = await startTestApp({ databaseUrl: database.url, clockStart: '2026-01-20T00:00:00Z' });
  beside = await startTestApp({ databaseUrl: database.url, env: { ROLES: 'api' } });
  other = (await anotherTenant(app)).request;
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
  dropEventLog(database.url);
  await database.drop();
});

const write = async (agent: TestAgent, name: string): Promise<string> =>
  (await agent.post('/api/features/').send({ feature_name: name }).expect(201)).headers[
    'x-recount-position'
  ]!;

describe('X-Recount-Position', () => {
  it('sent back through another process shows at least that state', async () => {
    const { body } = await app.request.post('/api/api_keys/').send({ name: 'reader', scope: 'read' });
    for (let n = 0; n < 5; n++) {
      const position = await write(app.request, `Seen ${n}`);
      const answer = await beside.request
        .get('/api/features/')
        .set('X-API-KEY', body.key as string)
        .set('X-Recount-Position', position)
        .expect(200);
      expect(answer.headers['x-recount-stale']).toBeUndefined();
      expect(JSON.stringify(answer.body)).toContain(`Seen ${n}`);
    }
  });

  it('of another organization, or changed, is refused', async () => {
    const position = await write(app.request, 'Mine');
    const changed = `${position[0] === 'A' ? 'B' : 'A'}${position.slice(1)}`;
    for (const [agent, sent] of [
      [other, position],
      [app.request, changed],
      [app.request, '1/1'],
    ] as const) {
      const { body } = await agent.get('/api/features/').set('X-Recount-Position', sent).expect(400);
      expect(body.validation_errors).toMatchObject([{ attr: 'X-Recount-Position', code: 'invalid' }]);
    }
  });

  it('does not tell how much others have written in between', async () => {
    const first = await write(other, 'First');
    await write(other, 'Second');
    const before = await write(app.request, 'Before');
    for (let n = 0; n < 20; n++) await write(other, `Volume ${n}`);
    const after = await write(app.request, 'After');
    for (const position of [first, before, after]) expect(position).toMatch(/^[\w-]{43}$/);
  });
});

describe('what else names a place in the log', () => {
  it('is opaque or counts what the organization itself did: histories, explanations, deliveries and cursors', async () => {
    const { body: webhook } = await app.request
      .post('/api/webhooks/')
      .send({ name: 'Told', webhook_url: 'https://hooks.example.com/x', triggers: ['invoice.created'] })
      .expect(201);
    for (let n = 0; n < 5; n++) await write(other, `More ${n}`);
    const ids = await richTenant(app, 'opaque');
    await app.advance('2026-03-02T00:00:00Z');

    const path = `/api/subscriptions/${ids['subscription_id']}/history/?limit=1`;
    const { body: history, headers } = await app.request.get(path).expect(200);
    expect(history.events[0].position).toBe('subscription/0');
    const next = /<([^>]+)>/.exec(headers['link']!)![1]!.replace(app.url, '');
    const cursor = new URL(next, app.url).searchParams.get('cursor')!;
    // The number is the revision of its own account.
    expect(cursor).toMatch(/^[\w-]{43}\.\d+$/);
    await app.request.get(next).expect(200);
    const position = await write(app.request, 'No cursor');
    for (const sent of [position, Buffer.from('1/1').toString('base64url')]) {
      const { body } = await app.request.get(`${path}&cursor=${sent}`).expect(400);
      expect(fieldErrorsOf(body)).toEqual({ cursor: 'invalid' });
    }

    const { body: invoices } = await app.request.get('/api/invoices/').expect(200);
    const explained = await app.request.get(`/api/invoices/${invoices[0].invoice_id}/explain/`).expect(200);
    const places = JSON.stringify(explained.body).match(/"position":"[^"]*"/g)!;
    for (const place of places) expect(place).toMatch(/"[a-z]+\/\d+"/);

    const deliveries = `/api/webhooks/${webhook.webhook_endpoint_id}/deliveries/?limit=1`;
    const page = await app.request.get(deliveries).expect(200);
    expect(page.body[0].position).toMatch(/^[\w-]{43}$/);
    expect(page.headers['link']).toMatch(/cursor=[\w-]{43}/);
    for (const sent of ['1', page.body[0].position])
      await app.request.get(`${deliveries}&cursor=${sent}`).expect(400);
    const replay = (agent: TestAgent, after: string) =>
      agent.post(`/api/webhooks/${webhook.webhook_endpoint_id}/replay/`).send({ after_position: after });
    for (const forged of ['1/1', position.slice(1), 'x']) {
      const { body } = await replay(app.request, forged).expect(400);
      expect(fieldErrorsOf(body)).toEqual({ after_position: 'invalid' });
    }
    expect((await replay(app.request, page.body[0].position).expect(200)).body.replayed).toBeGreaterThan(0);
  });
});
