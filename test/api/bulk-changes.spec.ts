import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
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
    // 500 more in the read model: the bound is asked before any of them is read.
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
