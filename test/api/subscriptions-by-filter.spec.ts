import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { customerKeyOf, fromWireId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { streamName } from '../../src/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fieldErrorsOf } from '../support/answers.js';
import { forgetAnswer } from '../support/stored-idempotency-keys.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Shown {
  readonly subscription_id: string;
  readonly auto_renew: boolean;
  readonly end_date: string;
}

let app: TestApp;
let shop: Shop;
let count = 0;
let customer: string;

const post = (path: string, body: object = {}) => app.request.post(`/api/subscriptions/${path}`).send(body);
const listed = async (query = ''): Promise<Shown[]> =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer}${query}`).expect(200)).body;
const idsOf = (body: Shown[]) => body.map(({ subscription_id: id }) => id).sort();

/** Creates a plan of 31.00 a month in arrears, so that a day costs 1.00. */
const aPlan = (version: object = {}) =>
  shop.plan(`plan ${(count += 1)}`, {
    recurring_charges: [{ name: 'fee', amount: 31, charge_timing: 'in_arrears', charge_behavior: 'prorate' }],
    ...version,
  });
const subscribed = async (plan: string, changes: object = {}): Promise<string> =>
  (await shop.subscribe(customer, plan, '2026-01-01', changes)).subscription_id;
const region = (value: string) => ({ subscription_filters: [{ property_name: 'region', value }] });

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  customer = `customer-${(count += 1)}`;
  await shop.customer(customer);
});

describe('cancel by filter', () => {
  it('ends what matches, on one invoice per account, and leaves the rest', async () => {
    const [plan, other] = [await aPlan(), await aPlan()];
    const west = await subscribed(plan, region('west'));
    const east = await subscribed(plan, region('east'));
    const kept = await subscribed(other);
    const inEuros = await subscribed(await aPlan({ currency_code: 'EUR' }));
    const { body } = await post(`cancel/?customer_id=${customer}&plan_id=${plan}`).expect(200);
    expect(idsOf(body)).toEqual([west, east].sort());
    for (const one of body) {
      expect(one).toMatchObject({ end_date: '2026-01-11T00:00:00Z', auto_renew: false, fully_billed: true });
    }
    const invoices = await shop.invoices(`?customer_id=${customer}`);
    expect(invoices).toMatchObject([{ amount: 20, line_items: [{ amount: 10 }, { amount: 10 }] }]);
    expect(idsOf(await listed('&status=active'))).toEqual([kept, inEuros].sort());
    expect((await listed('&status=ended')).map((one) => ({ ...one }))).toEqual(expect.arrayContaining(body));

    const rest = await post('cancel/', { customer_id: customer }).expect(200);
    expect(idsOf(rest.body)).toEqual([kept, inEuros].sort());
    expect(await shop.invoices(`?customer_id=${customer}`)).toHaveLength(3);
    expect(await listed('&status=active')).toEqual([]);
  });

  it('the filters are read from the query, in every encoding, or from the body', async () => {
    const plan = await aPlan();
    const encodings = [
      `subscription_filters=${encodeURIComponent('[{"property_name":"region","value":"r0"}]')}`,
      `subscription_filters[]=${encodeURIComponent('{"property_name":"region","value":"r1"}')}`,
      'subscription_filters[0][property_name]=region&subscription_filters[0][value]=r2',
      'subscription_filters[0].property_name=region&subscription_filters[0].value=r3',
      'subscription_filters[0]property_name=region&subscription_filters[0]value=r4',
    ];
    const ids = [];
    for (const place of [0, 1, 2, 3, 4, 5]) ids.push(await subscribed(plan, region(`r${place}`)));
    for (const [place, encoding] of encodings.entries()) {
      const { body } = await post(`cancel/?customer_id=${customer}&${encoding}`).expect(200);
      expect(idsOf(body)).toEqual([ids[place]]);
    }
    const { body } = await post('cancel', { customer_id: customer, plan_id: plan, ...region('r5') }).expect(
      200,
    );
    expect(idsOf(body)).toEqual([ids[5]]);
    const unreadable = await post(`cancel/?customer_id=${customer}&subscription_filters=region`).expect(400);
    expect(fieldErrorsOf(unreadable.body)).toEqual({ subscription_filters: 'invalid' });
  });

  it('a filter of the query wins over one of the body', async () => {
    const [plan, other] = [await aPlan(), await aPlan()];
    const ids = [];
    for (const value of ['r0', 'r1']) ids.push(await subscribed(plan, region(value)));
    const query = `customer_id=${customer}&plan_id=${plan}&subscription_filters[0][property_name]=region&subscription_filters[0][value]`;
    await shop.customer(`${customer}-other`);
    const body = { customer_id: `${customer}-other`, plan_id: other, ...region('r0') };
    const updated = await post(`update/?${query}=r1`, { ...body, turn_off_auto_renew: true }).expect(200);
    expect(idsOf(updated.body)).toEqual([ids[1]]);
    const cancelled = await post(`cancel/?${query}=r1`, body).expect(200);
    expect(idsOf(cancelled.body)).toEqual([ids[1]]);
    expect(idsOf(await listed('&status=active'))).toEqual([ids[0]]);
  });

  it('nothing that matches is nothing to answer', async () => {
    expect((await post(`cancel/?customer_id=${customer}`).expect(200)).body).toEqual([]);
    await shop.subscribe(customer, await aPlan(), '2026-03-01');
    expect((await post(`cancel/?customer_id=${customer}`).expect(200)).body).toEqual([]);
  });

  it('add_to_next_invoice bills none of them now', async () => {
    await subscribed(await aPlan());
    const terms = { invoicing_behavior: 'add_to_next_invoice' };
    const { body } = await post(`cancel/?customer_id=${customer}`, terms).expect(200);
    expect(body).toMatchObject([{ fully_billed: false, end_date: '2026-01-11T00:00:00Z' }]);
    expect(await shop.invoices(`?customer_id=${customer}`)).toEqual([]);
  });

  it('an invoice that cannot be computed refuses all of it', async () => {
    const plan = await aPlan();
    await subscribed(plan);
    const dear = await aPlan({
      recurring_charges: [
        { name: 'a', amount: 9_999_999_999, charge_timing: 'in_arrears', charge_behavior: 'full' },
      ],
    });
    await subscribed(dear);
    await app.request.patch(`/api/customers/${customer}/`).send({ tax_rate: 50 }).expect(200);
    const before = await listed();
    const refused = await post(`cancel/?customer_id=${customer}`).expect(400);
    expect(refused.body.title).toBe('amount_out_of_range');
    expect(await listed()).toEqual(before);
    expect((await post(`cancel/?customer_id=${customer}&plan_id=${plan}`).expect(200)).body).toHaveLength(1);
  });

  it('the same key cancels once, and is answered the same', async () => {
    await subscribed(await aPlan());
    const send = () =>
      post('cancel/', { customer_id: customer }).set('Idempotency-Key', customer).expect(200);
    const first = await send();
    expect(first.body).toHaveLength(1);
    expect((await send()).body).toEqual(first.body);
    expect(await shop.invoices(`?customer_id=${customer}`)).toHaveLength(1);
  });

  it('a request that died after it was accepted is completed by its repeat', async () => {
    const ids = [await subscribed(await aPlan()), await subscribed(await aPlan())];
    const send = () =>
      post('cancel/', { customer_id: customer }).set('Idempotency-Key', customer).expect(200);
    const first = await send();
    await forgetAnswer(app, customer);
    expect((await send()).body).toEqual(first.body);
    expect(idsOf(first.body)).toEqual(ids.sort());
    expect(await shop.invoices(`?customer_id=${customer}`)).toHaveLength(1);
  });
});

describe('update by filter', () => {
  it('changes every match and answers them', async () => {
    const [plan, other] = [await aPlan(), await aPlan()];
    const west = await subscribed(plan, region('west'));
    const east = await subscribed(plan, region('east'));
    const kept = await subscribed(other);
    const sent = { turn_off_auto_renew: true, end_date: '2026-01-20T00:00:00Z' };
    const { body } = await post(`update/?customer_id=${customer}&plan_id=${plan}`, sent).expect(200);
    expect(idsOf(body)).toEqual([west, east].sort());
    for (const one of body) {
      expect(one).toMatchObject({ auto_renew: false, end_date: '2026-01-20T00:00:00Z', fully_billed: false });
    }
    const shown = await listed();
    expect(shown).toEqual(expect.arrayContaining(body));
    expect(shown.find(({ subscription_id: id }) => id === kept)).toMatchObject({ auto_renew: true });
  });

  it('one refusal refuses all, and leaves every reservation as it was', async () => {
    const plan = await aPlan();
    const ends = { end_date: '2026-01-20T00:00:00Z', auto_renew: false };
    await subscribed(plan, { ...ends, ...region('west') });
    await subscribed(plan, { ...ends, ...region('east') });
    await shop.subscribe(customer, plan, '2026-01-25', { ...region('west') });
    const before = await listed();
    const update = (end_date: string) =>
      post(`update/?customer_id=${customer}&plan_id=${plan}`, { end_date });
    expect((await update('2026-01-26T00:00:00Z').expect(400)).body.title).toBe('overlapping_plans');
    expect(fieldErrorsOf((await update('2026-01-10T00:00:00Z').expect(400)).body)).toEqual({
      end_date: 'invalid',
    });
    expect(await listed()).toEqual(before);
    await shop.subscribe(customer, plan, '2026-01-20', { end_date: '2026-01-22', ...region('east') });
  });

  it('nothing that matches is not found; whom and which plan must be said, and must be known', async () => {
    const plan = await aPlan();
    const found = await post(`update/?customer_id=${customer}&plan_id=${plan}`).expect(404);
    expect(found.body.title).toBe('resource_not_found');
    expect(fieldErrorsOf((await post('update/').expect(400)).body)).toEqual({
      customer_id: 'required',
      plan_id: 'required',
    });
    expect(fieldErrorsOf((await post('cancel/').expect(400)).body)).toEqual({ customer_id: 'required' });
    const nobody = await post(`update/?customer_id=nobody&plan_id=plan_${'a'.repeat(32)}`).expect(400);
    expect(fieldErrorsOf(nobody.body)).toEqual({ customer_id: 'does_not_exist', plan_id: 'does_not_exist' });
    const blank = await post(`cancel/?customer_id=`).expect(400);
    expect(fieldErrorsOf(blank.body)).toEqual({ customer_id: 'blank' });
  });
});

describe('a change that was accepted by a process that died', () => {
  it('is completed from the log before the clock moves on', async () => {
    const ids = [await subscribed(await aPlan()), await subscribed(await aPlan())];
    const customerKey = customerKeyOf(app.org, customer);
    const terms = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now' };
    const data = {
      customerKey,
      subscriptionIds: ids.map((id) => fromWireId('sub', id)),
      change: { kind: 'cancel', terms },
    };
    const metadata = {
      org: app.org,
      commandId: randomUUID(),
      correlationId: 'test',
      actor: 'test',
      recordedAt: instant('2026-01-11T00:00:00Z'),
      schemaVersion: 1,
    };
    const accepted = { id: randomUUID(), type: 'BulkChangeAccepted', data, metadata };
    const stream = streamName('customer', app.org, customerKey);
    await app.service.app.get<EventStore>(EVENT_STORE).append(stream, 0n, [accepted]);
    await app.advance('2026-01-12T00:00:00Z');
    const ended = await listed('&status=ended');
    expect(idsOf(ended)).toEqual(ids.sort());
    for (const one of ended) expect(one.end_date).toBe('2026-01-11T00:00:00Z');
    expect(await shop.invoices(`?customer_id=${customer}`)).toMatchObject([{ amount: 20 }]);
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(4);
  });
});
