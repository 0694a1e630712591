import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Line {
  readonly quantity: number;
  readonly subtotal: number;
  readonly amount: number;
  readonly plan: object | null;
}

const WEEKLY = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
const perUnit = (cost: number, from = 0, to: number | null = null) => ({
  type: 'per_unit',
  range_start: from,
  range_end: to,
  cost_per_batch: cost,
  metric_units_per_batch: 1,
});

let app: TestApp;
let shop: Shop;
let metric: string;

const taxedWith = (rate: number) =>
  app.request.patch('/api/customers/acme/').send({ tax_rate: rate }).expect(200);
/** Returns quantity, subtotal and amount of each line of the newest invoice, without credits. */
const newest = async (): Promise<number[][]> =>
  (await shop.invoices())[0].line_items
    .filter(({ plan }: Line) => plan)
    .map(({ quantity, subtotal, amount }: Line) => [quantity, subtotal, amount]);
const dues = async (): Promise<number[]> =>
  (await shop.invoices()).map(({ cost_due: due }: { cost_due: number }) => due);

describe('a window that is billed while the tax rate changes (docs/billing.md#tax)', () => {
  beforeEach(async () => {
    app = await startTestApp();
    shop = shopOf(app);
    metric = await shop.metric();
    await shop.customer('acme', { tax_rate: 10 });
  });
  afterEach(() => app.stop());

  const subscribed = async (tiers: object[], volume: boolean) => {
    const component = { metric_id: metric, tiers, bulk_pricing_enabled: volume, ...WEEKLY };
    const plan = await shop.plan('calls', { recurring_charges: [], components: [component] });
    await shop.subscribe('acme', plan, '2026-01-01');
    await shop.use(...times(10, '2026-01-01T10:00:00Z'));
    await app.advance('2026-01-08T00:30:00Z');
    expect(await newest()).toEqual([[10, 10, 11]]);
    await taxedWith(20);
  };

  it('what volume prices credit back of it has the rate that it was charged with, the newest first', async () => {
    await subscribed([perUnit(1, 0, 20), perUnit(0.1, 20)], true);
    await shop.use(...times(10, '2026-01-08T10:00:00Z'));
    await app.advance('2026-01-15T00:30:00Z');
    expect(await newest()).toEqual([[10, 10, 12]]);
    await taxedWith(25);
    await shop.use(...times(1, '2026-01-15T10:00:00Z'));
    await app.advance('2026-01-22T00:30:00Z');
    expect(await newest()).toEqual([
      [1, -10, -12],
      [0, -7.9, -8.69],
    ]);
    // 2.10 at a rate of 10 % remain charged.
    expect(await dues()).toEqual([0, 0, 2.31]);
    await verifyAll(app);
  });

  it('its voided part is charged again with its rate, and what is new has the rate of the day', async () => {
    await subscribed([perUnit(1)], false);
    const [{ invoice_id: id }] = await shop.invoices();
    await app.request.post(`/api/invoices/${id}/void/`).send({}).expect(200);
    await shop.use(...times(3, '2026-01-08T00:10:00Z'), ...times(5, '2026-01-03T00:00:00Z'));
    await app.advance('2026-01-15T00:30:00Z');
    expect(await newest()).toEqual([
      [18, 10, 11],
      [0, 8, 9.6],
    ]);
    await verifyAll(app);
  });
});
