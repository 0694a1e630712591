import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { openWaitingServers } from '../../src/waiting-servers.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { freePort } from '../support/listen.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { MANAGEMENT_PORT: '0' } });
});
afterAll(() => app.stop());

describe('an answer', () => {
  const forbidden = ({ headers, status }: request.Response) => ({
    status,
    cache: headers['cache-control'],
    vary: headers['vary'],
  });
  const NOT_STORED = { cache: 'no-store', vary: 'Authorization, X-API-KEY' };

  it('is stored by nobody, nor given to another key', async () => {
    const shop = shopOf(app);
    await shop.customer('acme');
    const bare = request(app.url);
    const credit = { customer_id: 'acme', amount: 5, currency_code: 'USD' };
    await app.request
      .post('/api/credits/')
      .send({ ...credit, amount_paid: 5, amount_paid_currency_code: 'USD' })
      .expect(201);
    const { body } = await app.request.get('/api/invoices/').expect(200);
    const link = (body[0].invoice_pdf as string).replace(app.url, '');
    const answers: readonly (readonly [number, request.Test])[] = [
      [200, app.request.get('/api/ping/')],
      [200, app.request.get('/api/customers/')],
      [201, app.request.post('/api/features/').send({ feature_name: 'F' })],
      [400, app.request.post('/api/features/').send({})],
      [400, app.request.post('/api/track/').send({ batch: [{}] })],
      [400, app.request.post('/api/features/').set('Content-Type', 'application/json').send('{')],
      [401, bare.get('/api/ping/')],
      [401, bare.post('/api/features/').send({})],
      [404, app.request.get('/api/nothing/')],
      [404, app.request.get('/api/features/%zz/')],
      [404, bare.get('/api/docs/nothing.js')],
      [405, app.request.put('/api/ping/')],
      [200, bare.get('/api/healthcheck/')],
      [200, bare.get(link)],
      [403, bare.get(link.replace('signature=', 'signature=x'))],
    ];
    for (const [status, answer] of answers)
      expect(forbidden(await answer)).toEqual({ status, ...NOT_STORED });
  });

  /** Returns the answer of a server to raw bytes. */
  const answered = (url: string, sent: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port, hostname } = new URL(url);
      const parts: Buffer[] = [];
      const socket = connect(Number(port), hostname, () => socket.write(sent));
      socket.on('data', (part) => parts.push(part)).on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
    });

  it.each([
    [400, 'a header that is none', 'GET /api/ping/ HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n'],
    [400, 'an unknown method', 'FETCH /api/ping/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    [413, 'long headers', `GET /api/ping/ HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
    [400, 'no Host', 'GET /api/ping/ HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [417, 'an unknown Expect', 'POST /api/features/ HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n\r\n'],
  ])('%d is stored by nobody where the request has %s', async (status, _, sent) => {
    const answer = await answered(app.url, sent);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^cache-control: no-store\r$/im);
    expect(answer).toMatch(/^vary: authorization, x-api-key\r$/im);
  });

  it('of the management port is stored by nobody', async () => {
    for (const path of ['/healthcheck', '/readiness', '/metrics', '/nothing']) {
      const { headers } = await fetch(`${app.service.managementUrl}${path}`);
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual(Object.values(NOT_STORED));
    }
  });

  it('of a process that waits for its stores is stored by nobody', async () => {
    const [port, managementPort] = [await freePort(), await freePort()];
    const config = readConfig({
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      HOST: '127.0.0.1',
    });
    const waiting = await openWaitingServers(config);
    try {
      const paths = [
        ...['/api/healthcheck/', '/api/ping/'].map((path) => `http://127.0.0.1:${port}${path}`),
        ...['/healthcheck', '/readiness'].map((path) => `http://127.0.0.1:${managementPort}${path}`),
      ];
      for (const path of paths) {
        const { headers } = await fetch(path);
        expect([headers.get('cache-control'), headers.get('vary')]).toEqual(Object.values(NOT_STORED));
      }
    } finally {
      await waiting.close();
    }
  });

  it('of the docs may be kept for a while', async () => {
    for (const path of ['/api/docs', '/api/docs/start.js', '/api/docs/swagger-ui.css', '/api/openapi.json']) {
      const { headers } = await request(app.url).get(path).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=300');
    }
  });
});
