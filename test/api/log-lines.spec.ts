import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const log: string[] = [];
const HUSH = 'hush-hush';
let app: TestApp;
let plan: string;
const keys: string[] = [];

/** Uses everything that could leak into the log: people, keys, endpoints with tokens, refusals and failures. */
beforeAll(async () => {
  app = await startTestApp({
    log: { write: (line) => log.push(line) },
    env: { LOG_LEVEL: 'trace', ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  const shop = shopOf(app);
  plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer(`${HUSH}-id`, {
    customer_name: `${HUSH}-name`,
    email: `${HUSH}@example.com`,
    address: { city: `${HUSH}-city`, line1: `${HUSH}-street` },
  });
  const { body: made } = await app.request
    .post('/api/api_keys/')
    .send({ name: 'second', scope: 'write' })
    .expect(201);
  keys.push(app.key, ...Object.values(made as object).filter((one) => String(one).length > 30));
  const { body: hook } = await app.request
    .post('/api/webhooks/')
    .send({
      name: 'nobody there',
      webhook_url: `http://127.0.0.1:1/${HUSH}-token`,
      triggers: ['invoice.created', 'subscription.created'],
    })
    .expect(201);
  keys.push((hook as { webhook_secret: string }).webhook_secret);
  await app.request
    .post('/api/subscriptions/')
    .set('X-Request-Id', 'from-here-to-the-invoice')
    .send({ customer_id: `${HUSH}-id`, plan_id: plan, start_date: '2026-01-01' })
    .expect(201);
  await app.request.get(`/api/customers/${HUSH}-nobody/`).expect(404);
  await app.request
    .post('/api/customers/')
    .send({ customer_id: `${HUSH}-id` })
    .expect(400);
  await app.request
    .post('/api/customers/')
    .send({ customer_id: HUSH, email: `${HUSH} is no address`, tax_rate: HUSH })
    .expect(400);
  await app.request.get('/api/invoices/').query({ customer_id: HUSH }).expect(400);
  await app.request.get('/api/plans/').set('X-API-KEY', `${HUSH}-key`).expect(401);
  await app.pool.query('alter table claims rename to claims_away');
  await app.request
    .post('/api/customers/')
    .send({ customer_id: `${HUSH}-later`, customer_name: `${HUSH}-name`, email: `${HUSH}-2@example.com` })
    .expect(500);
  await app.pool.query('alter table claims_away rename to claims');
  await app.advance('2026-02-02T00:00:00Z');
  while (!log.some((line) => line.includes('A webhook failed'))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('the log of a run', () => {
  it('is JSON, line by line, and every request is in it with its correlation id', () => {
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const request = lines.find(({ correlationId }) => correlationId === 'from-here-to-the-invoice');
    expect(request).toMatchObject({ method: 'POST', status: 201, msg: 'A request ended.' });
    expect(lines).toContainEqual(expect.objectContaining({ status: 500 }));
  });

  it('holds no person, no key and no token, also where something was refused or failed', () => {
    expect(keys.length).toBeGreaterThanOrEqual(3);
    for (const secret of [HUSH, ...keys, '0'.repeat(64), new URL(app.databaseUrl).password || HUSH]) {
      expect(log.filter((line) => line.includes(secret))).toEqual([]);
    }
  });

  it('can be followed from the request to its events and to the invoice', async () => {
    const types: string[] = [];
    for await (const { type, metadata } of app.service.app.get<EventStore>(EVENT_STORE).readAll()) {
      if (metadata.correlationId === 'from-here-to-the-invoice') types.push(type);
    }
    for (const type of ['SubscriptionStarted', 'InvoiceComputed', 'NumbersAssigned', 'InvoiceIssued']) {
      expect(types).toContain(type);
    }
  });
});
