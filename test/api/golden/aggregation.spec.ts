import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aComponentBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden, perUnit } from './golden.js';

const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
const EVENTS = [
  { at: at(5), properties: { n: 5, u: 'a' } },
  { at: at(6), properties: { n: 2, u: 'b' } },
  { at: at(7), properties: { n: 9, u: 'a' } },
  { at: at(7), properties: { u: 'c' } },
];
const EDGES = [
  ...['2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00Z'],
  ...['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00Z'],
].map((time) => ({ at: time, properties: {} }));
const CANCEL = { usage_behavior: 'bill_full', invoicing_behavior: 'invoice_now' };
const SUM = { aggregation_type: 'sum', property_name: 'n' };

const GAUGE = {
  metric_type: 'gauge',
  aggregation_type: 'max',
  property_name: 'n',
  event_type: 'total',
  granularity: 'months',
};
/** Returns one reading a day, from the first of the month on. */
const daily = (...levels: number[]) =>
  levels.map((n, day) => ({
    at: `2026-01-${String(day + 1).padStart(2, '0')}T00:00:00Z`,
    properties: { n },
  }));
const minutely = (from: string, levels: number[]) =>
  levels.map((n, minute) => ({
    at: new Date(Date.parse(from) + minute * 60_000).toISOString(),
    properties: { n },
  }));
const MINUTES = [8, 8, 8, 9, 9, 10, 11, 6, 6, 12, 0];
const repeated = (level: number, days: number): number[] => Array<number>(days).fill(level);
const freeTo = (end: number) => [{ type: 'free', range_start: 0, range_end: end }, perUnit(100, end)];

interface Used {
  readonly metric: object;
  readonly tiers?: readonly object[];
  readonly events: readonly { readonly at: string; readonly properties: object }[];
}

/** Usage of gauges, for the cases that state an amount. */
const LEVELS: Record<string, Used> = {
  'gauge-no-proration': {
    metric: GAUGE,
    tiers: freeTo(3),
    events: daily(...repeated(3, 10), ...repeated(7, 10), 4),
  },
  'gauge-test-total': {
    metric: GAUGE,
    tiers: freeTo(3),
    events: daily(1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 3),
  },
  'gauge-test-daily': {
    metric: { ...GAUGE, proration: 'days' },
    tiers: freeTo(3),
    events: daily(...repeated(3, 9), 4, 4, 4, 5, 5, 5, 6, 6, 6, 3),
  },
  'gauge-test-delta': {
    metric: { ...GAUGE, event_type: 'delta', proration: 'days' },
    tiers: freeTo(3),
    events: daily(3, 1, 1, 1, 0, -1, -1, -1),
  },
  'gauge-test-subday': {
    metric: { ...GAUGE, granularity: 'hours', proration: 'minutes' },
    tiers: freeTo(1),
    events: minutely('2026-01-05T23:55:00Z', MINUTES),
  },
  'gauge-test-total-granularity': {
    metric: { ...GAUGE, granularity: 'total', proration: 'minutes' },
    tiers: [perUnit(100)],
    events: minutely(
      '2026-01-05T10:00:00Z',
      MINUTES.map((n) => n * 100),
    ),
  },
};

/** Usage in January 2026 by case. Each case has its own customer. */
const USED: Record<string, Used> = {
  ...LEVELS,
  'agg-unique': { metric: { aggregation_type: 'unique', property_name: 'u' }, events: EVENTS },
  'agg-average-none': { metric: { aggregation_type: 'average', property_name: 'n' }, events: [] },
  'agg-numeric-filter': {
    metric: { numeric_filters: [{ property_name: 'n', operator: 'gt', comparison_value: 3 }] },
    events: EVENTS,
  },
  'agg-isin': {
    metric: { categorical_filters: [{ property_name: 'u', operator: 'isin', comparison_value: ['a'] }] },
    events: EVENTS,
  },
  'agg-negative': { metric: SUM, events: [{ at: at(5), properties: { n: -5 } }] },
  'agg-non-numeric': { metric: SUM, events: [{ at: at(5), properties: { n: 'abc' } }] },
  'agg-boundaries': { metric: {}, events: EDGES },
};

interface Line {
  readonly name: string;
  readonly quantity: number | null;
  readonly subtotal: number;
  readonly metadata: object;
}

describe('golden: aggregation', () => {
  let app: TestApp;
  let shop: Shop;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    for (const [id, { metric, tiers = [perUnit(1)] }] of Object.entries(USED)) {
      const components = [aComponentBody(await shop.metric({ metric_name: id, ...metric }), { tiers })];
      // The default fee is included, so that a line of 0 is shown too.
      const plan = await shop.plan(id, { components });
      await shop.customer(id);
      await shop.subscribe(id, plan, '2026-01-01');
    }
    const components = [aComponentBody(await shop.metric(), { tiers: [perUnit(1)] })];
    const plan = await shop.plan('agg-single-full-day', { recurring_charges: [], components });
    await shop.customer('agg-single-full-day');
    await app.advance('2026-01-01T10:00:00Z');
    const begun = await shop.subscribe('agg-single-full-day', plan, '2026-01-01T10:00:00Z');
    await app.advance('2026-01-03T14:00:00Z');
    const used = times(10, '2026-01-02T11:00:00Z').map((event) => ({
      ...event,
      customer: 'agg-single-full-day',
    }));
    await shop.use(...used, ...usedIn((day) => day < '2026-01-03'));
    await app.request.post(`/api/subscriptions/${begun.subscription_id}/cancel/`).send(CANCEL).expect(200);
    await app.advance('2026-02-01T00:10:00Z');
    await shop.use(...usedIn((day) => day >= '2026-01-03'));
    await app.advance('2026-02-01T01:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  const usedIn = (isIn: (at: string) => boolean) =>
    Object.entries(USED).flatMap(([customer, { events }]) =>
      events.filter((event) => isIn(event.at)).map((event) => ({ ...event, customer })),
    );
  const usageLine = async (customer: string): Promise<Line> => {
    const [{ line_items: lines }] = await shop.invoices(`?customer_id=${customer}`);
    return lines.find(({ name }: Line) => name !== 'platform fee');
  };

  for (const id of Object.keys(LEVELS)) {
    golden(id, async ({ expect: wanted }) => {
      const { quantity, subtotal } = await usageLine(id);
      const { usage = String(quantity), amount } = wanted!;
      expect([String(quantity), subtotal.toFixed(2)]).toEqual([usage, amount]);
    });
  }

  for (const id of Object.keys(USED).filter((name) => name !== 'agg-negative' && !(name in LEVELS))) {
    golden(id, async ({ expect: wanted }) => {
      const { quantity, subtotal } = await usageLine(id);
      expect({ quantity, subtotal }).toEqual({
        quantity: Number(wanted!.usage),
        subtotal: Number(wanted!.usage),
      });
    });
  }

  golden('agg-negative', async ({ expect: wanted }) => {
    const { subtotal, metadata } = await usageLine('agg-negative');
    expect(subtotal.toFixed(2)).toBe(wanted!.amount);
    expect(metadata).not.toEqual({});
  });

  golden('agg-single-full-day', async ({ expect: wanted }) => {
    const { quantity, subtotal } = await usageLine('agg-single-full-day');
    expect([String(quantity), subtotal.toFixed(2)]).toEqual([wanted!.usage, wanted!.amount]);
  });
});
