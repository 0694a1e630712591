import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody, aComponentBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden, perUnit } from './golden.js';

const WEEKLY = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
const FREE_5 = { type: 'free', range_start: 0, range_end: 5 };
const inJanuary = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`;

describe('golden: resetting and invoicing intervals', () => {
  let app: TestApp;
  let shop: Shop;
  let metric: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
    shop = shopOf(app);
    metric = await shop.metric();
    const fee = (amount: number, changes: object = {}) => [aChargeBody({ amount, ...changes })];
    const usage = (changes: object) => [aComponentBody(metric, { tiers: [perUnit(1)], ...changes })];
    const sell = async (
      customer: string,
      version: object,
      start = '2026-01-01',
      plan_duration = 'monthly',
    ) => {
      await shop.customer(customer);
      const plan = await shop.plan(customer, { recurring_charges: [], ...version }, { plan_duration });
      await shop.subscribe(customer, plan, start, {
        auto_renew: plan_duration === 'yearly' || customer === 'fee',
      });
    };
    await sell('daily', { components: usage(WEEKLY) });
    await sell('weekly', { components: usage(WEEKLY) });
    await sell('fee', { recurring_charges: fee(30), components: usage(WEEKLY) });
    const tiers = [FREE_5, perUnit(1, 5)];
    await sell('reset', {
      components: usage({ tiers, reset_interval_unit: 'day', reset_interval_count: 1 }),
    });
    const everyDay = { reset_interval_unit: 'day', reset_interval_count: 1 };
    await sell('reset fee', { recurring_charges: fee(10, everyDay) });
    const everyWeek = { reset_interval_unit: 'week', reset_interval_count: 1 };
    const everyTwoDays = { invoicing_interval_unit: 'day', invoicing_interval_count: 2 };
    const weekly = fee(10, { ...everyWeek, ...everyTwoDays });
    await sell('week fee', { recurring_charges: weekly }, '2025-12-27T00:00:10Z');
    const monthly = {
      reset_interval_unit: 'month',
      reset_interval_count: 1,
      invoicing_interval_unit: 'month',
      invoicing_interval_count: 1,
    };
    await sell('year', { recurring_charges: fee(12, monthly) }, '2026-01-01', 'yearly');
    atCreation = { reset: await amounts('reset fee'), week: await amounts('week fee') };

    const used: Record<string, Record<number, number>> = {
      weekly: { 5: 10, 12: 10, 19: 10, 26: 10 },
      fee: { 5: 10 },
      reset: { 5: 8, 6: 4 },
    };
    for (let day = 1; day <= 31; day += 1) {
      const at = inJanuary(day);
      await app.advance(at);
      const events = [{ at, customer: 'daily' }];
      for (const [customer, days] of Object.entries(used)) {
        events.push(...times(days[day] ?? 0, at).map((event) => ({ ...event, customer })));
      }
      await shop.use(...events);
    }
    await app.advance('2026-02-01T01:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  interface Invoice {
    readonly issue_date: string;
    readonly cost_due: number;
    readonly line_items: readonly { readonly billing_type: string }[];
  }
  let atCreation: Record<string, string[]>;
  /** Returns the invoices of a customer, oldest first. */
  const invoices = async (customer: string): Promise<Invoice[]> =>
    [...(await shop.invoices(`?customer_id=${customer}`))].reverse();
  const amounts = async (customer: string) =>
    (await invoices(customer)).map((one) => one.cost_due.toFixed(2));
  const issued = async (customer: string) =>
    (await invoices(customer)).map((one) => [one.issue_date.slice(0, 10), one.cost_due.toFixed(2)]);

  golden('interval-weekly-invoicing-dates', async ({ expect: wanted }) => {
    expect(await issued('daily')).toEqual(wanted!.invoices);
    const types = (await invoices('daily')).map(({ line_items: [line] }) => line!.billing_type);
    expect(types.slice(0, 4)).toEqual(Array(4).fill('intermediate'));
  });

  golden('interval-weekly-usage-delta', async ({ expect: wanted }) => {
    const due = (await amounts('weekly')).filter((amount) => amount !== '0.00');
    expect(due).toEqual(wanted!.each);
  });

  golden('interval-mid-period-no-renewal', async ({ expect: wanted }) => {
    const [_fee, ...later] = await issued('fee');
    expect(later).toEqual([
      ['2026-01-08', wanted!.jan8],
      ['2026-02-01', wanted!.feb1],
    ]);
  });

  golden('interval-daily-reset-windows', async ({ expect: wanted }) => {
    expect(await amounts('reset')).toEqual([wanted!.invoice]);
  });

  golden('interval-daily-reset-charge', async ({ expect: wanted }) => {
    expect(atCreation.reset).toEqual([wanted!.invoice]);
  });

  golden('interval-weekly-reset-charge', async ({ expect: wanted }) => {
    expect(atCreation.week).toEqual([wanted!.invoice]);
  });

  golden('interval-yearly-monthly-charge', async ({ expect: wanted }) => {
    for (let month = 2; month <= 12; month += 1) {
      await app.advance(`2026-${String(month).padStart(2, '0')}-01T01:30:00Z`);
    }
    const paid = await issued('year');
    const starts = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`);
    expect(paid).toEqual(starts.map((start) => [start, wanted!.each]));
    expect(paid.reduce((sum, [, amount]) => sum + Number(amount), 0).toFixed(2)).toBe(wanted!.year);
  });
});
