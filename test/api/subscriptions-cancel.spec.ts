import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { fieldErrorsOf } from '../support/answers.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let metric: string;
let count = 0;
let customer: string;

const post = (path: string, body: object = {}) => app.request.post(`/api/subscriptions/${path}`).send(body);
const shown = async (id: string) => (await app.request.get(`/api/subscriptions/${id}/`).expect(200)).body;
const amountsOf = async () =>
  (await shop.invoices(`?customer_id=${customer}`)).map((invoice: { amount: number }) => invoice.amount);

/** Creates a plan of 30.00 a month, with ten free requests and 2.00 for each further one. */
const planOf = (timing: string, behavior = 'prorate') =>
  shop.plan(`plan ${(count += 1)}`, {
    recurring_charges: [{ name: 'fee', amount: 30, charge_timing: timing, charge_behavior: behavior }],
    components: [
      {
        metric_id: metric,
        tiers: [
          { type: 'free', range_start: 0, range_end: 10 },
          { type: 'per_unit', range_start: 10, cost_per_batch: 2, metric_units_per_batch: 1 },
        ],
      },
    ],
  });

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  metric = await shop.metric();
});
afterAll(() => app.stop());
beforeEach(async () => {
  customer = `customer-${(count += 1)}`;
  await shop.customer(customer);
});

describe('one after the other, from 1 January 2026', () => {
  let advance: { subscription_id: string };
  let renewing: { subscription_id: string };
  let renewingCustomer: string;

  it('turning off auto_renew, metadata and a new end are shown, and bill nothing by themselves', async () => {
    renewingCustomer = customer;
    renewing = await shop.subscribe(customer, await planOf('in_arrears'), '2026-01-01');
    const id = renewing.subscription_id;
    const before = await amountsOf();
    const { body } = await post(`${id}/update/`, { turn_off_auto_renew: true, metadata: { po: 7 } }).expect(
      200,
    );
    expect(body).toMatchObject({ subscription_id: id, auto_renew: false, metadata: { po: 7 } });
    expect(body.end_date).toBe('2026-01-31T23:59:59.999999Z');
    expect(await shown(id)).toEqual(body);
    const same = await post(`${id}/update/`, { turn_off_auto_renew: false }).expect(200);
    expect(same.body).toEqual(body);
    const moved = await post(`${id}/update/`, { end_date: '2026-01-20T00:00:00Z' }).expect(200);
    expect(moved.body.end_date).toBe('2026-01-20T00:00:00Z');
    expect(await shown(id)).toEqual(moved.body);
    expect(await amountsOf()).toEqual(before);
  });

  it('refuses what cannot be, each with its own code', async () => {
    const { subscription_id: id } = renewing;
    const refused = async (body: object) =>
      fieldErrorsOf((await post(`${id}/update/`, body).expect(400)).body);
    expect(await refused({ end_date: null })).toEqual({ end_date: 'null' });
    expect(await refused({ metadata: null })).toEqual({ metadata: 'null' });
    expect(await refused({ metadata: [1] })).toEqual({ metadata: 'invalid' });
    expect(await refused({ end_date: '2025-12-31T00:00:00Z' })).toEqual({ end_date: 'invalid' });
    for (const act of ['update', 'cancel']) {
      for (const unknown of [`sub_${'a'.repeat(32)}`, 'notuuid']) {
        expect((await post(`${unknown}/${act}/`).expect(404)).body.title).toBe('resource_not_found');
      }
    }
    const choices = (await post(`${id}/cancel/`, { flat_fee_behavior: 'x', usage_behavior: 'y' }).expect(400))
      .body;
    expect(fieldErrorsOf(choices)).toEqual({
      flat_fee_behavior: 'invalid_choice',
      usage_behavior: 'invalid_choice',
    });
  });

  it('a later end is refused where it overlaps another subscription', async () => {
    const plan = await planOf('in_arrears');
    const first = await shop.subscribe(customer, plan, '2026-01-01', {
      end_date: '2026-01-10',
      auto_renew: false,
    });
    await shop.subscribe(customer, plan, '2026-02-01');
    const to = (end_date: string) => post(`${first.subscription_id}/update/`, { end_date });
    expect((await to('2026-02-02').expect(400)).body.title).toBe('overlapping_plans');
    expect((await to('2026-02-01').expect(200)).body.end_date).toBe('2026-02-01T00:00:00Z');
  });

  it('cancelled now: it ends, is invoiced and releases its reservation at once', async () => {
    const plan = await planOf('in_arrears');
    advance = await shop.subscribe(customer, plan, '2026-01-01');
    await shop.use(...times(15, '2026-01-01T00:00:00Z').map((event) => ({ ...event, customer })));
    await app.advance('2026-01-11T00:00:00Z');
    const { body } = await post(`${advance.subscription_id}/cancel/`, { flat_fee_behavior: null }).expect(
      200,
    );
    expect(body).toMatchObject({ end_date: '2026-01-11T00:00:00Z', auto_renew: false, fully_billed: true });
    expect(await amountsOf()).toEqual([19.68]);
    expect(await shown(advance.subscription_id)).toEqual(body);
    await shop.subscribe(customer, plan, '2026-01-11T00:00:00Z');
  });

  it('an ended subscription cannot be cancelled or changed', async () => {
    for (const act of ['cancel', 'update']) {
      const { body } = await post(`${advance.subscription_id}/${act}/`).expect(400);
      expect(body).toMatchObject({ title: 'invalid_state', detail: 'Subscription already ended' });
      expect(body.type).toMatch(/#client-error$/);
    }
  });

  it('the same key cancels once and answers the same', async () => {
    const { subscription_id: id } = await shop.subscribe(customer, await planOf('in_arrears'), '2026-01-01');
    const cancel = () => post(`${id}/cancel/`).set('Idempotency-Key', `cancel-${id}`).expect(200);
    const [once, again] = [await cancel(), await cancel()];
    expect(again.body).toEqual(once.body);
    expect(await amountsOf()).toEqual([9.68]);
  });

  it('one that would not have begun ends where it would have begun, and bills nothing', async () => {
    const { subscription_id: id } = await shop.subscribe(customer, await planOf('in_advance'), '2026-03-01');
    const { body } = await post(`${id}/cancel/`).expect(200);
    expect(body).toMatchObject({ auto_renew: false, fully_billed: false });
    expect(await shown(id)).toEqual(body);
    expect(await amountsOf()).toEqual([]);
  });

  it('add_to_next_invoice bills at the former end; a moved end at the new one; nothing renews', async () => {
    const { subscription_id: id } = await shop.subscribe(customer, await planOf('in_arrears'), '2026-01-01');
    const { body } = await post(`${id}/cancel/`, { invoicing_behavior: 'add_to_next_invoice' }).expect(200);
    expect(body.fully_billed).toBe(false);
    await app.advance('2026-01-31T23:59:00Z');
    expect(await amountsOf()).toEqual([]);
    await app.advance('2026-02-01T01:00:00Z');
    expect(await amountsOf()).toEqual([9.68]);
    expect(await shown(id)).toMatchObject({ end_date: '2026-01-11T00:00:00Z', fully_billed: true });
    customer = renewingCustomer;
    expect(await amountsOf()).toEqual([18.39]);
    const all = await app.request.get(`/api/subscriptions/?customer_id=${customer}`).expect(200);
    expect(all.body).toHaveLength(1);
  });

  it('what a later end adds to a plan without usage is charged where its period begins', async () => {
    const feeOnly = await shop.plan('Fee only');
    const once = { auto_renew: false };
    const { subscription_id: id } = await shop.subscribe(customer, feeOnly, '2026-02-01', once);
    await post(`${id}/update/`, { end_date: '2026-03-11T00:00:00Z' }).expect(200);
    await app.advance('2026-03-01T00:30:00Z');
    expect(await amountsOf()).toEqual([9.68, 30]);
    await app.advance('2026-03-12T00:00:00Z');
    expect(await amountsOf()).toHaveLength(2);
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(3);
  });
});
