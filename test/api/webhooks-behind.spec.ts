import { expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

it('a webhook that waits for read models has not been tried: only its receiver uses up the day of tries', async () => {
  const receiver = await startWebhookReceiver();
  const app = await startTestApp({ limitsWaits: true, env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  const holder = await app.pool.connect();
  try {
    const endpoint = { name: 'x', webhook_url: receiver.url, triggers: ['customer.created'] };
    await app.request.post('/api/webhooks/').send(endpoint).expect(201);
    await holder.query('set idle_in_transaction_session_timeout = 0');
    await holder.query('begin');
    await holder.query('lock table customers in exclusive mode');
    await shopOf(app).customer('acme');
    const [waiting] = await until(async () => {
      const { rows } = await app.pool.query(
        `select status, attempts, first_attempt_at, last_error from webhook_deliveries where last_error is not null`,
      );
      return rows.length > 0 && rows;
    });
    expect(waiting).toEqual({
      status: 'pending',
      attempts: 0,
      first_attempt_at: null,
      last_error: 'the read models do not have it yet',
    });
    expect(receiver.received).toEqual([]);
    await holder.query('rollback');
    await receiver.count(1);
  } finally {
    holder.release(true);
    await app.stop();
    await receiver.stop();
  }
});
