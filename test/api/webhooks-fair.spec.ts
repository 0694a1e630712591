import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type TestAgent from 'supertest/lib/agent.js';
import { Endpoints } from '../../src/webhooks/endpoints.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { listen } from '../support/listen.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const MOST = 20;
/** On a busy machine only one of some rounds may take less than the timeout of a delivery. */
const TRIES = 5;

describe('webhooks of many organizations', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  const subscribe = (agent: TestAgent, url: string, key?: string) => {
    const body = { name: 'x', webhook_url: url, triggers: ['customer.created'] };
    const creating = agent.post('/api/webhooks/');
    return (key ? creating.set('Idempotency-Key', key) : creating).send(body);
  };

  /** Counts how many deliveries to silent receivers wait when one to a receiver that answers arrives. */
  async function waitingOfARound(): Promise<number> {
    const silent = await startSilentReceiver();
    const quick = await anotherTenant(app);
    await subscribe(quick.request, receiver.url).expect(201);
    for (let tenant = 0; tenant < 2; tenant += 1) {
      const { request } = await anotherTenant(app);
      for (let n = 0; n < MOST; n += 1) await subscribe(request, silent.url).expect(201);
      await request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    }
    await until(() => silent.begun() >= 2 * MOST);
    const known = receiver.received.length;
    await quick.request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    await receiver.count(known + 1);
    const waiting = silent.begun() - silent.timedOut();
    silent.stop();
    return waiting;
  }

  it('are sent while receivers of two others take every slot they get and never answer', async () => {
    let waiting = await waitingOfARound();
    for (let tries = 1; waiting <= MOST && tries < TRIES; tries += 1) waiting = await waitingOfARound();
    expect(waiting).toBeGreaterThan(MOST);
  });

  /**
   * Sends to more silent receivers than there are slots, and to one that answers. Returns how many of the silent ones
   * timed out before all had a delivery: after 15 s, where two turns of two seconds are enough.
   */
  async function timeoutsOfARound(): Promise<number> {
    const silent = await startSilentReceiver();
    const quick = await anotherTenant(app);
    await subscribe(quick.request, receiver.url).expect(201);
    const silents = await Promise.all(Array.from({ length: 7 }, () => anotherTenant(app)));
    for (const { request } of silents)
      await Promise.all(Array.from({ length: 12 }, () => subscribe(request, silent.url).expect(201)));
    await Promise.all(
      silents.map(({ request }) => request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201)),
    );
    await until(() => silent.begun() >= 60);
    const known = receiver.received.length;
    await quick.request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    await receiver.count(known + 1);
    await until(() => silent.begun() >= 7 * 12);
    const timedOut = silent.timedOut();
    silent.stop();
    return timedOut;
  }

  it('are sent within a turn, and not after a timeout, where silent receivers have taken every slot', async () => {
    let timedOut = await timeoutsOfARound();
    for (let tries = 1; timedOut > 0 && tries < TRIES; tries += 1) timedOut = await timeoutsOfARound();
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

  it('are leased beside one that does not open', async () => {
    const endpoints = app.service.app.get(Endpoints, { strict: false });
    const body = { name: 'x', webhook_url: 'http://127.0.0.1:1/', triggers: ['customer.created'] };
    const ids = await Promise.all(
      ['first', 'broken', 'last'].map(async (name) => {
        const { request } = await anotherTenant(app);
        await request
          .post('/api/webhooks/')
          .send({ ...body, name })
          .expect(201);
        const { rows } = await app.pool.query('select id from webhook_endpoints where name = $1', [name]);
        return rows[0].id;
      }),
    );
    await app.pool.query(`update webhook_endpoints set sealed = 'exchanged' where name = 'broken'`);
    const leased = await endpoints.lease(ids, 60);
    expect(leased.map(({ name }) => name).sort()).toEqual(['first', 'last']);
  });
});

/** Starts a receiver that never answers. */
async function startSilentReceiver() {
  let [begun, timedOut] = [0, 0];
  const server = createServer(() => {
    begun += 1;
  }).on('connection', (socket) => socket.once('close', () => (timedOut += 1)));
  return {
    url: `http://127.0.0.1:${await listen(server)}/`,
    /** Counts the deliveries that have arrived. */
    begun: () => begun,
    timedOut: () => timedOut,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
