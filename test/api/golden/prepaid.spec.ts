import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { full, prepaidShopOf, prorate } from '../../support/prepaid-shop.js';
import { times } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { chargedOn, fixtureOf, figure, figures, type Fixture } from './fixture.js';
import { golden } from './golden.js';

const WEEKLY = { reset_interval_unit: 'week', reset_interval_count: 1 };
const with15 = (metric: string) => ({
  component_fixed_charges_initial_units: [{ metric_id: metric, units: 15 }],
});

let app: TestApp;
let fixture: Fixture;
let shop: ReturnType<typeof prepaidShopOf>;
let metric: string;
/** Customer and subscription by the id of the case. The subscription starts on 1 January, and its first invoice is paid. */
const subscribed: Record<string, { customer: string; id: string }> = {};
/** 20 units in advance that are changed in the middle of the period. */
const HALFWAY = {
  'prepaid-full-up-now': [full(20), { units: 30, invoice_now: true }],
  'prepaid-full-down-now': [full(20), { units: 5, invoice_now: true }],
  'prepaid-full-up-later': [full(20), { units: 30, invoice_now: false }],
  'prepaid-prorate-up-later': [prorate(20), { units: 30, invoice_now: false }],
} as const;

const change = (of: string, body: object) =>
  fixture.post(`${subscribed[of]!.id}/components/${metric}/change_prepaid_units/`, body);
const amountsOf = async (of: string) => (await shop.amountsOf(subscribed[of]!.customer)).map(figure);
const newestOf = async (of: string) => (await fixture.invoicesOf(subscribed[of]!.customer))[0]!;
/** Changes the units and returns the amounts of the new invoices. */
async function changed(of: string, body: object): Promise<string[]> {
  const before = await amountsOf(of);
  const answer = await change(of, body).expect(200);
  expect(answer.body.subscription_id).toBe(subscribed[of]!.id);
  const after = await amountsOf(of);
  expect(after.slice(after.length - before.length)).toEqual(before);
  return after.slice(0, after.length - before.length);
}

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
  fixture = fixtureOf(app);
  shop = prepaidShopOf(app);
  metric = await shop.theMetric();
  for (const [id, [prepaid]] of Object.entries(HALFWAY)) subscribed[id] = await shop.subscribed(prepaid);
  subscribed['prepaid-start-20'] = await shop.subscribed(full(20));
  subscribed['prepaid-negative-units'] = await shop.subscribed(full(20));
  subscribed['prepaid-no-prepaid-charge'] = await shop.subscribed(null);
  subscribed['prepaid-test-change-full'] = await shop.subscribed(full(null), WEEKLY, with15(metric));
  subscribed['prepaid-test-change-prorate'] = await shop.subscribed(prorate(null), WEEKLY, with15(metric));
  subscribed['prepaid-test-overage'] = await shop.subscribed(prorate(null), WEEKLY, with15(metric));
});
afterAll(() => app.stop());

golden('prepaid-start-20', async ({ id, expect: wanted }) => {
  const { quantity, ...line } = wanted!.line as { quantity: string; billing_type: string; base: string };
  const [invoice, ...others] = await fixture.invoicesOf(subscribed[id]!.customer);
  expect(others).toEqual([]);
  expect(figure(invoice!.amount)).toBe(wanted!.amount);
  expect(
    invoice!.line_items.map((of) => ({ ...of, quantity: String(of.quantity), base: figure(of.base) })),
  ).toEqual([expect.objectContaining({ quantity, ...line })]);
});

golden('prepaid-negative-units', async ({ id, expect: wanted }) => {
  const { body } = await change(id, { units: -5 }).expect(wanted!.status as number);
  expect(body.validation_errors).toMatchObject([{ attr: 'units', code: 'min_value' }]);
  expect(await amountsOf(id)).toEqual(['10.00']);
});

golden('prepaid-no-prepaid-charge', async ({ id, expect: wanted }) => {
  const before = await fixture.shown(subscribed[id]!.id);
  const { body } = await change(id, { units: 5 }).expect(wanted!.status as number);
  expect(body.title).toBe('invalid_operation');
  expect(await fixture.shown(subscribed[id]!.id)).toEqual(before);
  expect(await amountsOf(id)).toEqual([]);
});

describe('on 6 January', () => {
  beforeAll(async () => {
    await app.advance('2026-01-06T00:00:00Z');
    await change('prepaid-test-overage', { units: 20, invoice_now: true }).expect(200);
    const { customer } = subscribed['prepaid-test-overage']!;
    await shop.use(...times(25, '2026-01-06T12:00:00Z').map((event) => ({ ...event, customer })));
  });

  golden('create-prepaid-missing-units', async ({ expect: wanted }) => {
    const [customer, plan] = [await shop.newCustomer(), await shop.planOf(full(null))];
    const { body } = await fixture
      .post('', { customer_id: customer, plan_id: plan, start_date: '2026-01-06' })
      .expect(wanted!.status as number);
    expect(body.title).toBe('prepayment_cant_determine_units');
    expect(await fixture.subscriptionsOf(customer)).toHaveLength(wanted!.subscriptions_created as number);
    expect(await fixture.invoicesOf(customer)).toEqual([]);
  });

  golden('prepaid-weekly-reset', async ({ id, expect: wanted }) => {
    subscribed[id] = await shop.subscribed(full(null), WEEKLY, with15(metric));
    expect(await amountsOf(id)).toEqual([wanted!.amount]);
  });

  golden('prepaid-test-change-prorate', async ({ id, expect: wanted }) => {
    expect(await changed(id, { units: 20, invoice_now: true })).toEqual([wanted!.amount]);
  });

  golden('prepaid-test-change-full', async ({ id, expect: wanted }) => {
    expect(await changed(id, { units: 20, invoice_now: true })).toEqual([wanted!.amount]);
    await app.advance('2026-01-08T01:00:00Z');
    const [next] = (await newestOf(id)).line_items.filter(({ billing_type: type }) => type === 'in_advance');
    expect(next).toMatchObject({ start_date: '2026-01-08T00:00:00Z', quantity: 20, amount: 10 });
  });
});

describe('at half time, and at the end of January', () => {
  const now: Record<string, string[]> = {};
  const expectNow = (id: string, wanted: unknown) => expect(now[id]).toEqual(wanted === null ? [] : [wanted]);

  beforeAll(async () => {
    await app.advance('2026-01-16T12:00:00Z');
    for (const [id, [, body]] of Object.entries(HALFWAY)) now[id] = await changed(id, body);
    await app.advance('2026-01-20T00:00:00Z');
    for (const id of Object.keys(HALFWAY)) {
      const { customer } = subscribed[id]!;
      await shop.use(...times(35, '2026-01-20T00:00:00Z').map((event) => ({ ...event, customer })));
    }
    await app.advance('2026-02-01T01:00:00Z');
  });

  golden('prepaid-full-up-now', async ({ id, expect: wanted }) => {
    expectNow(id, wanted!.now);
    const end = await newestOf(id);
    expect(chargedOn(end)).toEqual([wanted!.end]);
    expect(end.line_items).toMatchObject([{ quantity: 35 }]);
  });

  golden('prepaid-full-down-now', async ({ id, expect: wanted }) => {
    expectNow(id, wanted!.now);
    const [end, down] = await fixture.invoicesOf(subscribed[id]!.customer);
    expect(chargedOn(down!)).toEqual([`-${wanted!.credit}`]);
    expect(down!.payment_status).toBe('paid');
    expect(chargedOn(end!)).toEqual([wanted!.end_before_credit]);
    expect(figure(end!.amount)).toBe(wanted!.end);
    const [credit, ...others] = await fixture.creditsOf(subscribed[id]!.customer);
    expect(others).toEqual([]);
    expect(figure(credit!.amount)).toBe(wanted!.credit);
    expect(credit).toMatchObject({ amount_remaining: 0, expires_at: null });
  });

  golden('prepaid-full-up-later', async ({ id, expect: wanted }) => {
    expectNow(id, wanted!.now);
    const end = await newestOf(id);
    expect(figure(end.amount)).toBe(wanted!.end);
    expect(chargedOn(end)).toEqual([...(wanted!.end_lines as string[])].sort());
  });

  golden('prepaid-prorate-up-later', async ({ id, expect: wanted }) => {
    expectNow(id, wanted!.now);
    const end = await newestOf(id);
    expect(figure(end.amount)).toBe(wanted!.end);
    expect(chargedOn(end)).toEqual(figures([5, 5]));
  });

  golden('prepaid-test-overage', async ({ id, expect: wanted }) => {
    const usage = (await newestOf(id)).line_items.filter(({ billing_type: type }) => type === 'in_arrears');
    const [week] = usage.filter(({ start_date: start }) => start === '2026-01-01T00:00:00Z');
    expect(week).toMatchObject({ quantity: 25 });
    expect(figure(week!.base)).toBe(wanted!.usage_base);
    expect(usage.filter(({ base }) => base !== 0)).toEqual([week]);
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(20);
  });
});
