import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiKeys } from '../../src/organization/api-keys/api-keys.js';
import { startTestApp, type TestApp } from '../support/app.js';

describe('API keys', () => {
  let app: TestApp;
  const ping = () => request(app.url).get('/api/ping/');

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  it('a request without a key is not authenticated, and told how to be', async () => {
    const { body, headers } = await ping().expect(401);
    expect(body.title).toBe('not_authenticated');
    expect(headers['www-authenticate']).toBe('Token');
  });

  it.each(['', '?org=org_0&expires=99999999999'])(
    'a PDF without a signature needs a key (%s)',
    async (link) => {
      const { body } = await request(app.url).get(`/api/invoices/260101-000001/pdf/${link}`).expect(401);
      expect(body.title).toBe('not_authenticated');
    },
  );

  it('an unknown key fails', async () => {
    const { body } = await ping().set('X-API-KEY', 'somebody-else').expect(401);
    expect(body.title).toBe('authentication_failed');
  });

  it('the key is taken from either header', async () => {
    await ping().set('X-API-KEY', app.key).expect(200);
    await ping().set('Authorization', `Token ${app.key}`).expect(200);
  });

  it('two headers must agree', async () => {
    await ping().set('X-API-KEY', app.key).set('Authorization', `Token ${app.key}`).expect(200);
    const { body } = await ping().set('X-API-KEY', app.key).set('Authorization', 'Token other').expect(401);
    expect(body.title).toBe('authentication_failed');
  });

  it('several headers of one name must agree as well, Token or plain', async () => {
    const status = async (...headers: string[]) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      socket.write(['GET /api/ping/ HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return Number(answer.toString().split(' ')[1]);
    };
    const token = (key: string) => `Authorization: Token ${key}`;
    const plain = (key: string) => `X-API-KEY: ${key}`;
    const other = 'another-key-of-thirty-two-characters';
    expect(await status(token(app.key), token(other))).toBe(401);
    expect(await status(token(other), token(app.key))).toBe(401);
    expect(await status(plain(app.key), plain(other))).toBe(401);
    expect(await status('Authorization: Basic x', token(app.key), plain(other))).toBe(401);
    expect(await status(token(app.key), token(app.key), plain(app.key), plain(app.key))).toBe(200);
    expect(await status('Authorization: Basic x', token(app.key))).toBe(200);
    for (const empty of ['X-API-KEY:', 'Authorization:', 'Authorization: Token']) {
      expect(await status(token(app.key), empty)).toBe(401);
      expect(await status(empty, plain(app.key))).toBe(401);
      expect(await status(empty)).toBe(401);
    }
  });

  it('another scheme of Authorization is not ours: the other header decides', async () => {
    await ping().set('Authorization', 'Basic dXNlcjpwYXNz').set('X-API-KEY', app.key).expect(200);
    await ping().set('Authorization', `Bearer ${app.key}`).expect(401);
  });

  it('a key of fewer than 32 characters is refused, also one that an earlier release has stored', async () => {
    const store = async (key: string) => {
      const id = randomUUID();
      const keys = app.service.app.get(ApiKeys);
      await keys.add({ id, org: app.org, key, name: 'API_KEY', scope: 'admin', expiresAt: null });
      await keys.begin(app.org, id);
    };
    for (const [length, status] of [
      [31, 401],
      [32, 200],
    ] as const) {
      const key = 'k'.repeat(length);
      await store(key);
      await ping().set('X-API-KEY', key).expect(status);
    }
  });

  it('liveness needs no key', async () => {
    const { body } = await request(app.url).get('/api/healthcheck/').expect(200);
    expect(body).toEqual({});
  });
});
