import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

let app: TestApp;
let receiver: WebhookReceiver;

describe('webhooks of a stream that their read model has parked', () => {
  beforeAll(async () => {
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(() => receiver.stop());

  const subscribe = (name: string) =>
    app.request
      .post('/api/webhooks/')
      .send({ name, webhook_url: `${receiver.url}/${name}`, triggers: ['customer.created'] })
      .expect(201);
  const customersOf = (name: string): unknown[] =>
    receiver.received
      .filter(({ path }) => path.endsWith(name))
      .map(({ body }) => (body.data as { customer_id?: string }).customer_id);
  const parked = async (): Promise<number> =>
    (await app.pool.query('select from projection_parked_streams')).rowCount!;

  it.each([
    ['retried', () => recount(app, 'projections', 'retry', 'webhooks')],
    ['rebuilt', () => recount(app, 'projections', 'rebuild', 'webhooks')],
  ])('are sent once the stream is applied, to endpoints that are older: %s', async (name, unpark) => {
    const { rows } = await app.pool.query<{ version: number }>(
      `select version from projection_checkpoints where projection = 'webhooks' and live`,
    );
    const table = `webhook_events_v${rows[0]!.version}`;
    await subscribe(`${name}-before`);
    await app.pool.query(`alter table ${table} add constraint closed check (false) not valid`);
    await shopOf(app).customer(`${name}-missed`);
    await until(async () => (await parked()) === 1);
    await app.pool.query(`alter table ${table} drop constraint closed`);

    await subscribe(`${name}-after`);
    await shopOf(app).customer(`${name}-later`);
    await until(() => customersOf(`${name}-after`).length === 1);
    await until(() => customersOf(`${name}-before`).length === 1);
    await unpark();
    await until(() => customersOf(`${name}-before`).length === 2);
    expect(customersOf(`${name}-before`)).toEqual([`${name}-later`, `${name}-missed`]);
    expect(customersOf(`${name}-after`)).toEqual([`${name}-later`]);
    expect(await parked()).toBe(0);
  });
});
