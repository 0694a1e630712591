import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertWatch } from '../../src/alerts/alert-watch.js';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { createTestDatabase } from '../support/postgres.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const PER_UNIT = perUnitTiers(0.5);

describe('usage alerts', () => {
  let app: TestApp;
  let shop: Shop;
  let receiver: WebhookReceiver;
  let metric: string;
  let plan: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  const options = () => ({
    databaseUrl: database.url,
    clockStart: '2026-01-01T00:00:00Z',
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });

  const alertOf = async (body: object) =>
    (
      await app.request
        .post('/api/usage-alerts/')
        .send({ metric_id: metric, ...body })
        .expect(201)
    ).body;
  /** Waits until alerts about this many windows have arrived. A delivery may arrive twice, with the same id. */
  const told = async (count: number): Promise<string[]> => {
    const byId = () =>
      new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body.data]));
    await until(() => byId().size >= count);
    return [...byId().values()].map((data) => `${String(data['name'])} ${String(data['quantity'])}`);
  };
  const look = () => app.service.app.get(AlertWatch, { strict: false }).runRound();

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    app = await startTestApp(options());
    shop = shopOf(app);
    receiver = await startWebhookReceiver();
    metric = await shop.metric();
    plan = await shop.plan('Metered', {
      recurring_charges: [],
      components: [aComponentBody(metric, { tiers: PER_UNIT })],
    });
    for (const customer of ['acme', 'other']) {
      await shop.customer(customer);
      await shop.subscribe(customer, plan, '2026-01-01');
    }
    const hook = { name: 'alerts', webhook_url: receiver.url, triggers: ['usage_alert.triggered'] };
    await app.request.post('/api/webhooks/').send(hook).expect(201);
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await database.drop();
  });

  it('are changed and removed only as they were seen, where If-Match names their ETag', async () => {
    const { usage_alert_id: id } = await alertOf({ name: 'seen', customer_id: 'acme', threshold: 7 });
    const path = `/api/usage-alerts/${id}/`;
    const seen = (await app.request.get(path).expect(200)).headers['etag']!;
    const changed = await app.request.patch(path).set('If-Match', seen).send({ threshold: 8 }).expect(200);
    expect(changed.headers['etag']).not.toBe(seen);
    await app.request.patch(path).set('If-Match', seen).send({ threshold: 9 }).expect(412);
    await app.request.delete(path).set('If-Match', seen).expect(412);
    const { body, headers } = await app.request.get(path).expect(200);
    expect([body.threshold, headers['etag']]).toEqual([8, changed.headers['etag']]);
    await app.request.delete(path).set('If-Match', headers['etag']!).expect(200);
  });

  it('are made, shown, changed and removed', async () => {
    const made = await alertOf({ name: 'spare', customer_id: 'acme', threshold: 7 });
    expect(made).toMatchObject({
      name: 'spare',
      customer_id: 'acme',
      plan_id: null,
      threshold_type: 'units',
      threshold: 7,
    });
    const path = `/api/usage-alerts/${made.usage_alert_id}/`;
    const changed = { ...made, threshold: 8 };
    expect((await app.request.patch(path).send({ threshold: 8 }).expect(200)).body).toEqual(changed);
    expect((await app.request.get(path).expect(200)).body).toEqual(changed);
    expect((await app.request.get('/api/usage-alerts/').expect(200)).body).toEqual([changed]);
    await app.request.delete(path).expect(200);
    await app.request.get(path).expect(404);
  });

  it('are made for a metric that no read model shows yet', async () => {
    const { rows } = await app.pool.query('select * from metrics');
    await app.pool.query('delete from metrics');
    try {
      const made = await alertOf({ name: 'early', plan_id: plan, threshold: 7 });
      await app.request.delete(`/api/usage-alerts/${made.usage_alert_id}/`).expect(200);
    } finally {
      const restore = 'insert into metrics select * from json_populate_recordset(null::metrics, $1)';
      await app.pool.query(restore, [JSON.stringify(rows)]);
    }
  });

  it.each([
    ['neither customer nor plan', {}, 'invalid', 'customer_id'],
    ['an unknown customer', { customer_id: 'nobody' }, 'does_not_exist', 'customer_id'],
    ['a threshold of nothing', { customer_id: 'acme', threshold: 0 }, 'min_value', 'threshold'],
  ])('are refused for %s', async (_, body, code, attr) => {
    const sent = { name: 'wrong', metric_id: metric, threshold: 1, ...body };
    const answer = await app.request.post('/api/usage-alerts/').send(sent).expect(400);
    expect(answer.body.validation_errors).toMatchObject([{ code, attr }]);
  });

  it('name every unknown reference of a body at once', async () => {
    const nowhere = '00000000000040008000000000000000';
    const body = { name: 'astray', metric_id: `metric_${nowhere}`, threshold: 1 };
    const refused = (whose: object) =>
      app.request
        .post('/api/usage-alerts/')
        .send({ ...body, ...whose })
        .expect(400);
    expect(fieldErrorsOf((await refused({ customer_id: 'nobody' })).body)).toEqual({
      customer_id: 'does_not_exist',
      metric_id: 'does_not_exist',
    });
    expect(fieldErrorsOf((await refused({ plan_id: `plan_${nowhere}` })).body)).toEqual({
      plan_id: 'does_not_exist',
      metric_id: 'does_not_exist',
    });
  });

  it('tell of the event that reaches a threshold, once per window, also after a restart', async () => {
    await alertOf({ name: 'units', customer_id: 'acme', threshold: 3 });
    await alertOf({ name: 'amount', plan_id: plan, threshold_type: 'amount', threshold: 2 });
    await look();
    await shop.use(...times(2, '2026-01-01T00:00:00Z'));
    await look();
    expect(receiver.received).toEqual([]);
    await shop.use(...times(1, '2026-01-01T00:00:00Z'));
    expect(await told(1)).toEqual(['units 3']);
    await shop.use(...times(1, '2026-01-01T00:00:00Z'));
    expect(await told(2)).toEqual(['units 3', 'amount 4']);
    const ofAmount = receiver.received.find(({ body }) => body.data['name'] === 'amount')!;
    expect(ofAmount.body).toMatchObject({
      type: 'usage_alert.triggered',
      timestamp: '2026-01-01T00:00:00Z',
      data: { threshold: 2, amount: 2, currency_code: 'USD', window_start: '2026-01-01T00:00:00Z' },
    });

    await app.stop();
    app = await startTestApp(options());
    shop = shopOf(app);
    await shop.use(...times(5, '2026-01-01T00:00:00Z').map((event, n) => ({ ...event, id: `after-${n}` })));
    await look();
    await look();
    await app.advance('2026-02-02T00:00:00Z');
    await shop.use(
      ...times(3, '2026-02-02T00:00:00Z').map((event, n) => ({ ...event, id: `february-${n}` })),
    );
    expect(await told(3)).toEqual(['units 3', 'amount 4', 'units 3']);
  });

  it('of an organization without alerts tell of usage that is sent right after the first one, and of none from before', async () => {
    const { org, request } = await anotherTenant(app);
    const theirs = shopOf({ ...app, request });
    const at = (await request.get('/api/test_clock/').expect(200)).body.now;
    // The read model of metrics does not show the metric before the lock ends.
    const blocker = await app.pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query('lock table metrics in exclusive mode');
    const metricId = await theirs.metric();
    const components = [aComponentBody(metricId, { tiers: PER_UNIT })];
    const metered = await theirs.plan('Metered', { recurring_charges: [], components });
    await theirs.customer('acme');
    await theirs.subscribe('acme', metered, at);
    const firstAlert = async (threshold: number): Promise<string> => {
      const alert = { name: 'first', metric_id: metricId, customer_id: 'acme', threshold };
      const { body } = await request.post('/api/usage-alerts/').send(alert).expect(201);
      return body.usage_alert_id;
    };
    const triggered = async (): Promise<number[]> => {
      await look();
      const firings = 'select quantity::int from usage_alert_firings where org = $1';
      return (await app.pool.query(firings, [org])).rows.map(({ quantity }) => quantity);
    };
    await theirs.use(...times(1, at));
    const id = await firstAlert(2);
    await theirs.use(...times(2, at));
    const looked = look();
    await sleep(300);
    await blocker.query('rollback');
    blocker.release(true);
    await looked;
    expect(await triggered()).toEqual([3]);

    await request.delete(`/api/usage-alerts/${id}/`).expect(200);
    await theirs.use(...times(1, at));
    await firstAlert(4);
    expect(await triggered()).toEqual([]);
    await theirs.use(...times(1, at));
    expect(await triggered()).toEqual([5]);
  });

  it('of an organization tell of its usage while those of another cannot be compared', async () => {
    const sendUsage: (() => Promise<unknown>)[] = [];
    for (let tenant = 0; tenant < 2; tenant += 1) {
      const { request } = await anotherTenant(app);
      const theirs = shopOf({ ...app, request });
      const at = (await request.get('/api/test_clock/').expect(200)).body.now;
      const metricId = await theirs.metric();
      const components = [aComponentBody(metricId, { tiers: PER_UNIT })];
      const metered = await theirs.plan('Metered', { recurring_charges: [], components });
      await theirs.customer('acme');
      await theirs.subscribe('acme', metered, at);
      const alert = { name: 'each', metric_id: metricId, customer_id: 'acme', threshold: 1 };
      await request.post('/api/usage-alerts/').send(alert).expect(201);
      sendUsage.push(() => theirs.use(...times(1, at)));
    }
    const { rows } = await app.pool.query<{ org: string }>('select distinct org from usage_alerts');
    const { rows: ours } = await app.pool.query(`select org from usage_alerts where name = 'each'`);
    const compared = rows.map(({ org }) => org).filter((org) => ours.some((one) => one.org === org));
    // The table refuses no such threshold, and nothing can be compared with it.
    await app.pool.query(`update usage_alerts set threshold = 'NaN' where org = $1`, [compared[0]]);
    for (const send of sendUsage) await send();
    const fired = async () =>
      (await app.pool.query('select from usage_alert_firings where org = $1', [compared[1]])).rowCount;
    await until(async () => (await fired()) === 1);
    await app.pool.query(`update usage_alerts set threshold = 1 where org = $1`, [compared[0]]);
  });
});
