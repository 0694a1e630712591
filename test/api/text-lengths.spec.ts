import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
});
afterAll(() => app.stop());

/** Returns different emoji, so that PostgreSQL cannot compress them. */
const emoji = (count: number, suffix = ''): string =>
  Array.from({ length: count }, () => String.fromCodePoint(0x1f300 + randomInt(0x2ff)) + suffix).join('');

it.each([
  ['emoji', ''],
  ['emoji with variation selectors', '\ufe0f'],
])('usage is taken for the longest customer and event names of %s that can be created', async (_, suffix) => {
  const [customer_id, event_name] = [emoji(200, suffix), emoji(200, suffix)];
  await app.request.post('/api/customers/').send({ customer_id }).expect(201);
  await app.request
    .post('/api/customers/')
    .send({ customer_id: emoji(201, suffix) })
    .expect(400);
  const metric = { metric_type: 'counter', aggregation_type: 'count', event_name };
  await app.request
    .post('/api/metrics/')
    .send({ ...metric, metric_name: `counted${suffix}` })
    .expect(201);
  const event = (id: string) => ({
    customer_id,
    event_name,
    idempotency_id: id,
    time_created: '2026-01-19T00:00:00Z',
  });
  const id = emoji(256);
  const batch = [event(id), event(emoji(257)), { ...event('x'), event_name: emoji(201, suffix) }];
  const { body } = await app.request.post('/api/track/').send({ batch }).expect(201);
  expect(Object.values(body.failed_events as object)).toEqual([
    'idempotency_id is longer than 256 characters.',
    'event_name is longer than 200 characters.',
  ]);
  const missing = await app.request.post('/api/verify_idems_received/').send({ idempotency_ids: [id] });
  expect(missing.body).toMatchObject({ ids_not_found: [] });
});
