import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { FairRequestLimiter } from '../../src/platform/http/rate-limits/fair-request-limiter.js';
import { RateLimits } from '../../src/platform/http/rate-limits/rate-limits.js';
import { anotherTenant } from '../support/another-tenant.js';
import { shopOf } from '../support/shop.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

describe('more requests than an organization may send in a second', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT: '3' } });
  });
  afterAll(() => app.stop());

  const many = (send: () => request.Test, count = 40) =>
    Promise.all(Array.from({ length: count }, () => send().then((answer) => answer)));
  const refill = () => app.service.app.get(RateLimits).charge(app.org, -3);
  const statuses = (answers: readonly request.Response[]) => new Set(answers.map(({ status }) => status));

  it('are refused with the time to wait, and taken again afterwards', async () => {
    const answers = await many(() => app.request.get('/api/ping/'));
    expect(statuses(answers)).toEqual(new Set([200, 429]));
    const { body, headers } = answers.find(({ status }) => status === 429)!;
    expect(headers['retry-after']).toBe('1');
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      type: expect.stringMatching(/#client-error$/),
      title: 'throttled',
      detail: expect.any(String),
      status: 429,
      instance: headers['x-request-id'],
    });
    await until(async () => (await app.request.get('/api/ping/')).status === 200);
  });

  it('change nothing when they are refused', async () => {
    refill();
    let n = 0;
    const answers = await many(() =>
      app.request.post('/api/features/').send({ feature_name: `F${(n += 1)}` }),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(statuses(answers)).toEqual(new Set([201, 429]));
    refill();
    expect((await app.request.get('/api/features/').expect(200)).body).toHaveLength(made.length);
  });

  it('are counted for all keys of an organization together', async () => {
    const { body } = await until(async () => {
      const made = await app.request.post('/api/api_keys/').send({ name: 'other', scope: 'read' });
      return made.status === 201 && made;
    });
    const limits = app.service.app.get(RateLimits);
    limits.charge(app.org, 300);
    const { headers } = await request(app.url).get('/api/ping/').set('X-API-KEY', body.key).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(10);
    await app.request.get('/api/ping/').expect(429);
    limits.charge(app.org, -300);
  });

  it.each([100, 8_000, 40_000])('are refused with a body of %d bytes as well', async (bytes) => {
    const limits = app.service.app.get(RateLimits);
    limits.charge(app.org, 300);
    const event = { event_name: 'e', customer_id: 'c', properties: { x: 'x'.repeat(bytes) } };
    await app.request.post('/api/track/').send(event).expect(429);
    limits.charge(app.org, -300);
  });

  it('do not limit another organization or requests without a key', async () => {
    const other = await anotherTenant(app);
    await many(() => app.request.get('/api/ping/'));
    await other.request.get('/api/ping/').expect(200);
    const alive = await many(() => request(app.url).get('/api/healthcheck/'));
    expect(statuses(alive)).toEqual(new Set([200]));
  });
});

const PDF = '/api/invoices/260101-000001/pdf/';
const E_INVOICE = '/api/invoices/260101-000001/e-invoice/';

describe('what a request costs', () => {
  let app: TestApp;
  const costs: number[] = [];
  const subscriptions: string[] = [];
  let [plan, otherPlan] = ['', ''];
  beforeAll(async () => {
    app = await startTestApp();
    const shop = shopOf(app);
    [plan, otherPlan] = [await shop.plan('plan'), await shop.plan('other plan')];
    await shop.customer('many');
    for (const value of ['a', 'b', 'c']) {
      const subscription_filters = [{ property_name: 'region', value }];
      const made = await shop.subscribe('many', plan, '2026-01-01', { subscription_filters });
      subscriptions.push(made.subscription_id);
    }
    await app.request.get('/api/subscriptions/').expect(200);
    const limits = app.service.app.get(RateLimits);
    const charge = limits.charge.bind(limits);
    limits.charge = (org, cost) => {
      costs.push(cost);
      charge(org, cost);
    };
  });
  afterAll(() => app.stop());

  const change = (body: object) =>
    app.request.post(`/api/subscriptions/update/?plan_id=${plan}&customer_id=many`).send(body);
  const event = { event_name: 'e', customer_id: 'c', properties: { x: 'x'.repeat(8_000) } };
  it.each<[string, number, () => request.Test]>([
    ['a read', 1, () => app.request.get('/api/features/')],
    ['a command', 3, () => app.request.post('/api/features/').send({ feature_name: 'F' })],
    ['a count of usage', 20, () => app.request.get('/api/metric_access/')],
    ['an analytics report', 20, () => app.request.get('/api/analytics/receivables/')],
    ['a draft of an invoice', 20, () => app.request.get('/api/customers/c/draft_invoice/')],
    ['an explanation of an invoice', 20, () => app.request.get('/api/invoices/260101-000001/explain/')],
    ['a history', 20, () => app.request.get(`/api/subscriptions/${subscriptions[0]}/history/`)],
    ['a large body', 3 + 5, () => app.request.post('/api/track/').send({ batch: [event, event, event] })],
    [
      'a large body that is refused',
      3 + 4,
      () =>
        app.request
          .post('/api/track/')
          .set('Content-Type', 'application/json')
          .send(`"${'x'.repeat(16_384)}`),
    ],
    ['a read as of a moment', 1 + 20, () => app.request.get('/api/features/?as_of=2026-01-01T00:00:00Z')],
    ['a PDF that is asked for with a key', 1, () => app.request.get(PDF)],
    ['such a PDF as of a moment', 1 + 20, () => app.request.get(`${PDF}?as_of=2026-01-01T00:00:00Z`)],
    ['a PDF that is made at each request', 20, () => app.request.get(`${E_INVOICE}pdf/`)],
    ['an e-invoice without one', 1, () => app.request.get(E_INVOICE)],
    [
      'a preview of a switch',
      20,
      () =>
        app.request
          .post(`/api/subscriptions/${subscriptions[0]}/switch_plan/?preview=true`)
          .send({ switch_plan_id: otherPlan }),
    ],
    [
      'a preview of a cancellation',
      20,
      () => app.request.post(`/api/subscriptions/${subscriptions[0]}/cancel/?preview=true`).send({}),
    ],
    [
      'a preview of a change of three subscriptions',
      20 + 2 * 3,
      () => app.request.post('/api/subscriptions/cancel/?preview=true').send({ customer_id: 'many' }),
    ],
    [
      'a change of three subscriptions that is refused',
      3 * 3,
      () => change({ end_date: '2020-01-01T00:00:00Z' }).expect(400),
    ],
    ['a change of three subscriptions', 3 * 3, () => change({ turn_off_auto_renew: true }).expect(200)],
    ['nothing but a key', 1, () => app.request.get('/api/ping/')],
  ])('%s: %d', async (_, cost, send) => {
    costs.length = 0;
    await send();
    expect(costs.reduce((sum, one) => sum + one, 0)).toBe(cost);
  });

  it.each(['/api/features/', PDF])(
    'takes a place of its organization for its key and its work: %s',
    async (path) => {
      const shares = app.service.app.get(FairRequestLimiter, { strict: false });
      const run = jest.spyOn(shares, 'run');
      try {
        await app.request.get(path);
        expect(run.mock.calls.map(([sender]) => sender)).toEqual([app.org, app.org]);
      } finally {
        run.mockRestore();
      }
    },
  );
});
