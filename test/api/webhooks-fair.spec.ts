import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type TestAgent from 'supertest/lib/agent.js';
import { Endpoints } from '../../src/webhooks/endpoints.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { listen } from '../support/listen.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const MOST = 20;

describe('webhooks of many organizations', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let silent: Server;
  let silentUrl: string;
  let hanging = 0;
  beforeAll(async () => {
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    receiver = await startWebhookReceiver();
    silent = createServer(() => (hanging += 1));
    silentUrl = `http://127.0.0.1:${await listen(silent)}/`;
  });
  afterAll(async () => {
    silent.closeAllConnections();
    silent.close();
    await app.stop();
    await receiver.stop();
  });

  const subscribe = (agent: TestAgent, url: string, key?: string) => {
    const body = { name: 'x', webhook_url: url, triggers: ['customer.created'] };
    const creating = agent.post('/api/webhooks/');
    return (key ? creating.set('Idempotency-Key', key) : creating).send(body);
  };

  it('are sent while receivers of two others take every slot they get and never answer', async () => {
    const quick = await anotherTenant(app);
    await subscribe(quick.request, receiver.url).expect(201);
    for (let tenant = 0; tenant < 2; tenant += 1) {
      const { request } = await anotherTenant(app);
      for (let n = 0; n < MOST; n += 1) await subscribe(request, silentUrl).expect(201);
      await request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    }
    await until(() => hanging >= 2 * MOST);
    await quick.request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    await receiver.count(1);
    expect(await openConnections(silent)).toBeGreaterThan(MOST);
  });

  /**
   * Sends to more silent receivers than there are slots, and to one that answers. Returns how many of the silent ones
   * timed out before all had a delivery: after 15 s, where two turns of two seconds are enough.
   */
  async function timeoutsOfARound(): Promise<number> {
    const server = createServer(() => undefined);
    const url = `http://127.0.0.1:${await listen(server)}/`;
    const quick = await anotherTenant(app);
    await subscribe(quick.request, receiver.url).expect(201);
    const silents = await Promise.all(Array.from({ length: 7 }, () => anotherTenant(app)));
    for (const { request } of silents)
      await Promise.all(Array.from({ length: 12 }, () => subscribe(request, url).expect(201)));
    let [begun, timedOut] = [0, 0];
    server.on('connection', (socket) => {
      begun += 1;
      socket.once('close', () => (timedOut += 1));
    });
    await Promise.all(
      silents.map(({ request }) => request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201)),
    );
    await until(() => begun >= 60);
    const known = receiver.received.length;
    await quick.request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    await receiver.count(known + 1);
    await until(() => begun >= 7 * 12);
    const before = timedOut;
    server.closeAllConnections();
    server.close();
    return before;
  }

  it('are sent within a turn, and not after a timeout, where silent receivers have taken every slot', async () => {
    let timedOut = await timeoutsOfARound();
    // On a busy machine a turn may take longer than the timeout.
    for (let tries = 1; timedOut > 0 && tries < 5; tries += 1) timedOut = await timeoutsOfARound();
    expect(timedOut).toBe(0);
  });

  it('have at most twenty endpoints each, also where many are made at once', async () => {
    const { request } = await anotherTenant(app);
    const answers = await Promise.all(
      Array.from({ length: MOST + 5 }, (_, n) => subscribe(request, receiver.url, `endpoint-${n}`)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(MOST);
    for (const { status, body } of answers) {
      if (status === 201) continue;
      expect(status).toBe(400);
      expect(body).toMatchObject({
        title: 'invalid_operation',
        detail: expect.stringContaining('at most 20'),
      });
    }
    const again = answers.findIndex(({ status }) => status === 201);
    await subscribe(request, receiver.url, `endpoint-${again}`).expect(201);
    await request.delete(`/api/webhooks/${made[0]!.body.webhook_endpoint_id}/`).expect(200);
    await subscribe(request, receiver.url).expect(201);
  });
});

describe('endpoints', () => {
  let app: TestApp;
  beforeAll(async () => {
    // The process sends no deliveries: the tests lease them explicitly.
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true', ROLES: 'api,projections' } });
  });
  afterAll(() => app.stop());

  it('take turns within and between organizations, and a lease that was lost ends nothing', async () => {
    const endpoints = app.service.app.get(Endpoints, { strict: false });
    const body = { name: 'x', webhook_url: 'http://127.0.0.1:1/', triggers: ['customer.created'] };
    for (let tenant = 0; tenant < 2; tenant += 1) {
      const { request } = await anotherTenant(app);
      for (let n = 0; n < 2; n += 1) await request.post('/api/webhooks/').send(body).expect(201);
    }
    await app.pool.query(`insert into webhook_deliveries (endpoint_id, event_id, trigger, commit, prepare)
      select id, gen_random_uuid(), 'customer.created', 0, 0 from webhook_endpoints`);
    const due = await endpoints.due(100);
    const [first, second, third, fourth] = due.map(({ id }) => id);
    expect(due).toHaveLength(4);
    expect(due[0]!.org).not.toBe(due[1]!.org);

    const [lease] = await endpoints.lease([first!], 60);
    expect(await endpoints.lease([first!], 60)).toEqual([]);
    expect((await endpoints.due(100)).map(({ id }) => id)).not.toContain(first);
    const leasedUntil = await endpoints.extendLease(lease!, 60);
    expect(await endpoints.extendLease(lease!, 60)).toBeUndefined();
    await endpoints.release(lease!);
    expect(await endpoints.lease([first!], 60)).toEqual([]);

    await endpoints.release({ id: first!, leasedUntil: leasedUntil! });
    const after = await endpoints.due(100);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second, third, fourth]));
    expect(after.slice(0, 2).map(({ id }) => id)).not.toContain(first);
  });
});

const openConnections = (server: Server): Promise<number> =>
  new Promise((answer) => server.getConnections((_, count) => answer(count)));
