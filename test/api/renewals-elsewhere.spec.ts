import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Shown {
  readonly subscription_id: string;
  readonly start_date: string;
  readonly end_date: string;
}
interface Invoice {
  readonly amount: number;
  readonly line_items: readonly { readonly base: number; readonly name: string }[];
}

let app: TestApp;
let shop: Shop;

const fee = (amount: number, changes: object = {}) => ({
  recurring_charges: [
    { name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate', ...changes },
  ],
});
const running = async (customer: string): Promise<Shown> => {
  const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`);
  expect(body).toHaveLength(1);
  return body[0];
};
const moves = (customer: string, timezone: string) =>
  app.request.patch(`/api/customers/${customer}/`).send({ timezone }).expect(200);
const ends = async (customer: string) => {
  const { subscription_id: id } = await running(customer);
  const changes = { turn_off_auto_renew: true };
  await app.request.post(`/api/subscriptions/${id}/update/`).send(changes).expect(200);
};
/** Returns the amounts of the customer's invoices, newest first. */
const amounts = async (customer: string): Promise<number[]> =>
  (await shop.invoices(`?customer_id=${customer}`)).map(({ amount }: Invoice) => amount);
const MOVES = [
  ['west', 'America/Los_Angeles', '2026-03-01T07:59:59.999999Z', '2026-04-01T06:59:59.999999Z'],
  ['east', 'Asia/Tokyo', '2026-02-28T14:59:59.999999Z', '2026-03-31T14:59:59.999999Z'],
] as const;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2025-12-31T23:00:00Z' });
  shop = shopOf(app);
  const metric = await shop.metric();
  const weekly = { reset_interval_unit: 'week', reset_interval_count: 1 };
  const plan = await shop.plan('plan', {
    ...fee(31),
    components: [
      {
        metric_id: metric,
        ...weekly,
        tiers: [
          { type: 'free', range_start: 0, range_end: 2 },
          { type: 'per_unit', range_start: 2, cost_per_batch: 1, metric_units_per_batch: 1 },
        ],
      },
    ],
  });
  const yearly = await shop.plan(
    'yearly',
    fee(1, { reset_interval_unit: 'month', reset_interval_count: 1, charge_behavior: 'full' }),
    { plan_duration: 'yearly' },
  );
  const cents = await shop.plan('cents', fee(0.05));
  for (const [customer] of MOVES) {
    await shop.customer(customer, { timezone: 'Europe/Berlin' });
    await shop.subscribe(customer, plan, '2026-01-01T00:00:00+01:00');
    await shop.customer(`${customer} for years`, { timezone: 'Europe/Berlin' });
    await shop.subscribe(`${customer} for years`, yearly, '2026-01-01T00:00:00+01:00');
  }
  await shop.customer('cents');
  await shop.subscribe('cents', cents, '2026-01-01');
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(20);
  await app.stop();
});

describe('a renewal', () => {
  it.each(MOVES)(
    'of a customer who moved %s is a whole month, at its whole price',
    async (...[to, , first]) => {
      if (to === 'west') {
        for (const [customer, zone] of MOVES) {
          await moves(customer, zone);
          await moves(`${customer} for years`, zone);
        }
        await app.advance('2026-02-01T12:00:00Z');
      }
      expect(await running(to)).toMatchObject({ start_date: '2026-01-31T23:00:00Z', end_date: first });
      expect((await amounts(to))[0]).toBe(31);
      await shop.use(...times(3, '2026-02-01T12:00:00Z').map((event) => ({ ...event, customer: to })));
    },
  );

  it.each(MOVES)(
    '%s: its first window is one, and the next renewal continues from it',
    async (...[to, , , next]) => {
      await app.advance('2026-03-01T12:00:00Z');
      // Three units in one window, two of which are free.
      expect((await amounts(to))[0]).toBe(32);
      expect(await running(to)).toMatchObject({ end_date: next });
    },
  );

  it('after an end that was set inside a period charges the rest of the price', async () => {
    const { subscription_id: id } = await running('cents');
    const at = '2026-03-16T12:00:00Z';
    await app.request.post(`/api/subscriptions/${id}/update/`).send({ end_date: at }).expect(200);
    await app.advance('2026-03-16T13:00:00Z');
    expect(await running('cents')).toMatchObject({
      start_date: at,
      end_date: '2026-03-31T23:59:59.999999Z',
    });
    const [newest] = (await shop.invoices('?customer_id=cents')) as Invoice[];
    const bases = newest!.line_items.map(({ base }) => base).filter((base) => base !== 0);
    expect(bases.sort()).toEqual([-0.05, 0.02, 0.03]);
    await app.advance('2026-04-01T01:00:00Z');
    expect((await amounts('cents'))[0]).toBe(0.05);
  });

  it.each(MOVES)('of a year %s has twelve windows of a month', async (...[to]) => {
    // Ends the subscriptions whose weekly windows would cause two hundred runs in two years that no test reads.
    if (to === 'west') for (const customer of ['west', 'east', 'cents']) await ends(customer);
    await app.advance('2028-01-01T12:00:00Z');
    // Twenty-four months, and the first month of the third year.
    const charged = await amounts(`${to} for years`);
    expect(charged).toEqual(Array.from({ length: 25 }, () => 1));
  });
});
