import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

/** Tests docs/billing.md#late-usage and docs/architecture.md#usage-log, in the order of the clock. */
describe('late usage', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;
  let feeless: string;
  let levels: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const tiers = perUnitTiers();
    const metricId = await shop.metric({
      categorical_filters: [{ property_name: 'kind', operator: 'isnotin', comparison_value: ['test'] }],
    });
    const components = [aComponentBody(metricId, { tiers })];
    planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()], components });
    feeless = await shop.plan('Usage', { recurring_charges: [], components });
    const gaugeId = await shop.metric({
      metric_name: 'seats',
      metric_type: 'gauge',
      aggregation_type: 'max',
      property_name: 'seats',
      event_type: 'total',
      granularity: 'months',
    });
    levels = await shop.plan('Levels', {
      recurring_charges: [],
      components: [aComponentBody(gaugeId, { tiers })],
    });
    for (const [customer, plan] of [
      ['stayer', planId],
      ['leaver', feeless],
      ['grower', levels],
    ] as const) {
      await shop.customer(customer);
      await shop.subscribe(customer, plan, '2026-01-01');
    }
  });
  afterAll(() => app.stop());

  const used = (customer: string, count: number, at: string, properties: object = {}) =>
    shop.use(...times(count, at, properties).map((event) => ({ ...event, customer })));
  const linesOf = async (customer: string, place = 0) => {
    const invoice = (await shop.invoices(`?customer_id=${customer}`))[place];
    return invoice.line_items.map((line: { name: string; quantity: number; amount: number }) => [
      line.name,
      line.quantity,
      line.amount,
    ]);
  };

  it('within the grace is in the period its time says', async () => {
    await app.advance('2026-01-16T00:00:00Z');
    await used('stayer', 4, '2026-01-10T00:00:00Z');
    await app.advance('2026-02-01T00:29:00Z');
    await used('stayer', 1, '2026-01-31T23:59:59Z');
    await app.advance('2026-02-01T00:30:00Z');
    expect(await linesOf('stayer')).toEqual([
      ['requests', 5, 5],
      ['platform fee', 1, 30],
    ]);
  });

  it('shows on the draft, and is billed with the next boundary of the account', async () => {
    await used('stayer', 3, '2026-01-31T23:00:00Z');
    await used('stayer', 2, '2026-01-31T23:00:00Z', { kind: 'test' });
    const late = ['requests (late usage, 2026-01-01 to 2026-01-31)', 3, 3];
    const [draft] = await shop.drafts('stayer');
    expect(draft.line_items[0]).toMatchObject({ name: late[0], quantity: 3, amount: 3 });
    await app.advance('2026-03-01T00:30:00Z');
    expect(await linesOf('stayer')).toEqual([late, ['requests', 0, 0], ['platform fee', 1, 30]]);
  });

  it('of a level reaches every window that it carries into', async () => {
    await used('grower', 1, '2026-02-20T00:00:00Z', { seats: 7 });
    await app.advance('2026-04-01T00:30:00Z');
    expect(await linesOf('grower')).toEqual([
      ['seats (late usage, 2026-02-01 to 2026-02-28)', 7, 7],
      ['seats', 7, 7],
    ]);
  });

  it('of an account without a boundary is billed within the hour, once', async () => {
    const [{ subscription_id: id }] = (
      await app.request.get('/api/subscriptions/?customer_id=leaver&status=active').expect(200)
    ).body;
    await used('leaver', 2, '2026-04-01T00:10:00Z');
    await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    expect(await linesOf('leaver')).toEqual([['requests', 2, 2]]);
    const one = async () => (await app.request.get(`/api/subscriptions/${id}/`).expect(200)).body;
    expect(await one()).toMatchObject({ fully_billed: true });

    await used('leaver', 1, '2026-04-01T00:20:00Z');
    await app.advance('2026-04-01T00:59:00Z');
    expect(await shop.invoices('?customer_id=leaver')).toHaveLength(1);
    await app.advance('2026-04-01T01:30:00Z');
    expect(await linesOf('leaver')).toEqual([['requests (late usage, 2026-04-01)', 1, 1]]);
    const history = await app.request.get(`/api/subscriptions/${id}/history/`).expect(200);
    const closes = history.body.events.filter(({ type }: { type: string }) => type === 'UsagePeriodClosed');
    expect(closes).toHaveLength(2);
    expect(closes[1].data.supersedes).toBe(closes[0].data.closeId);
  });

  it('that a metric does not count makes nothing, and is looked at once', async () => {
    const runs = async () =>
      (await app.pool.query(`select count(*)::int as n from events where type = 'NothingDue'`)).rows[0].n;
    const before = await runs();
    await used('leaver', 1, '2026-04-01T00:21:00Z', { kind: 'test' });
    await app.advance('2026-04-01T03:00:00Z');
    expect(await runs()).toBe(before + 1);
    await app.advance('2026-04-01T05:00:00Z');
    expect(await runs()).toBe(before + 1);
    expect(await shop.invoices('?customer_id=leaver')).toHaveLength(2);
  });

  it('changes nothing that a recomputation finds', async () => {
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(7);
  });
});
