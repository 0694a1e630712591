import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { addonFee } from '../../support/addon-fixture.js';
import { anAddonBody } from '../../support/builders/catalog-bodies.js';
import { times } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { chargedOn, fixtureOf, figure, figures, priced, type Fixture, type Invoice } from './fixture.js';
import { golden } from './golden.js';

const HALF = '2026-01-16T12:00:00Z';
/** Options by case: customers switch with them from plan A to plan B in the middle of the period. */
const HALFWAY: Record<string, object> = {
  'switch-now-transfer': {
    invoicing_behavior: 'invoice_now',
    usage_behavior: 'transfer_to_new_subscription',
  },
  'switch-next-transfer': {
    invoicing_behavior: 'add_to_next_invoice',
    usage_behavior: 'transfer_to_new_subscription',
  },
  'switch-now-separate': { invoicing_behavior: 'invoice_now', usage_behavior: 'keep_separate' },
  'switch-next-separate': { invoicing_behavior: 'add_to_next_invoice', usage_behavior: 'keep_separate' },
  'switch-arrears-now': { invoicing_behavior: 'invoice_now' },
};
/** Outcome of a switch: its answer, and the invoices that it made. */
interface Switched {
  readonly answer: { readonly subscription_id: string; readonly billing_plan: { readonly plan_id: string } };
  readonly now: readonly Invoice[];
}
interface Now {
  readonly amount: string;
  readonly lines: readonly string[];
}

let app: TestApp;
let fixture: Fixture;
const plans: Record<string, string> = {};
/** Ids of the old subscriptions by the id of the case, which is also the customer's id. */
const old: Record<string, string> = {};
const switched: Record<string, Switched> = {};
/** Returns the invoices that the customer got in February. */
const endOf = async (id: string): Promise<Invoice[]> => {
  const after = await fixture.invoicesOf(id);
  return after.filter(({ invoice_number: number }) => number.startsWith('2602'));
};

const post = (id: string, body: object) => fixture.post(`${old[id]}/switch_plan/`, body);
async function switchOver(id: string, body: object): Promise<void> {
  const before = await fixture.invoicesOf(id);
  const { body: answer } = await post(id, body).expect(200);
  const known = before.map(({ invoice_id }) => invoice_id);
  const now = (await fixture.invoicesOf(id)).filter(({ invoice_id }) => !known.includes(invoice_id));
  switched[id] = { answer, now };
}
async function expectNewSubscription(id: string, plan: string): Promise<void> {
  const { answer } = switched[id]!;
  expect(answer).toMatchObject({
    start_date: HALF,
    end_date: '2026-01-31T23:59:59.999999Z',
    is_new: true,
    billing_plan: { plan_id: plan },
  });
  expect(answer.subscription_id).not.toBe(old[id]);
  expect(await fixture.shown(old[id]!)).toMatchObject({ end_date: HALF });
}
function expectNow(id: string, { amount, lines }: Now): void {
  const { now } = switched[id]!;
  expect(now.map((invoice) => figure(invoice.amount))).toEqual([amount]);
  expect(chargedOn(now[0]!)).toEqual([...lines].sort());
}
/** Returns plan, quantity and amount of the usage lines of an invoice. */
const usageOn = (invoice: Invoice) =>
  invoice.line_items
    .filter(({ name }) => name === 'requests')
    .map(({ plan, quantity, amount }) => [plan!.plan_id, String(quantity), figure(amount)]);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  fixture = fixtureOf(app);
  const metric = await fixture.metric();
  const others: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    others.push(await fixture.metric({ metric_name: name, event_name: name }));
  }
  plans.a = await fixture.plan('A', priced(metric, { amount: 30 }));
  plans.b = await fixture.plan('B', priced(metric, { amount: 60 }, 5, 3));
  plans.arrearsA = await fixture.plan('A in arrears', priced(metric, { amount: 30, timing: 'in_arrears' }));
  plans.arrearsB = await fixture.plan(
    'B in arrears',
    priced(others[0]!, { amount: 60, timing: 'in_arrears' }, 5, 3),
  );
  const threeOf = (cost: number) => ({
    recurring_charges: [],
    components: [metric, ...others.slice(1)].map((id) => priced(id, null, 2, cost).components[0]),
  });
  plans.threeOld = await fixture.plan('three metrics', threeOf(2));
  plans.threeNew = await fixture.plan('three metrics anew', threeOf(3));
  const starts: Record<string, [plan: string, changes?: object]> = {
    ...Object.fromEntries(Object.keys(HALFWAY).map((id) => [id, ['a', { auto_renew: false }]])),
    'switch-arrears-now': ['arrearsA'],
    'switch-no-charges-transfer': ['threeOld'],
    'switch-unknown-plan': ['a'],
    'switch-bad-choice': ['a'],
    'switch-ended-sub': ['a'],
    'switch-with-addon': ['a'],
    'switch-loses-settings': [
      'a',
      { subscription_filters: [{ property_name: 'region', value: 'eu' }], metadata: { a: 1 } },
    ],
  };
  for (const [id, [plan, changes]] of Object.entries(starts)) {
    await fixture.customer(id);
    old[id] = (await fixture.subscribe(id, plans[plan]!, '2026-01-01', changes)).subscription_id;
  }
  await app.advance('2026-01-02T00:00:00Z');
  const addon = await app.request
    .post('/api/addons/')
    .send(anAddonBody('support', { recurring_charges: addonFee() }))
    .expect(201);
  const { addon_id } = addon.body;
  await fixture.post(`${old['switch-with-addon']}/addons/attach/`, { addon_id }).expect(201);

  await app.advance('2026-01-06T00:00:00Z');
  const using = [...Object.keys(HALFWAY), 'switch-no-charges-transfer'];
  const useOf = (id: string, count: number, at: string) =>
    fixture.use(...times(count, at).map((event) => ({ ...event, customer: id })));
  for (const id of using) await useOf(id, 15, '2026-01-05T12:00:00Z');
  const version = (await app.request.get(`/api/plans/${plans.threeNew}/`).expect(200)).body.versions[0];
  await switchOver('switch-no-charges-transfer', { switch_plan_version_id: version.version_id });

  await app.advance('2026-01-11T00:00:00Z');
  await switchOver('switch-with-addon', { switch_plan_id: plans.b });

  await app.advance(HALF);
  for (const [id, how] of Object.entries(HALFWAY)) {
    await switchOver(id, { ...how, switch_plan_id: id === 'switch-arrears-now' ? plans.arrearsB : plans.b });
  }
  await switchOver('switch-loses-settings', { switch_plan_id: plans.b });

  await app.advance('2026-01-20T00:00:00Z');
  for (const id of using.filter((one) => one !== 'switch-arrears-now')) {
    await useOf(id, 4, '2026-01-20T00:00:00Z');
  }
  await fixture.post(`${old['switch-ended-sub']}/cancel/`).expect(200);
});
afterAll(() => app.stop());

golden('switch-unknown-plan', async ({ id, expect: wanted }) => {
  const before = await fixture.shown(old[id]!);
  const switch_plan_id = `plan_${'b2'.repeat(16)}`;
  const { body } = await post(id, { switch_plan_id }).expect(wanted!.status as number);
  expect(body.title).toBe(wanted!.title);
  expect(body.validation_errors).toMatchObject([{ attr: 'switch_plan_id', code: wanted!.title }]);
  expect(await fixture.shown(old[id]!)).toEqual(before);
});

golden('switch-bad-choice', async ({ id, expect: wanted }) => {
  const body = { switch_plan_id: plans.b, usage_behavior: 'x' };
  const refused = (await post(id, body).expect(wanted!.status as number)).body;
  expect(refused.title).toBe(wanted!.title);
  expect(refused.validation_errors).toMatchObject([{ attr: 'usage_behavior', code: wanted!.title }]);
});

golden('switch-ended-sub', async ({ id, expect: wanted }) => {
  const look = async () => [await fixture.subscriptionsOf(id), await fixture.invoicesOf(id)];
  const before = await look();
  const { body } = await post(id, { switch_plan_id: plans.b }).expect(wanted!.status as number);
  expect(body.title).toBe('invalid_state');
  expect(await look()).toEqual(before);
});

golden('switch-loses-settings', async ({ id, expect: wanted }) => {
  const { answer } = switched[id]!;
  const { subscription_filters: filters } = await fixture.shown(answer.subscription_id);
  const kept = JSON.stringify(filters) === '[{"property_name":"region","value":"eu"}]';
  expect(kept).toBe(wanted!.filters_kept);
  expect(answer).toMatchObject({ subscription_filters: filters, metadata: { a: 1 } });
});

golden('switch-with-addon', async ({ id, expect: wanted }) => {
  const [, attached, ...none] = [...(await fixture.invoicesOf(id))]
    .filter(({ invoice_number: number }) => number.startsWith('2601'))
    .reverse();
  expect(figure(attached!.amount)).toBe(wanted!.addon_invoice);
  const { answer, now } = switched[id]!;
  expect(none).toEqual(now);
  expect(now.map(({ amount }) => figure(amount))).toEqual([wanted!.switch_invoice]);
  expect(chargedOn(now[0]!)).toEqual([...(wanted!.lines as string[])].sort());
  expect(answer).toMatchObject({ addons: [{ addon: { addon_name: 'support' } }] });
  expect((await fixture.shown(old[id]!)).addons).toEqual([]);
});

describe('at the end of January', () => {
  beforeAll(() => app.advance('2026-02-01T01:00:00Z'));

  golden('switch-now-transfer', async ({ id, expect: wanted }) => {
    await expectNewSubscription(id, plans.b!);
    const { now, end_usage: usage } = wanted as { now: Now; end_usage: { qty: string; amount: string } };
    expectNow(id, now);
    const [end] = await endOf(id);
    expect(usageOn(end!)).toEqual([[plans.b, usage.qty, usage.amount]]);
    expect(chargedOn(end!)).toEqual([usage.amount]);
  });

  golden('switch-next-transfer', async ({ id, expect: wanted }) => {
    await expectNewSubscription(id, plans.b!);
    expect(switched[id]!.now).toEqual([]);
    const [end] = await endOf(id);
    expect(usageOn(end!)).toEqual([[plans.b, '19', wanted!.end_usage]]);
    expect(chargedOn(end!)).toEqual(figures([15, -30, 30, 42]));
    expect(figure(end!.amount - 42)).toBe(wanted!.flat_net_after_switch);
  });

  golden('switch-now-separate', async ({ id, expect: wanted }) => {
    await expectNewSubscription(id, plans.b!);
    const { now, end } = wanted as { now: Now; end: { old_usage: string; new_usage: string } };
    expectNow(id, now);
    const [invoice] = await endOf(id);
    expect(usageOn(invoice!).sort()).toEqual(
      [
        [plans.a, '15', end.old_usage],
        [plans.b, '4', end.new_usage],
      ].sort(),
    );
    expect(figure(invoice!.amount)).toBe(end.old_usage);
  });

  golden('switch-next-separate', async ({ id, expect: wanted }) => {
    await expectNewSubscription(id, plans.b!);
    expect(switched[id]!.now).toEqual([]);
    const [end] = await endOf(id);
    expect(chargedOn(end!)).toEqual(figures([15, -30, 10, 30]));
    expect(usageOn(end!)).toContainEqual([plans.b, '4', '0.00']);
    expect(figure(end!.amount)).toBe(wanted!.net_after_switch);
  });

  golden('switch-arrears-now', async ({ id, expect: wanted }) => {
    await expectNewSubscription(id, plans.arrearsB!);
    expectNow(id, { amount: wanted!.now as string, lines: ['15.00', '10.00'] });
    expect((await endOf(id)).map(({ amount }) => figure(amount))).toEqual([wanted!.end]);
  });

  golden('switch-no-charges-transfer', async ({ id, expect: wanted }) => {
    expect(switched[id]!.now).toHaveLength(wanted!.new_invoices as number);
    const [end, ...others] = await fixture.invoicesOf(id);
    expect(others).toEqual([]);
    // 19 units on the new plan: 2 are free, the others cost 3.00 each.
    expect(usageOn(end!)).toEqual([[plans.threeNew, '19', '51.00']]);
    expect(figure(end!.amount)).toBe('51.00');
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(20);
  });
});
