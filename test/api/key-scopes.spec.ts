import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { allOperations } from '../support/api-contract/operation.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendHead } from '../support/raw-request.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function withScope(scope: string): Promise<TestAgent> {
  const { body } = await app.request.post('/api/api_keys/').send({ name: scope, scope }).expect(201);
  expect(body.scope).toBe(scope);
  return request.agent(app.url).set('X-API-KEY', body.key as string);
}

const usage = (id: string) => ({
  batch: [{ event_name: 'call', idempotency_id: id, customer_id: 'c', time_created: '2026-01-01T00:00:00Z' }],
});

describe('a key with the scope ingest', () => {
  it('sends usage, asks what arrived and whose key it is', async () => {
    const ingest = await withScope('ingest');
    await ingest.post('/api/track/').send(usage('one')).expect(201, { success: 'all', failed_events: null });
    const asked = { idempotency_ids: ['one', 'two'] };
    const { body } = await ingest.post('/api/verify_idems_received/').send(asked).expect(200);
    expect(body.ids_not_found).toEqual(['two']);
    await ingest.get('/api/ping/').expect(200);
  });

  it('does nothing else: every other operation requires another scope', () => {
    const document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as never;
    const open = allOperations(document).filter(({ scopes }) => scopes.includes('ingest'));
    expect(open.map(({ name }) => name)).toEqual([
      'get /api/ping/',
      'post /api/track/',
      'post /api/verify_idems_received/',
    ]);
  });

  it('is told which scope an operation requires', async () => {
    const ingest = await withScope('ingest');
    const { body } = await ingest.get('/api/customers/').expect(403);
    expect(body).toMatchObject({
      title: 'permission_denied',
      detail:
        'This operation requires an API key with the `read` scope. Use one, or ask an administrator for it.',
    });
  });
});

describe('a key without the required scope', () => {
  const bodies: readonly (readonly [string, string, string])[] = [
    ['malformed', 'application/json', '{bad'],
    ['of another type', 'text/plain', 'x'],
    ['too large', 'application/json', JSON.stringify({ customer_name: 'x'.repeat(1_200_000) })],
    ['malformed, in a form', 'application/x-www-form-urlencoded', '%ff=1'],
    ['in several parts', 'multipart/form-data; boundary=b', 'x'],
    ['valid', 'application/json', '{}'],
  ];

  it.each(bodies)('is refused before its body is read: %s', async (_, type, text) => {
    const send = (sender: TestAgent, path: string) => sender.post(path).set('Content-Type', type).send(text);
    const [read, ingest] = [await withScope('read'), await withScope('ingest')];
    const answers = [
      await send(read, '/api/customers/'),
      await send(ingest, '/api/plans/'),
      await send(ingest, '/api/plans'),
      await send(ingest, '/api/customers/none/erase/?unknown=1'),
      await send(read, '/api/track/'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(new Set(answers.map(({ body }) => body.title as string))).toEqual(new Set(['permission_denied']));
  });

  it('is told of an unknown path, and of a path without the method', async () => {
    const read = await withScope('read');
    await read.post('/api/nothing/').send({}).expect(404);
    await read.put('/api/customers/').send({}).expect(405);
  });

  it('is not asked for its body where it waits to be asked', async () => {
    const { body } = await app.request.post('/api/api_keys/').send({ name: 'r', scope: 'read' }).expect(201);
    const headers = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue'];
    const path = '/api/customers/';
    expect(await sendHead(app.url, path, [`X-API-KEY: ${body.key}`, ...headers])).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('erasing a customer', () => {
  it('requires a key with the scope admin', async () => {
    await app.request.post('/api/customers/').send({ customer_id: 'gone' }).expect(201);
    const write = await withScope('write');
    const { body } = await write.post('/api/customers/gone/erase/').expect(403);
    expect(body.title).toBe('permission_denied');
    await app.request.post('/api/customers/gone/erase/').expect(200);
  });
});

describe('an unknown scope', () => {
  it.each(['owner', 'Admin', '', 'bootstrap', ['read'], 1, {}])('is refused: %j', async (scope) => {
    const { body } = await app.request.post('/api/api_keys/').send({ name: 'x', scope }).expect(400);
    expect(body.validation_errors).toMatchObject([{ attr: 'scope' }]);
  });
});

describe('the API document', () => {
  it('names the scopes of each operation, in words and as roles of its security requirement', () => {
    const document = app.service.app.get(ApiDocument).get();
    expect(document.paths['/api/track/']!['post']).toMatchObject({
      description: expect.stringMatching(
        /\n\nThis operation requires an API key with the `write` or `ingest` scope\.$/,
      ),
      security: [{ token: ['write'] }, { apiKey: ['write'] }, { token: ['ingest'] }, { apiKey: ['ingest'] }],
    });
    expect(document.paths['/api/customers/{customer_id}/erase/']!['post']).toMatchObject({
      description: expect.stringMatching(/\n\nThis operation requires an API key with the `admin` scope\.$/),
      security: [{ token: ['admin'] }, { apiKey: ['admin'] }],
    });
  });
});
