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
  const weeks = await shop.plan('of a week', priced(7), { plan_duration: null });
  await shop.customer('goes on');
  await shop.subscribe('goes on', weeks, '2026-01-01');
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(1);
  await app.stop();
});

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
});
