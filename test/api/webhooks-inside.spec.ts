import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

describe('webhooks, without a setting that allows it', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp();
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  it('are not sent to internal addresses: of URLs at their creation, of names when they are resolved', async () => {
    const body = { name: 'x', triggers: ['customer.created'] };
    for (const url of [
      receiver.url,
      'http://localhost/',
      'http://[::1]/',
      'http://169.254.169.254/latest/',
    ]) {
      const refused = await app.request
        .post('/api/webhooks/')
        .send({ ...body, webhook_url: url })
        .expect(400);
      expect(refused.body.validation_errors[0]).toMatchObject({
        attr: 'webhook_url',
        code: 'invalid',
        detail: expect.stringContaining('ALLOW_PRIVATE_WEBHOOKS=true'),
      });
    }
    const created = await app.request
      .post('/api/webhooks/')
      .send({ ...body, webhook_url: 'http://nobody.invalid/' })
      .expect(201);
    await app.request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    const path = `/api/webhooks/${created.body.webhook_endpoint_id}/deliveries/`;
    const delivery = await until(async () => {
      const [first] = (await app.request.get(path).expect(200)).body;
      return first?.attempts > 0 && first;
    });
    expect(delivery).toMatchObject({ status: 'pending', last_status: null });
  });
});
