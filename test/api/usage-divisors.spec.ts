import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const LEVEL = { metric_type: 'gauge', aggregation_type: 'max', event_type: 'total', property_name: 'n' };
const RATE = { metric_type: 'rate', aggregation_type: 'sum', property_name: 'n' };
const PER_UNIT = (cost: number) => [
  { type: 'per_unit', range_start: 0, cost_per_batch: cost, metric_units_per_batch: 1 },
];
const WEEKLY = { reset_interval_unit: 'week', reset_interval_count: 1 };
const BILLED_WEEKLY = { ...WEEKLY, invoicing_interval_unit: 'week', invoicing_interval_count: 1 };

/** Tests four subscriptions that start on 1 January and one that starts on 20 February, on one clock. */
describe('what usage is divided by (docs/billing.md#granularity)', () => {
  let app: TestApp;
  let shop: Shop;
  const subscriptions = new Map<string, string>();

  const begin = async (customer: string, metric: object, cost: number, intervals = {}, version = {}) => {
    const metricId = await shop.metric({ metric_name: customer, event_name: customer, ...metric });
    const components = [aComponentBody(metricId, { tiers: PER_UNIT(cost), ...intervals })];
    const plan = await shop.plan(customer, { recurring_charges: [], components, ...version });
    await shop.customer(customer);
    const start = version === ANCHORED ? '2026-02-20' : '2026-01-01';
    const { subscription_id: id } = await shop.subscribe(customer, plan, start);
    subscriptions.set(customer, id);
  };
  const use = async (customer: string, at: string, n: number) => {
    const event = { event_name: customer, customer_id: customer, idempotency_id: `${customer} ${at}` };
    await app.request
      .post('/api/track/')
      .send({ batch: [{ ...event, time_created: at, properties: { n } }] })
      .expect(201);
  };
  const cancel = (customer: string) =>
    app.request
      .post(`/api/subscriptions/${subscriptions.get(customer)!}/cancel/`)
      .send({})
      .expect(200);
  /** Returns the amounts of a customer's invoices, oldest first. */
  const amounts = async (customer: string): Promise<number[]> =>
    (await shop.invoices(`?customer_id=${customer}`))
      .map(({ amount }: { amount: number }) => amount)
      .reverse();
  const ANCHORED = { day_anchor: 25 };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const total = { ...LEVEL, granularity: 'total', proration: 'days' };
    await begin('weekly', total, 31, BILLED_WEEKLY);
    await begin('monthly', total, 31);
    await begin('surging', { ...RATE, granularity: 'total' }, 1, BILLED_WEEKLY);
    for (const customer of ['weekly', 'monthly']) await use(customer, '2026-01-01T00:00:00Z', 3);
    await app.advance('2026-01-02T00:00:00Z');
    await use('surging', '2026-01-02T00:00:00Z', 10);
    await app.advance('2026-01-11T00:00:00Z');
    for (const customer of subscriptions.keys()) await cancel(customer);
    await app.advance('2026-01-12T00:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  it('of a granularity `total` is the full period, also when the term is cancelled', async () => {
    expect(await amounts('monthly')).toEqual([30]);
  });

  it('of a window that was billed does not change when the term is cancelled', async () => {
    expect(await amounts('weekly')).toEqual([21, 9]);
  });

  it('of a rate by `total` is the full period, in every window', async () => {
    expect(await amounts('surging')).toEqual([10]);
  });

  it('stays the same for late usage: what changes no level brings no invoice', async () => {
    await use('weekly', '2026-01-03T00:00:00Z', 3);
    await use('surging', '2026-01-03T00:00:00Z', 0);
    await app.advance('2026-01-14T00:00:00Z');
    expect(await amounts('weekly')).toEqual([21, 9]);
    expect(await amounts('surging')).toEqual([10]);
  });

  it('of months counts from the anchor of the term, also in weeks of a first partial period', async () => {
    await app.advance('2026-02-20T00:00:00Z');
    await begin('anchored', { ...LEVEL, granularity: 'months', proration: 'days' }, 31, WEEKLY, ANCHORED);
    await use('anchored', '2026-02-20T00:00:00Z', 3);
    await app.advance('2026-02-25T00:30:00Z');
    expect(await amounts('anchored')).toEqual([15]);
  });
});
