import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { beforeReserved } from '../support/before-reserved.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let metric: string;
let addon: string;
const plans = {} as Record<'A' | 'B' | 'C', string>;
let count = 0;
let customer: string;
/** Subscription of the customer to plan A. */
let subscription: string;

const post = (path: string, body: object = {}) => app.request.post(`/api/${path}`).send(body);
const change = (path: string, body: object = {}, status = 200) =>
  post(`subscriptions/${subscription}/${path}/`, body).expect(status);
const byPlan = (how: 'update' | 'cancel', body: object = {}) =>
  post(`subscriptions/${how}/`, { customer_id: customer, plan_id: plans.A, ...body }).expect(200);
const replaceBy = (plan: string) => byPlan('update', { replace_plan_id: plan });
const switchTo = (plan: string) => change('switch_plan', { switch_plan_id: plan });
const meanwhile = (act: () => PromiseLike<unknown>) => beforeReserved(app, act);

/** Returns the names of the plans of the running subscriptions that renew. */
const renewing = async (): Promise<string[]> => {
  const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`);
  return body.flatMap((one: { auto_renew: boolean; billing_plan: { plan_name: string } }) =>
    one.auto_renew ? one.billing_plan.plan_name : [],
  );
};

/** Returns the lines of each invoice that charge something: name and amount. */
const invoiced = async (): Promise<string[]> =>
  (await shop.invoices(`?customer_id=${customer}`))
    .map(({ line_items: lines }: { line_items: { name: string; amount: number }[] }) =>
      lines.flatMap(({ name, amount }) => (amount === 0 ? [] : `${name} ${amount}`)).join(', '),
    )
    .sort();

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
  metric = await shop.metric();
  const free = anAddonBody('support', { recurring_charges: [] });
  addon = (await post('addons/', free).expect(201)).body.addon_id;
  // A day on the three plans costs 1.00, 2.00 and 3.00; their prepaid units are free.
  const component = aComponentBody(metric, { prepaid_charge: { units: 1, charge_behavior: 'full' } });
  const charge = { charge_timing: 'in_arrears', charge_behavior: 'prorate' };
  for (const [name, amount] of Object.entries({ A: 31, B: 62, C: 93 }))
    plans[name as keyof typeof plans] = await shop.plan(name, {
      recurring_charges: [{ name, amount, ...charge }],
      components: [component],
    });
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(4);
  await app.stop();
});
beforeEach(async () => {
  customer = `customer-${(count += 1)}`;
  await shop.customer(customer);
  subscription = (await shop.subscribe(customer, plans.A, '2026-01-01')).subscription_id;
});

describe('a change by filter leaves out a match that was switched to another plan meanwhile', () => {
  it.each([
    ['a cancellation', () => byPlan('cancel')],
    ['an end of renewals', () => byPlan('update', { turn_off_auto_renew: true })],
    ['a replacement', () => replaceBy(plans.B)],
  ])('%s', async (_what, ofPlanA) => {
    meanwhile(() => switchTo(plans.C));
    expect((await ofPlanA()).body).toEqual([]);
    expect(await renewing()).toEqual(['C']);
  });

  it('a replacement that meets another one, which has the only invoice', async () => {
    meanwhile(() => replaceBy(plans.C));
    expect((await replaceBy(plans.B)).body).toEqual([]);
    expect(await renewing()).toEqual(['C']);
    expect(await invoiced()).toEqual(['A 10']);
  });

  it('a replacement, which keeps no reservation of it', async () => {
    meanwhile(() => switchTo(plans.C));
    await replaceBy(plans.B);
    await shop.subscribe(customer, plans.B, '2026-01-11');
  });
});

describe('the invoice of a change by filter is issued', () => {
  it.each<[string, () => PromiseLike<unknown>]>([
    ['metadata', () => change('update', { metadata: { a: 1 } })],
    ['an end date', () => change('update', { end_date: '2026-01-25' })],
    ['prepaid units', () => change(`components/${metric}/change_prepaid_units`, { units: 5 })],
    ['an add-on', () => change('addons/attach', { addon_id: addon }, 201)],
  ])('where %s of a match changed meanwhile', async (_what, one) => {
    meanwhile(one);
    expect((await replaceBy(plans.B)).body).toMatchObject([{ billing_plan: { plan_name: 'B' } }]);
    expect(await invoiced()).toEqual(['A 10']);
  });

  it.each([
    ['a cancellation', () => post('subscriptions/cancel/', { customer_id: customer }).expect(200)],
    ['the end of the customer', () => post(`customers/${customer}/delete/`).expect(200)],
  ])('where %s ends what a replacement has begun meanwhile', async (_what, end) => {
    const { body: clock } = await app.request.get('/api/test_clock/').expect(200);
    const tomorrow = new Date(Date.parse(clock.now) + 86_400_000).toISOString();
    meanwhile(async () => {
      const [{ subscription_id: begun }] = (await replaceBy(plans.B)).body;
      await app.advance(tomorrow);
      await post(`subscriptions/${begun}/update/`, { metadata: { a: 1 } }).expect(200);
    });
    await end();
    expect(await invoiced()).toEqual([expect.stringMatching(/^A 1\d$/), 'B 2']);
  });
});

describe('a change by filter changes a match where it continues', () => {
  it('after a renewal of which the new term has not begun yet', async () => {
    await shop.customer((customer = 'renewed'));
    await shop.subscribe(customer, plans.A, '2025-12-20');
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const { append, readStream } = store;
    let begin = () => {};
    const read = new Promise<void>((resolve) => (begin = resolve));
    let successor = 'none';
    const decided = new Promise<void>((resolve) => {
      store.append = async (stream, expected, ...rest) => {
        if (stream.startsWith('subscription-') && expected === 'no_stream') {
          successor = stream;
          resolve();
          await read;
        }
        return append.call(store, stream, expected, ...rest);
      };
    });
    let reads = 0;
    store.readStream = async function* (stream, ...rest) {
      yield* readStream.call(store, stream, ...rest);
      if (stream === successor && (reads += 1) === 2) begin();
    };
    let advanced: Promise<void> | undefined;
    meanwhile(async () => {
      advanced = app.advance('2026-01-20T00:00:00Z');
      await decided;
    });
    expect((await byPlan('update', { replace_plan_id: plans.B })).body).toMatchObject([
      { billing_plan: { plan_name: 'B' }, start_date: '2026-01-20T00:00:00Z' },
    ]);
    Object.assign(store, { append, readStream });
    await advanced;
    expect(await renewing()).toEqual(['B']);
  });
});
