import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { until } from '../support/until.js';
import { verifyAll } from '../support/verify-all.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const TRIGGERS = [
  'customer.created',
  'subscription.created',
  'subscription.renewed',
  'subscription.cancelled',
  'invoice.created',
  'invoice.paid',
  'invoice.past_due',
  'invoice.voided',
];

describe('webhooks', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;
  let receiver: WebhookReceiver;
  let customers = 0;

  beforeAll(async () => {
    app = await startTestApp({
      clockStart: '2026-01-01T00:00:00Z',
      env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    });
    shop = shopOf(app);
    await app.request.patch('/api/organization/').send({ payment_grace_period: 10 }).expect(200);
    planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    for (const { webhook_endpoint_id: id } of (await app.request.get('/api/webhooks/').expect(200)).body)
      await app.request.delete(`/api/webhooks/${id}/`).expect(200);
    await receiver.stop();
  });
  afterAll(async () => {
    expect(await verifyAll(app)).toBeGreaterThan(0);
    await app.stop();
  });

  const subscribeTo = async (triggers: readonly string[], url = receiver.url) => {
    const body = { name: 'accounting', webhook_url: url, triggers };
    const answer = await app.request.post('/api/webhooks/').send(body).expect(201);
    return answer.body as { webhook_endpoint_id: string; webhook_secret: string };
  };
  const someCustomer = async (): Promise<string> => {
    const id = `buyer-${(customers += 1)}`;
    await shop.customer(id, { email: `${id}@example.test` });
    return id;
  };
  /** Waits until all earlier events are delivered. An endpoint gets events in log order, so it waits for a new customer. */
  const toldAllSoFar = async (): Promise<void> => {
    const last = await someCustomer();
    await until(() => receiver.received.some(({ body: { data } }) => data['customer_id'] === last));
  };
  const deliveriesOf = async (id: string, query = '') =>
    (await app.request.get(`/api/webhooks/${id}/deliveries/${query}`).expect(200)).body;

  it('show their secret once, and keep it and the URL sealed', async () => {
    const created = await subscribeTo(['invoice.created']);
    expect(created.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = {
      webhook_endpoint_id: created.webhook_endpoint_id,
      name: 'accounting',
      webhook_url: receiver.url,
      triggers: ['invoice.created'],
      created_at: expect.any(String),
    };
    expect((await app.request.get('/api/webhooks/').expect(200)).body).toEqual([shown]);
    const path = `/api/webhooks/${created.webhook_endpoint_id}/`;
    expect((await app.request.get(path).expect(200)).body).toEqual(shown);
    const { rows } = await app.pool.query('select * from webhook_endpoints');
    for (const secret of [created.webhook_secret, created.webhook_secret.slice(6), receiver.url])
      expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await app.request.delete(path).expect(200)).body).toEqual(shown);
    await app.request.get(path).expect(404);
    await app.request.delete(path).expect(404);
  });

  it('report every wrong field', async () => {
    const refused = await app.request
      .post('/api/webhooks/')
      .send({ name: '', webhook_url: 'ftp://x', triggers: ['lost', 'invoice.paid', ''] })
      .expect(400);
    expect(refused.body.validation_errors).toEqual([
      expect.objectContaining({ attr: 'name', code: 'blank' }),
      expect.objectContaining({ attr: 'triggers.0', code: 'invalid_choice' }),
      expect.objectContaining({ attr: 'triggers.2', code: 'invalid_choice' }),
    ]);
    for (const url of ['ftp://x', 'no url', 'http://user:password@example.test/'])
      await app.request
        .post('/api/webhooks/')
        .send({ name: 'x', webhook_url: url, triggers: ['invoice.paid'] })
        .expect(400);
  });

  it('tell of everything asked for, in its order, signed, with the resource as answers show it', async () => {
    const { webhook_secret: secret, webhook_endpoint_id: id } = await subscribeTo(TRIGGERS);
    const customer = await someCustomer();
    const now = (await app.request.get('/api/test_clock/').expect(200)).body.now as string;
    const start = new Date(now);
    const later = (days: number) => new Date(start.getTime() + days * 86_400_000).toISOString();
    const { subscription_id: subscription } = await shop.subscribe(customer, planId, now);
    const [invoice] = await shop.invoices(`?customer_id=${customer}`);
    await app.advance(later(11));
    await app.request
      .patch(`/api/invoices/${invoice.invoice_id}/`)
      .send({ payment_status: 'paid' })
      .expect(200);
    await app.request.post(`/api/subscriptions/${subscription}/cancel/`).send({}).expect(200);
    const deliveries = [...(await receiver.count(7))];
    expect(deliveries.map(({ body }) => body.type)).toEqual([
      'customer.created',
      'subscription.created',
      'invoice.created',
      'invoice.past_due',
      'invoice.paid',
      'subscription.cancelled',
      // The invoice of the cancellation.
      'invoice.created',
    ]);
    for (const { text, headers } of deliveries) {
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(JSON.parse(text));
      expect(() => new Webhook(secret).verify(`${text} `, headers as Record<string, string>)).toThrow();
    }
    const told = await until(async () => {
      const list = await deliveriesOf(id);
      return list.every(({ status }: { status: string }) => status === 'delivered') ? list : undefined;
    });
    expect(told.map(({ event_id: event }: { event_id: string }) => event)).toEqual(
      deliveries.map(({ headers }) => headers['webhook-id']),
    );
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(7);
    // Embedded lists show the state at the time of sending.
    const moving = {
      subscriptions: expect.any(Array),
      invoices: expect.any(Array),
      amounts_due: expect.any(Array),
      total_amount_due: expect.any(Number),
    };
    const record = (await app.request.get(`/api/customers/${customer}/`)).body;
    expect(deliveries[0]!.body.data).toEqual({ ...record, ...moving });
    const shown = (await app.request.get(`/api/invoices/${invoice.invoice_id}/`)).body;
    expect(deliveries[4]!.body.data).toEqual({ ...shown, invoice_pdf: null });
    expect(deliveries[3]!.body).toMatchObject({ timestamp: invoice.due_date });
  });

  it('tell of an invoice that was voided, which is then never past due', async () => {
    const customer = await someCustomer();
    const now = (await app.request.get('/api/test_clock/').expect(200)).body.now as string;
    await shop.subscribe(customer, planId, now);
    const [invoice] = await shop.invoices(`?customer_id=${customer}`);
    await subscribeTo(['invoice.past_due', 'invoice.voided', 'customer.created']);
    await app.request.post(`/api/invoices/${invoice.invoice_id}/void/`).send({}).expect(200);
    await app.advance(new Date(new Date(now).getTime() + 11 * 86_400_000).toISOString());
    const { body } = (await receiver.count(1))[0]!;
    expect(body).toMatchObject({ type: 'invoice.voided', data: { payment_status: 'voided', cost_due: 0 } });
    await toldAllSoFar();
    const told = receiver.received.filter(({ body: { data } }) => data['invoice_id'] === invoice.invoice_id);
    expect(told).toHaveLength(1);
  });

  it('tell of a renewal with the term that follows, once', async () => {
    const customer = await someCustomer();
    const now = (await app.request.get('/api/test_clock/').expect(200)).body.now as string;
    const old = await shop.subscribe(customer, planId, now);
    await subscribeTo(['subscription.created', 'subscription.renewed', 'customer.created']);
    await app.advance(new Date(new Date(old.end_date).getTime() + 3_600_000).toISOString());
    await toldAllSoFar();
    const [told, ...more] = receiver.received.filter(
      ({ body: { data } }) => (data['customer'] as { customer_id?: string })?.customer_id === customer,
    );
    expect(told!.body).toMatchObject({ type: 'subscription.renewed', data: { is_new: false } });
    expect(told!.body.data['subscription_id']).not.toBe(old.subscription_id);
    expect(more).toEqual([]);
  });

  it('wait behind one that fails, are tried for a day, and continue when it is dead', async () => {
    const { webhook_endpoint_id: id } = await subscribeTo(['customer.created']);
    receiver.answer(500);
    const [first, second] = [await someCustomer(), await someCustomer()];
    await receiver.count(1);
    const [failed, waiting] = await until(async () => {
      const list = await deliveriesOf(id);
      return list.length === 2 && list[0].attempts > 0 ? list : undefined;
    });
    expect(failed).toMatchObject({ status: 'pending', last_status: 500, delivered_at: null });
    expect(failed.last_error).toContain('2xx');
    expect(waiting).toMatchObject({ status: 'pending', attempts: 0 });
    const told = () => receiver.received.map(({ body }) => body.data['customer_id']);
    expect(new Set(told())).toEqual(new Set([first]));

    // The last retry, a day later, fails as well.
    receiver.answer(200);
    receiver.once(503);
    await app.pool.query(
      `update webhook_deliveries set first_attempt_at = now() - interval '25 hours', next_attempt_at = now()
        where status = 'pending' and attempts > 0`,
    );
    const dead = await until(async () => (await deliveriesOf(id, '?status=dead'))[0]);
    await until(() => told().at(-1) === second);
    // On a slow machine the first retry has come before.
    const tries = told().length - 1;
    expect(tries).toBeGreaterThan(1);
    expect(told()).toEqual([...Array(tries).fill(first), second]);
    expect(dead).toMatchObject({ status: 'dead', attempts: tries, last_status: 503, next_attempt_at: null });

    const replayed = await app.request.post(`/api/webhooks/${id}/replay/`).send({}).expect(200);
    expect(replayed.body).toEqual({ replayed: 1 });
    const again = (await receiver.count(tries + 2)).at(-1)!;
    expect(again.headers['webhook-id']).toBe(dead.event_id);
    await until(async () => (await deliveriesOf(id, '?status=dead')).length === 0);
  });

  it('are read again from any position, also from before the endpoint was there', async () => {
    await someCustomer();
    await someCustomer();
    const { webhook_endpoint_id: id } = await subscribeTo(['customer.created']);
    const path = `/api/webhooks/${id}/replay/`;
    const all = (await app.request.post(path).send({ after_position: '0/0' }).expect(200)).body.replayed;
    expect(all).toBe(customers);
    const deliveries = [...(await receiver.count(all))];
    expect(deliveries.map(({ body }) => body.data['customer_id'])).toEqual(
      deliveries.map((_, place) => `buyer-${place + 1}`),
    );
    const after_position = deliveries.at(-2)!.body.position;
    expect((await app.request.post(path).send({ after_position }).expect(200)).body).toEqual({ replayed: 1 });
    expect((await receiver.count(all + 1)).at(-1)!.text).toBe(deliveries.at(-1)!.text);
    const event_id = deliveries[0]!.headers['webhook-id'] as string;
    expect((await app.request.post(path).send({ event_id }).expect(200)).body).toEqual({ replayed: 1 });
    expect((await receiver.count(all + 2)).at(-1)!.text).toBe(deliveries[0]!.text);
    await app.request.post(path).send({ event_id, after_position }).expect(400);
    await app.request.post(path).send({ event_id: '00000000-0000-4000-8000-000000000000' }).expect(400);
    await app.request.post(path).send({ after_position: 'x' }).expect(400);
    const page = await app.request.get(`/api/webhooks/${id}/deliveries/?limit=1`).expect(200);
    expect(page.body).toHaveLength(1);
    expect(page.headers['link']).toContain('cursor=');
  });

  it('do not follow redirects', async () => {
    receiver.answer(302, { location: receiver.url.replace('/hook', '/elsewhere') });
    const { webhook_endpoint_id: id } = await subscribeTo(['customer.created']);
    await someCustomer();
    const [delivery] = await until(async () => {
      const list = await deliveriesOf(id);
      return list[0]?.attempts > 0 ? list : undefined;
    });
    expect(delivery).toMatchObject({ status: 'pending', last_status: 302 });
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hook']));
  });

  it('say nothing of a person who was erased meanwhile', async () => {
    const { webhook_endpoint_id: id } = await subscribeTo(['customer.created']);
    const customer = await someCustomer();
    expect((await receiver.count(1))[0]!.text).toContain(customer);
    await app.pool.query('update customer_keys set wrapped_key = null');
    await app.request.post(`/api/webhooks/${id}/replay/`).send({ after_position: '0/0' }).expect(200);
    const after = (await receiver.count(1 + customers)).slice(1);
    for (const { text, body } of after) {
      expect(text).not.toContain('example.test');
      expect(body.data).toMatchObject({ customer_id: null, customer_name: null, email: null });
    }
    const { rows } = await app.pool.query('select * from webhook_deliveries');
    expect(JSON.stringify(rows)).not.toContain(customer);
  });

  it('are those of their tenant, and an admin decides on them', async () => {
    const { webhook_endpoint_id: id } = await subscribeTo(['customer.created']);
    const { request: stranger } = await anotherTenant(app);
    expect((await stranger.get('/api/webhooks/').expect(200)).body).toEqual([]);
    await stranger.get(`/api/webhooks/${id}/`).expect(404);
    await stranger.get(`/api/webhooks/${id}/deliveries/`).expect(404);
    await stranger.post(`/api/webhooks/${id}/replay/`).send({}).expect(404);
    await stranger.delete(`/api/webhooks/${id}/`).expect(404);
    await stranger.post('/api/customers/').send({ customer_id: 'foreign' }).expect(201);
    const writer = await app.request.post('/api/api_keys/').send({ name: 'w', scope: 'write' }).expect(201);
    await app.request.get('/api/webhooks/').set('X-API-KEY', writer.body.key).expect(403);
    await someCustomer();
    await receiver.count(1);
    expect(receiver.received.map(({ body }) => body.data['customer_id'])).toEqual([`buyer-${customers}`]);
  });
});
