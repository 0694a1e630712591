import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const WEEK = { reset_interval_unit: 'week', reset_interval_count: 1 };

interface Invoice {
  readonly line_items: readonly { readonly base: number }[];
}

let app: TestApp;
let shop: Shop;
let other: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const metric = await shop.metric();
  const priced = (amount: number) => ({
    recurring_charges: [aChargeBody({ amount, ...WEEK })],
    components: [
      aComponentBody(metric, {
        ...WEEK,
        tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }],
      }),
    ],
  });
  const plan = await shop.plan('weekly fee', priced(7));
  other = await shop.plan('another weekly fee', priced(173));
  const weeks = await shop.plan('of a week', priced(7), { plan_duration: null });
  for (const [customer, planId] of [
    ['cancels', plan],
    ['switches', plan],
    ['goes on', weeks],
  ] as const) {
    await shop.customer(customer);
    await shop.subscribe(customer, planId, '2026-01-01');
  }
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(10);
  await app.stop();
});

const running = async (customer: string): Promise<string> => {
  const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`);
  return body[0].subscription_id;
};
const act = async (customer: string, name: string, body: object) =>
  app.request
    .post(`/api/subscriptions/${await running(customer)}/${name}/`)
    .send(body)
    .expect(200);
const moves = (customer: string, timezone: string) =>
  app.request.patch(`/api/customers/${customer}/`).send({ timezone }).expect(200);
/** Returns the amounts of the lines of the customer's newest invoice, without lines of 0. */
const newestLines = async (customer: string): Promise<number[]> => {
  const [newest] = (await shop.invoices(`?customer_id=${customer}`)) as Invoice[];
  return newest!.line_items
    .map(({ base }) => base)
    .filter((base) => base !== 0)
    .sort((a, b) => a - b);
};

describe('a customer moves from UTC to New York', () => {
  it('and a plan of a week keeps the dates of its boundaries', async () => {
    await app.advance('2026-01-02T00:00:00Z');
    await moves('goes on', 'America/New_York');
    await app.advance('2026-01-13T00:00:00Z');
    const { body } = await app.request.get('/api/subscriptions/?customer_id=goes%20on&status=active');
    expect(body).toMatchObject([
      { start_date: '2026-01-08T00:00:00Z', end_date: '2026-01-15T04:59:59.999999Z' },
    ]);
    expect(await newestLines('goes on')).toEqual([7]);
  });

  it('and a cancellation before midnight of New York settles the week that has begun', async () => {
    for (const customer of ['cancels', 'switches']) await moves(customer, 'America/New_York');
    await app.advance('2026-02-01T01:00:00Z');
    for (const customer of ['cancels', 'switches']) {
      await shop.use(...Array.from({ length: 5 }, () => ({ customer, at: '2026-02-01T00:59:00Z' })));
    }
    await app.advance('2026-02-01T02:00:00Z');
    await act('cancels', 'cancel', {});
    expect(await newestLines('cancels')).toEqual([-7, 0.08, 5]);
  });

  it('and a switch is answered where the end was set before midnight of New York', async () => {
    await act('switches', 'update', { end_date: '2026-02-01T04:00:00Z', turn_off_auto_renew: true });
    await act('switches', 'switch_plan', { switch_plan_id: other });
    expect(await newestLines('switches')).toEqual([-7, 0.08, 2]);
    await app.advance('2026-02-01T05:00:00Z');
    expect(await newestLines('switches')).toEqual([5]);
  });
});
