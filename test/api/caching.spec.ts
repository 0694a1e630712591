import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
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

  it('of the docs may be kept for a while', async () => {
    for (const path of ['/api/docs', '/api/docs/start.js', '/api/docs/swagger-ui.css', '/api/openapi.json']) {
      const { headers } = await request(app.url).get(path).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=300');
    }
  });
});
