import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const CUSTOMERS = 5;

let app: TestApp;
let receiver: WebhookReceiver;
let path: string;
beforeAll(async () => {
  app = await startTestApp({
    clockStart: '2026-01-01T00:00:00Z',
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  receiver = await startWebhookReceiver();
  const endpoint = { name: 'accounting', webhook_url: receiver.url, triggers: ['customer.created'] };
  const { body } = await app.request.post('/api/webhooks/').send(endpoint).expect(201);
  path = `/api/webhooks/${body.webhook_endpoint_id}/deliveries/`;
  for (let count = 0; count < CUSTOMERS; count += 1) await shopOf(app).customer(`buyer-${count}`);
  await receiver.count(CUSTOMERS);
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

const paged = async (query: string): Promise<string[]> =>
  (await pagesOf<{ event_id: string }>(app.request, `${path}?limit=2&${query}`))
    .flat()
    .map(({ event_id: event }) => event);

it('deliveries are listed in the order of sending and from the last one back, page by page', async () => {
  const sent = await paged('');
  expect(new Set(sent).size).toBe(CUSTOMERS);
  expect(await paged('ordering=sequence')).toEqual(sent);
  expect(await paged('ordering=-sequence')).toEqual(sent.toReversed());
  expect(await paged('ordering=-sequence&status=delivered,pending')).toEqual(sent.toReversed());
});

it('a replayed delivery is the last one', async () => {
  const [first] = await paged('');
  await app.request.post(path.replace('deliveries', 'replay')).send({ event_id: first }).expect(200);
  expect((await paged('ordering=-sequence'))[0]).toBe(first);
});

it('a page continues in its own order only, and a refusal names the orders there are', async () => {
  const { headers } = await app.request.get(`${path}?ordering=-sequence&limit=1`).expect(200);
  const cursor = /cursor=([\w-]+)/.exec(headers['link'] as string)![1]!;
  await app.request.get(`${path}?ordering=-sequence&cursor=${cursor}`).expect(200);
  await app.request.get(`${path}?cursor=${cursor}`).expect(400);
  const { body } = await app.request.get(`${path}?ordering=status`).expect(400);
  expect(body.validation_errors[0]).toMatchObject({
    attr: 'ordering',
    detail: 'Choose from: sequence, -sequence.',
  });
});

it('a replay after a position sends those without an event in the log again, in their place', async () => {
  const others = ['billing.parked', 'usage_alert.triggered', 'audit.checkpoint'] as const;
  const endpoint = { name: 'all', webhook_url: receiver.url, triggers: ['customer.created', ...others] };
  const { body } = await app.request.post('/api/webhooks/').send(endpoint).expect(201);
  const own = `/api/webhooks/${body.webhook_endpoint_id}/`;
  const listed = async (): Promise<{ trigger: string; position: string; status: string }[]> =>
    (await app.request.get(`${own}deliveries/`).expect(200)).body;
  const replayed = async (after_position: string): Promise<unknown> =>
    (await app.request.post(`${own}replay/`).send({ after_position }).expect(200)).body.replayed;

  await shopOf(app).customer('before');
  await until(async () => (await listed()).length === 1);
  const deliveries = app.service.app.get(Deliveries, { strict: false });
  const notedAt = instant('9000-01-01');
  for (const trigger of others)
    await deliveries.enqueueOthers(app.org, trigger, [{ id: randomUUID(), notedAt }]);
  await shopOf(app).customer('after');
  await until(async () => (await listed()).length === 2 + others.length);

  const sent = await listed();
  const inOrder = ['customer.created', ...others, 'customer.created'];
  expect(sent.map(({ trigger }) => trigger)).toEqual(inOrder);
  expect(await replayed(sent.at(-1)!.position)).toBe(0);
  expect(await replayed(sent[0]!.position)).toBe(others.length + 1);
  expect(await replayed('0/0')).toBe(CUSTOMERS + sent.length);
  expect((await listed()).slice(CUSTOMERS).map(({ trigger }) => trigger)).toEqual(inOrder);

  // The rows of the three were removed, as those of a deleted usage alert are.
  await until(async () => (await listed()).every(({ status }) => status !== 'pending'));
  expect((await listed()).slice(CUSTOMERS).map(({ status }) => status)).toEqual([
    'delivered',
    ...others.map(() => 'dead'),
    'delivered',
  ]);
});
