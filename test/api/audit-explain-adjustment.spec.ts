import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { cents, product, total } from '../support/calculation.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';

interface Allocation {
  readonly total: number;
  readonly base: number;
  readonly own_base: number;
  readonly carried_back: number;
  readonly lines: readonly number[];
  readonly of_period: {
    readonly start: string;
    readonly end: string;
    readonly full_interval: { readonly start: string; readonly end: string };
    readonly rounded_before: string;
    readonly rounded_up_to: string;
    readonly amount: number;
    readonly base: number;
    readonly adjusted: number;
  };
}
interface Adjustment {
  readonly rule: string;
  readonly figure: string;
  readonly amount: number;
  readonly allocation: Allocation;
}
interface Explained {
  readonly line: number;
  readonly base: number;
  readonly adjustments: readonly Adjustment[];
}

let app: TestApp;
let shop: Shop;
const byNumber = new Map<string, readonly Explained[]>();

const adjusted = (type: string, amount: number) => ({
  price_adjustment: {
    price_adjustment_name: type,
    price_adjustment_type: type,
    price_adjustment_amount: amount,
  },
});

/** Subscribes a customer from 15 February, half a period, to fees of 10.00, 8.00 and 5.70 and to usage at 1.00. */
async function subscribe(customer: string, adjustment: object): Promise<string> {
  const fees = [10, 8, 5.7].map((amount, index) => aChargeBody({ name: `Fee ${index + 1}`, amount }));
  const tiers = perUnitTiers();
  const metric_id = await shop.metric({ metric_name: customer, event_name: customer });
  const components = [{ metric_id, tiers }];
  const plan = await shop.plan(customer, {
    day_anchor: 1,
    recurring_charges: fees,
    components,
    ...adjustment,
  });
  await shop.customer(customer);
  const { subscription_id: id } = await shop.subscribe(customer, plan, '2026-02-15');
  await shop.use({ customer, name: customer, at: '2026-02-15T00:00:00Z' });
  return id;
}

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-02-15T00:00:00Z' });
  shop = shopOf(app);
  await subscribe('fixed', adjusted('fixed', -8.01));
  await subscribe('override', adjusted('price_override', 20));
  const cut = await subscribe('cut', adjusted('fixed', -8.01));
  await subscribe('percentage', adjusted('percentage', -10));
  await app.advance('2026-02-20T00:00:00Z');
  await app.request.post(`/api/subscriptions/${cut}/cancel/`).send({}).expect(200);
  await app.advance('2026-03-02T00:00:00Z');
  for (const { invoice_number: number } of await shop.invoices()) {
    const { body } = await app.request.get(`/api/invoices/${number}/explain/`).expect(200);
    byNumber.set(number, body.lines);
  }
});
afterAll(() => app.stop());

/** Returns the numbers of a customer's invoices, the oldest first. */
const numbersOf = async (customer: string): Promise<string[]> =>
  (await shop.invoices(`?customer_id=${customer}`))
    .map(({ invoice_number: number }: { invoice_number: string }) => number)
    .toReversed();

const adjustmentsOf = (number: string): Adjustment[] =>
  byNumber.get(number)!.flatMap(({ adjustments }) => adjustments.filter(({ rule }) => rule !== 'tax_rate'));

const PERIOD = {
  start: '2026-02-15T00:00:00Z',
  end: '2026-03-01T00:00:00Z',
  full_interval: { start: '2026-02-01T00:00:00Z', end: '2026-03-01T00:00:00Z' },
};

describe('a fixed adjustment is a share of what is given once per period (docs/billing.md#price-adjustments)', () => {
  it('is explained with the prorated amount, the bases, and the base of the line', async () => {
    const [first] = await numbersOf('fixed');
    const of_period = { ...PERIOD, rounded_before: '0', rounded_up_to: '0.5', amount: -4.01, base: 11.85 };
    const allocation = { total: -4.01, base: 11.85, lines: [1, 2, 3], carried_back: 0 };
    expect(adjustmentsOf(first!)).toMatchObject(
      [
        [-1.69, 5],
        [-1.35, 4],
        [-0.97, 2.85],
      ].map(([amount, own_base]) => ({
        amount,
        allocation: { ...allocation, own_base, of_period: { ...of_period, adjusted: 0 } },
      })),
    );
  });

  it('counts the bases and the adjustments that earlier invoices of the period have', async () => {
    const [, second] = await numbersOf('override');
    const ofUsage = adjustmentsOf(second!).find(
      ({ allocation }) => allocation.of_period.start === PERIOD.start,
    );
    expect(ofUsage).toMatchObject({
      amount: -1,
      allocation: {
        total: -1,
        base: 1,
        own_base: 1,
        of_period: { ...PERIOD, amount: 10, base: 12.85, adjusted: -1.85 },
      },
    });
  });

  it('is calculated from the line alone where it is a percentage', async () => {
    for (const number of await numbersOf('percentage'))
      for (const { allocation } of adjustmentsOf(number)) expect(allocation).toBeNull();
  });

  it.each(['fixed', 'override', 'cut'])('adds up on every invoice: %s', async (customer) => {
    const shared = [];
    for (const number of await numbersOf(customer)) {
      const all = adjustmentsOf(number).filter(({ allocation }) => allocation);
      for (const { rule, figure, allocation } of all) {
        const { of_period: period, total: sum } = allocation;
        const rounded = (factor: string) => cents(product(figure, factor)) / 100;
        expect(rounded(period.rounded_up_to) - rounded(period.rounded_before)).toBeCloseTo(period.amount, 6);
        const wanted =
          rule === 'fixed' ? Math.max(period.amount, -Math.max(period.base, 0)) : period.amount - period.base;
        const members = all.filter(
          (other) => JSON.stringify(other.allocation.lines) === JSON.stringify(allocation.lines),
        );
        const carried = total(members.map((other) => other.allocation.carried_back));
        expect(wanted - period.adjusted - carried).toBeCloseTo(sum, 6);
        expect(total(members.map(({ amount }) => amount)) - carried).toBeCloseTo(sum, 6);
        shared.push(allocation);
      }
    }
    expect(shared.length).toBeGreaterThan(2);
  });

  it('is printed by recount explain', async () => {
    const { lines } = await recount(app, 'explain', (await numbersOf('fixed'))[0]!);
    const from = lines.indexOf('  plan_adjustment -1.69 USD (fixed -8.01)');
    expect(lines.slice(from + 1, from + 3)).toEqual([
      '    of the period -8.01 USD × 0.5 = -4.01 USD, on 11.85 USD, given 0.00 USD',
      '    its share of -4.01 USD, by 5.00 USD of 11.85 USD on lines 1, 2, 3',
    ]);
  });
});
