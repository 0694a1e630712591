import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { forgetAnswer } from '../support/stored-idempotency-keys.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Shown {
  readonly subscription_id: string;
  readonly billing_plan: { readonly plan_id: string; readonly version: number };
  readonly subscription_filters: readonly { readonly value: string }[];
}

let app: TestApp;
let shop: Shop;
let count = 0;
let customer: string;

/** Returns a fee of 31.00 or 62.00 a month in advance, so that a day costs 1.00 or 2.00. The new version costs 93.00. */
const fee = (amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
});
const aPlan = (amount = 31, version: object = {}) =>
  shop.plan(`plan ${(count += 1)}`, { ...fee(amount), ...version });
const anotherVersion = async (plan: string, changes: object = {}) =>
  (
    await app.request
      .post('/api/plan_versions/')
      .send({ plan_id: plan, version: 2, currency_code: 'USD', ...fee(93), ...changes })
      .expect(201)
  ).body;
const region = (value: string) => ({ subscription_filters: [{ property_name: 'region', value }] });
const subscribed = async (plan: string, changes: object = {}): Promise<string> =>
  (await shop.subscribe(customer, plan, '2026-01-01', changes)).subscription_id;
const listed = async (): Promise<Shown[]> =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer}`).expect(200)).body;
const replace = (plan: string, body: object) =>
  app.request.post(`/api/subscriptions/update/?customer_id=${customer}&plan_id=${plan}`).send(body);
const invoices = () => shop.invoices(`?customer_id=${customer}`);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(4);
  await app.stop();
});
beforeEach(async () => {
  customer = `customer-${(count += 1)}`;
  await shop.customer(customer);
});

describe('replace_plan_id of an update by filter (docs/contract.md#update-by-filter)', () => {
  it('switches every match, on one invoice, and answers the new subscriptions', async () => {
    const [plan, target] = [await aPlan(), await aPlan(62)];
    const west = await subscribed(plan, { ...region('west'), auto_renew: false });
    await subscribed(plan, region('east'));
    const { body } = await replace(plan, { replace_plan_id: target }).expect(200);
    expect(body).toHaveLength(2);
    for (const one of body) {
      expect(one).toMatchObject({
        billing_plan: { plan_id: target },
        start_date: '2026-01-11T00:00:00Z',
        end_date: '2026-01-31T23:59:59.999999Z',
        is_new: true,
        fully_billed: false,
      });
    }
    const renewals = body.map((one: Shown & { auto_renew: boolean }) => [
      one.subscription_filters[0]!.value,
      one.auto_renew,
    ]);
    expect(Object.fromEntries(renewals)).toEqual({ west: false, east: true });
    // For each subscription, 31.00 are credited back, the past days cost 10.00 and the remaining 21 days 42.00.
    const amounts = (await invoices()).map(({ amount }: { amount: number }) => amount);
    expect(amounts.sort()).toEqual([31, 31, 42]);
    const shown = await listed();
    expect(shown).toEqual(expect.arrayContaining(body));
    expect(shown).toHaveLength(4);
    expect(shown.find(({ subscription_id: id }) => id === west)).toMatchObject({
      end_date: '2026-01-11T00:00:00Z',
    });
  });

  it('takes the options of a single switch, and makes the other changes of the request', async () => {
    const [plan, target] = [await aPlan(), await aPlan(62)];
    await subscribed(plan);
    const { body } = await replace(plan, {
      replace_plan_id: target,
      invoicing_behavior: 'add_to_next_invoice',
      usage_behavior: 'keep_separate',
      turn_off_auto_renew: true,
      end_date: '2026-01-21T00:00:00Z',
    }).expect(200);
    expect(body).toMatchObject([{ auto_renew: false, end_date: '2026-01-21T00:00:00Z' }]);
    expect(await invoices()).toHaveLength(1);
    const [draft] = await shop.drafts(customer);
    // 31.00 are credited back; 10 days of each plan cost 10.00 and 20.00.
    const amounts = draft.line_items
      .map(({ base }: { base: number }) => base)
      .filter((base: number) => base !== 0);
    expect(amounts.sort((a: number, b: number) => a - b)).toEqual([-31, 10, 20]);
  });

  it.each<[string, Record<string, unknown>, number | string]>([
    ['the only active one', {}, 1],
    ['the only one made for the customer', { target: true }, 0],
    [
      'of two public ones none',
      { make_active: true, make_active_type: 'grandfather', back: true },
      'ambiguous_plan_version',
    ],
  ])('the version is %s', async (_, { target: forMe, back, ...second }, expected) => {
    const [plan, target] = [await aPlan(), await aPlan(62)];
    await anotherVersion(target, {
      ...second,
      ...(forMe ? { target_customer_ids: [customer], version: undefined, make_active: true } : {}),
    });
    if (back) {
      const { body } = await app.request.get(`/api/plans/${target}/`).expect(200);
      for (const { version_id: id } of body.versions) {
        await app.request.patch(`/api/plan_versions/${id}/`).send({ active_to: null }).expect(200);
      }
    }
    await subscribed(plan);
    const answer = await replace(plan, { replace_plan_id: target });
    if (typeof expected === 'string') {
      expect(answer.body).toMatchObject({ status: 400, title: expected });
      expect(await listed()).toHaveLength(1);
      return;
    }
    expect(answer.body).toMatchObject([{ billing_plan: { version: expected } }]);
  });

  it('one refusal refuses all: nothing has changed, and every new reservation is released', async () => {
    const [plan, target] = [await aPlan(), await aPlan(62)];
    await subscribed(plan, region('west'));
    await subscribed(plan, region('east'));
    await shop.subscribe(customer, target, '2026-01-15', region('west'));
    const [before, issued] = [await listed(), await invoices()];
    const refused = await replace(plan, { replace_plan_id: target }).expect(400);
    expect(refused.body.title).toBe('overlapping_plans');
    expect(await listed()).toEqual(before);
    expect(await invoices()).toEqual(issued);
    await shop.subscribe(customer, target, '2026-01-02', region('east'));
  });

  it('an unknown plan is named, the same version refused', async () => {
    const plan = await aPlan();
    await subscribed(plan);
    const unknown = await replace(plan, { replace_plan_id: `plan_${'a'.repeat(32)}` }).expect(400);
    expect(fieldErrorsOf(unknown.body)).toEqual({ replace_plan_id: 'does_not_exist' });
    const same = await replace(plan, { replace_plan_id: plan }).expect(400);
    expect(same.body.title).toBe('invalid_operation');
    const strange = { replace_plan_id: 'x', invoicing_behavior: 'x', usage_behavior: 'x' };
    expect(fieldErrorsOf((await replace(plan, strange).expect(400)).body)).toEqual({
      replace_plan_id: 'does_not_exist',
      invoicing_behavior: 'invalid_choice',
      usage_behavior: 'invalid_choice',
    });
  });

  it('the same key switches once, also where the first request died after it was accepted', async () => {
    const [plan, target] = [await aPlan(), await aPlan(62)];
    await subscribed(plan, region('west'));
    await subscribed(plan, region('east'));
    const send = () =>
      replace(plan, { replace_plan_id: target }).set('Idempotency-Key', customer).expect(200);
    const first = await send();
    await forgetAnswer(app, customer);
    expect((await send()).body).toEqual(first.body);
    expect(await listed()).toHaveLength(4);
    expect(await invoices()).toHaveLength(3);
  });

  it('the new terms are billed and renewed as any other', async () => {
    const [plan, target] = [await aPlan(), await aPlan(62)];
    await subscribed(plan);
    await replace(plan, { replace_plan_id: target }).expect(200);
    await app.advance('2026-02-01T01:00:00Z');
    expect((await invoices())[0]).toMatchObject({ amount: 62 });
  });
});
