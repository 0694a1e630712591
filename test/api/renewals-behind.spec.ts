import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';

/** A creation waits for 60 renewals; the scheduler makes the others. */
const EIGHTY_MONTHS_AGO = '2019-05-01T00:00:00Z';
const TEN_DAYS_AGO = '2026-01-01T00:00:00Z';

let app: TestApp;
let shop: Shop;
let planId: string;
let customer: string;
let customers = 0;

const post = (path: string, body: object = {}) => app.request.post(`/api/${path}`).send(body);
const running = async () =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`).expect(200)).body;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
  planId = await shop.plan('Monthly', { recurring_charges: [] });
});
afterAll(() => app.stop());
describe('a subscription whose renewals are several terms behind', () => {
  beforeEach(async () => {
    customer = `customer-${(customers += 1)}`;
    await shop.customer(customer);
    await shop.subscribe(customer, planId, EIGHTY_MONTHS_AGO);
  });

  it('is changed by filter in the term of now', async () => {
    const { body } = await post('subscriptions/update/', {
      customer_id: customer,
      plan_id: planId,
      turn_off_auto_renew: true,
    }).expect(200);
    expect(body).toMatchObject([{ start_date: TEN_DAYS_AGO, auto_renew: false }]);
    expect(await running()).toEqual(body);
  });

  it('is cancelled by filter', async () => {
    const { body } = await post('subscriptions/cancel/', { customer_id: customer }).expect(200);
    expect(body).toMatchObject([{ start_date: TEN_DAYS_AGO, end_date: '2026-01-11T00:00:00Z' }]);
    expect(await running()).toEqual([]);
  });

  it('ends with its customer', async () => {
    const { body } = await post(`customers/${customer}/delete/`).expect(200);
    expect(body.num_subscriptions_canceled).toBe(1);
    expect(await running()).toEqual([]);
  });
});

describe('a subscription whose renewal is decided and has not begun', () => {
  it('is cancelled by filter once it has', async () => {
    await shop.customer((customer = 'renewing'));
    await shop.subscribe(customer, planId, '2025-12-20');
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const { append, readStream } = store;
    let begin = () => {};
    const isMet = new Promise<void>((resolve) => (begin = resolve));
    let successor = 'none';
    const decided = new Promise<void>((resolve) => {
      store.append = async (stream, expected, ...rest) => {
        if (stream.startsWith('subscription-') && expected === 'no_stream') {
          successor = stream;
          resolve();
          await isMet;
        }
        return append.call(store, stream, expected, ...rest);
      };
    });
    // The first look finds nothing.
    store.readStream = async function* (stream, ...rest) {
      yield* readStream.call(store, stream, ...rest);
      if (stream === successor) begin();
    };
    const advanced = app.advance('2026-01-20T00:00:00Z');
    await decided;
    const { body } = await post('subscriptions/cancel/', { customer_id: customer });
    begin();
    Object.assign(store, { append, readStream });
    await advanced;
    expect(body).toMatchObject([{ start_date: '2026-01-20T00:00:00Z', auto_renew: false }]);
    expect(await running()).toEqual([]);
  });
});
