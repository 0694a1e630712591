import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Line {
  readonly base: number;
  readonly name: string;
  readonly quantity: number;
}

let app: TestApp;
let shop: Shop;
const metrics: string[] = [];
const plans: Record<string, string> = {};
const running: Record<string, string> = {};

/** Returns a component with some free units and a price for each further one, with weekly windows or dates on request. */
const counting = (metric: number, free: number, cost: number, intervals: object = {}) => ({
  metric_id: metrics[metric],
  tiers: [
    ...(free > 0 ? [{ type: 'free', range_start: 0, range_end: free }] : []),
    { type: 'per_unit', range_start: free, cost_per_batch: cost, metric_units_per_batch: 1 },
  ],
  ...intervals,
});
const inArrears = (amount: number) => [
  { name: 'fee', amount, charge_timing: 'in_arrears', charge_behavior: 'prorate' },
];
const WEEKLY_WINDOWS = { reset_interval_unit: 'week', reset_interval_count: 1 };
const WEEKLY_DATES = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };

const uses = (customer: string, count: number, at: string) =>
  shop.use(...times(count, at).map((event) => ({ ...event, customer })));
const invoices = (customer: string) => shop.invoices(`?customer_id=${customer}`);
const lines = async (customer: string): Promise<[number, number][]> =>
  ((await invoices(customer))[0]?.line_items ?? [])
    .filter(({ base }: Line) => base !== 0)
    .map(({ base, quantity }: Line) => [base, quantity])
    .sort(([a]: [number], [b]: [number]) => a - b);
const switched = async (customer: string, plan: string, changes: object = {}): Promise<void> => {
  const { body } = await app.request
    .post(`/api/subscriptions/${running[customer]}/switch_plan/`)
    .send({ switch_plan_id: plans[plan], ...changes })
    .expect(200);
  running[customer] = body.subscription_id;
};

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  for (const name of ['one', 'two', 'three']) metrics.push(await shop.metric({ metric_name: name }));
  const plan = async (name: string, components: object[], charges: object[] = []) => {
    plans[name] = await shop.plan(name, { recurring_charges: charges, components });
  };
  await plan('arrears a', [counting(0, 10, 2)], inArrears(30));
  await plan('arrears b', [counting(1, 5, 3)], inArrears(60));
  await plan(
    'three a',
    [0, 1, 2].map((metric) => counting(metric, 0, 1)),
  );
  await plan(
    'three b',
    [0, 1, 2].map((metric) => counting(metric, 5, 2)),
  );
  await plan('weeks a', [counting(0, 5, 1, WEEKLY_WINDOWS)]);
  await plan('weeks b', [counting(0, 5, 2, WEEKLY_WINDOWS)]);
  await plan('dates a', [counting(0, 0, 1, WEEKLY_DATES)]);
  await plan('dates b', [counting(0, 0, 2)]);
  const begins = {
    'arrears a': ['gone', 'late'],
    'three a': ['moves', 'moves late', 'stays late'],
    'weeks a': ['weeks', 'weeks apart'],
    'dates a': ['dates', 'dates apart'],
  };
  for (const [name, customers] of Object.entries(begins)) {
    for (const customer of customers) {
      await shop.customer(customer);
      const changes = { auto_renew: false };
      running[customer] = (
        await shop.subscribe(customer, plans[name]!, '2026-01-01', changes)
      ).subscription_id;
    }
  }
  for (const customer of ['weeks', 'weeks apart']) await uses(customer, 6, '2026-01-02T00:00:00Z');
  for (const customer of ['dates', 'dates apart']) await uses(customer, 4, '2026-01-02T00:00:00Z');
  for (const customer of ['gone', 'late']) await uses(customer, 15, '2026-01-02T00:00:00Z');
  await app.advance('2026-01-10T00:00:00Z');
  for (const customer of ['weeks', 'weeks apart']) await uses(customer, 6, '2026-01-09T00:00:00Z');
  for (const customer of ['moves', 'moves late', 'stays late'])
    await uses(customer, 4, '2026-01-09T00:00:00Z');
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(10);
  await app.stop();
});

const SEPARATE = { usage_behavior: 'keep_separate' };

describe('usage at a switch at half time', () => {
  it('what was invoiced on a date before comes back where usage moves, and stays where it is kept separate', async () => {
    for (const customer of ['dates', 'dates apart']) expect(await lines(customer)).toEqual([[4, 4]]);
    await switched('dates', 'dates b');
    await switched('dates apart', 'dates b', SEPARATE);
    expect(await lines('dates')).toEqual([[-4, 4]]);
    expect(await invoices('dates apart')).toHaveLength(1);
  });

  it('is billed now where the new plan does not count it', async () => {
    await app.advance('2026-01-16T12:00:00Z');
    for (const customer of ['gone', 'late']) {
      await switched(customer, 'arrears b');
      expect(await lines(customer)).toEqual([
        [10, 15],
        [15, 1],
      ]);
    }
  });

  it('moves whole windows no further, the running one as it is', async () => {
    await switched('weeks', 'weeks b');
    await switched('weeks apart', 'weeks b', SEPARATE);
    expect(await lines('weeks')).toEqual([
      [1, 6],
      [1, 6],
    ]);
    expect(await invoices('weeks apart')).toEqual([]);
  });

  it('that moves makes no invoice', async () => {
    for (const customer of ['moves', 'moves late']) await switched(customer, 'three b');
    await switched('stays late', 'three b', SEPARATE);
    for (const customer of ['moves', 'moves late', 'stays late']) {
      expect(await invoices(customer)).toEqual([]);
    }
  });
});

describe('usage that comes after a switch, of the time before it', () => {
  it('is counted where its window is open still, and trued up where it is closed', async () => {
    await app.advance('2026-01-20T00:00:00Z');
    for (const customer of ['late', 'moves late', 'stays late', 'weeks', 'weeks apart']) {
      await uses(customer, 3, '2026-01-16T00:00:00Z');
    }
    await uses('weeks', 4, '2026-01-20T00:00:00Z');
    await uses('weeks apart', 4, '2026-01-20T00:00:00Z');
    await app.advance('2026-02-01T01:00:00Z');
    // The fee of the new plan is 30.00; 3 late units on the old plan cost 2.00 each.
    expect(await lines('gone')).toEqual([[30, 1]]);
    expect(await lines('late')).toEqual([
      [6, 3],
      [30, 1],
    ]);
    // Each of the three metrics has 4 units, or 7 with late usage, of which 5 are free.
    expect(await lines('moves')).toEqual([]);
    expect(await lines('moves late')).toEqual([2, 2, 2].map(() => [4, 7]));
    // The old plan counts 7 units at 1.00.
    expect(await lines('stays late')).toEqual([1, 1, 1].map(() => [7, 7]));
    // The week of 15 January has 7 units on the new plan, or 3 and 4 units where usage is kept separate.
    expect(await lines('weeks')).toEqual([[4, 7]]);
    expect(await lines('weeks apart')).toEqual([
      [1, 6],
      [1, 6],
    ]);
    expect(await lines('dates')).toEqual([[8, 4]]);
  });
});
