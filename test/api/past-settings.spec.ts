import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

const AT = '2026-01-01T00:00:00Z';

let app: TestApp;
let alert: string;
let webhook: string;
let key: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: AT });
  const shop = shopOf(app);
  await shop.customer('acme');
  const metric = await shop.metric({ metric_name: 'calls', event_name: 'call' });
  const create = async (path: string, body: object) =>
    (await app.request.post(path).send(body).expect(201)).body as Readonly<Record<string, string>>;
  const made = await create('/api/usage-alerts/', {
    name: 'many calls',
    metric_id: metric,
    customer_id: 'acme',
    threshold: 1_000,
  });
  alert = `/api/usage-alerts/${made['usage_alert_id']}/`;
  const endpoint = await create('/api/webhooks/', {
    name: 'books',
    webhook_url: 'https://hooks.example.com/books',
    triggers: ['invoice.created'],
  });
  webhook = `/api/webhooks/${endpoint['webhook_endpoint_id']}/`;
  key = `/api/api_keys/${(await create('/api/api_keys/', { name: 'reader', scope: 'read' }))['prefix']}/`;
});
afterAll(() => app.stop());

const read = (query: string): Promise<unknown[]> =>
  Promise.all(
    [alert, '/api/usage-alerts/', webhook, '/api/webhooks/', '/api/api_keys/'].map(
      async (path) => (await app.request.get(`${path}?${query}`)).body as unknown,
    ),
  );

it('settings beside the log are as of a moment what they were before they were changed and removed', async () => {
  const before = await read('');
  const changes = [
    () => app.request.patch(alert).send({ threshold: 5 }),
    () => app.request.patch(alert).send({ name: 'five calls' }),
    () => app.request.delete(alert),
    () => app.request.delete(webhook),
    () => app.request.post(`${key}revoke/`),
  ];
  for (const [index, change] of changes.entries()) {
    await app.advance(`2026-01-0${index + 2}T00:00:00Z`);
    const { status, body } = await change();
    expect({ status, body }).toMatchObject({ status: 200 });
  }
  expect(await read(`as_of=${AT}`)).toEqual(before);
  const { body: between } = await app.request.get(`${alert}?as_of=2026-01-02T12:00:00Z`).expect(200);
  expect(between).toEqual({ ...(before[0] as object), threshold: 5 });
  await app.request.get(`${alert}?as_of=2026-01-04T00:00:00Z`).expect(404);
  await app.request.get(`${webhook}?as_of=2026-01-04T12:00:00Z`).expect(200);
  expect(await read('')).not.toEqual(before);
});

it('a key is of no moment before it was made', async () => {
  const names = async (query: string) =>
    (await app.request.get(`/api/api_keys/?${query}`).expect(200)).body.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names(`as_of=2025-12-31T00:00:00Z`)).toEqual([]);
  expect(await names('')).toContain('reader');
});
