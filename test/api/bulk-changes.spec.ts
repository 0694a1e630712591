import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { customerKeyOf, derivedId, fromWireId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { streamName } from '../../src/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';
import { shopOf, type Shop } from '../support/shop.js';

let app: TestApp;
let shop: Shop;
let plan: string;
const region = (value: string) => ({ subscription_filters: [{ property_name: 'region', value }] });
const changesOf = async (customer: string) =>
  (await app.request.get(`/api/customers/${customer}/bulk_changes/`).expect(200)).body.bulk_changes;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
  plan = await shop.plan('monthly');
});
afterAll(() => app.stop());

describe('changes by filter', () => {
  it('are shown with how far they are, the newest first, under the id of the request', async () => {
    await shop.customer('acme');
    for (const value of ['eu', 'us']) await shop.subscribe('acme', plan, '2026-01-01', region(value));
    const to = await shop.plan('other');
    await app.request
      .post(`/api/subscriptions/update/?customer_id=acme&plan_id=${plan}`)
      .set('X-Request-Id', 'renew-off')
      .send({ turn_off_auto_renew: true, end_date: '2026-01-20T23:59:59Z' })
      .expect(200);
    await app.request
      .post(`/api/subscriptions/update/?customer_id=acme&plan_id=${plan}`)
      .set('X-Request-Id', 'to-other')
      .send({ replace_plan_id: to })
      .expect(200);
    await app.request
      .post('/api/subscriptions/cancel/?customer_id=acme')
      .set('X-Request-Id', 'the-end')
      .send({})
      .expect(200);
    const all = { status: 'done', subscriptions: 2, subscriptions_done: 2 };
    expect(await changesOf('acme')).toMatchObject([
      { request_id: 'the-end', type: 'cancel', ...all },
      { request_id: 'to-other', type: 'switch', ...all },
      { request_id: 'renew-off', type: 'change', accepted_at: '2026-01-11T00:00:00Z', ...all },
    ]);
  });

  it('are shown while they run, before the answer of the request', async () => {
    await shop.customer('watched');
    for (let n = 0; n < 6; n += 1) await shop.subscribe('watched', plan, '2026-01-01', region(`r${n}`));
    await app.request.get('/api/subscriptions/?customer_id=watched').expect(200);
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const append = store.append;
    let [passed, goOn] = [0, (): void => undefined];
    const held = new Promise<void>((resolve) => (goOn = resolve));
    store.append = async (stream, ...rest) => {
      if (stream.startsWith('subscription-') && (passed += 1) > 2) await held;
      return append.call(store, stream, ...rest);
    };
    try {
      const answered = app.request
        .post('/api/subscriptions/cancel/?customer_id=watched')
        .set('X-Request-Id', 'watched')
        .send({ invoicing_behavior: 'add_to_next_invoice' })
        .then((answer) => answer);
      const shown = await until(async () => {
        const [change] = await changesOf('watched');
        return change?.subscriptions_done === 2 && change;
      });
      expect(shown).toMatchObject({ request_id: 'watched', status: 'running', subscriptions: 6 });
      goOn();
      expect((await answered).body).toHaveLength(6);
    } finally {
      goOn();
      store.append = append;
    }
    expect(await changesOf('watched')).toMatchObject([{ status: 'done', subscriptions_done: 6 }]);
  });

  it('that an earlier release accepted in the stream of the customer are shown after newer ones, and repeated', async () => {
    await shop.customer('former');
    const ids = [];
    for (const value of ['eu', 'us'])
      ids.push((await shop.subscribe('former', plan, '2026-01-01', region(value))).subscription_id);
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const customerKey = customerKeyOf(app.org, 'former');
    const accepted = {
      id: randomUUID(),
      type: 'BulkChangeAccepted',
      data: {
        customerKey,
        subscriptionIds: ids.map((id) => fromWireId('sub', id)),
        change: { kind: 'change', changes: { turnOffAutoRenew: true } },
      },
      metadata: {
        org: app.org,
        commandId: derivedId(app.org, 'idempotency-key:before-the-upgrade'),
        correlationId: 'before-the-upgrade',
        actor: 'test',
        recordedAt: instant('2026-01-11T00:00:00Z'),
        schemaVersion: 1,
      },
    };
    await store.append(streamName('customer', app.org, customerKey), 0n, [accepted]);
    const update = (key: string, body: object) =>
      app.request
        .post(`/api/subscriptions/update/?customer_id=former&plan_id=${plan}`)
        .set('X-Request-Id', key)
        .set('Idempotency-Key', key)
        .send(body);
    const { body } = await update('before-the-upgrade', { turn_off_auto_renew: true }).expect(200);
    expect(body).toHaveLength(2);
    await update('after-it', { end_date: '2026-01-20T23:59:59Z' }).expect(200);
    expect(await changesOf('former')).toMatchObject([
      { request_id: 'after-it', subscriptions: 2, subscriptions_done: 2 },
      { request_id: 'before-the-upgrade', subscriptions: 2, subscriptions_done: 2 },
    ]);
  });

  it('of an unknown customer are not found, and of one without any there are none', async () => {
    await shop.customer('idle');
    expect(await changesOf('idle')).toEqual([]);
    const { body } = await app.request.get('/api/customers/nobody/bulk_changes/').expect(404);
    expect(body.title).toBe('not_found');
  });

  it('are refused when more match than one request changes, and change nothing', async () => {
    await shop.customer('many');
    const { body } = await app.request.get('/api/customers/many/').expect(200);
    const { subscription_id } = await shop.subscribe('many', plan, '2026-01-01', region('one'));
    await app.request.get(`/api/subscriptions/${subscription_id}/`).expect(200);
    // Adds 500 rows to the read model only: the limit is checked before any of the subscriptions is read.
    await app.pool.query(
      `insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object('subscription_id', gen_random_uuid()))).*
       from subscriptions s, generate_series(1, 500) where s.subscription_id = $1::uuid`,
      [subscription_id.slice('sub_'.length)],
    );
    const refused = await app.request
      .post('/api/subscriptions/cancel/')
      .send({ customer_id: body.customer_id })
      .expect(400);
    expect(refused.body).toMatchObject({
      title: 'invalid_operation',
      detail:
        '501 subscriptions match, and one request changes at most 500. Narrow it with plan_id or subscription_filters.',
    });
    expect(await changesOf('many')).toEqual([]);
  });
});
