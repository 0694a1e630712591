import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { add, divide, exactText, multiply, readExactText } from '../../src/kernel/quantity.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { Random } from '../support/random.js';
import { shopOf, type Shop } from '../support/shop.js';

interface Usage {
  readonly quantity: string;
  readonly rate: {
    readonly idempotency_id: string;
    readonly start: string;
    readonly end: string;
    readonly event_count: number;
    readonly values: number;
    readonly total: string;
  } | null;
  readonly gauge: {
    readonly peak_at: string | null;
    readonly runs: readonly {
      readonly start: string;
      readonly peak: string;
      readonly seconds: string;
      readonly granularity_seconds: string;
      readonly quantity: string;
    }[];
    readonly further_runs: { readonly runs: number; readonly quantity: string } | null;
  } | null;
}

interface UsageLine {
  readonly line: number;
  readonly name: string;
  readonly rule: string;
  readonly usage: Usage;
}

const RATE = { metric_type: 'rate', property_name: 'n' };
const GAUGE = { metric_type: 'gauge', aggregation_type: 'max', property_name: 'n' };
const METRICS = {
  hourly: { ...RATE, aggregation_type: 'sum', granularity: 'hours' },
  daily: { ...RATE, aggregation_type: 'average', granularity: 'days' },
  highest: { ...RATE, aggregation_type: 'max', granularity: 'days' },
  busiest: { metric_type: 'rate', aggregation_type: 'count', granularity: 'hours' },
  set: { ...GAUGE, event_type: 'total', granularity: 'months', proration: 'days' },
  moved: { ...GAUGE, event_type: 'delta', granularity: 'days', proration: 'hours' },
  reached: { ...GAUGE, event_type: 'delta', granularity: 'months' },
  counted: { metric_type: 'counter', aggregation_type: 'count' },
};
const NAMES = Object.keys(METRICS) as (keyof typeof METRICS)[];
const CUSTOMERS = ['acme', 'beta', 'gamma', 'empty'];

let app: TestApp;
let shop: Shop;
const lines: (UsageLine & { readonly invoice: string })[] = [];

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const components: object[] = [];
  for (const [name, definition] of Object.entries(METRICS)) {
    const metric = await shop.metric({
      metric_name: name,
      event_name: name,
      property_name: undefined,
      ...definition,
    });
    const tiers = perUnitTiers();
    components.push(aComponentBody(metric, { tiers, reset_interval_unit: 'week' }));
  }
  const plan = await shop.plan('Levels', { recurring_charges: [], components });
  for (const customer of CUSTOMERS) {
    await shop.customer(customer, { timezone: 'America/New_York' });
    await shop.subscribe(customer, plan, '2026-01-01');
  }
  const random = new Random(20261128);
  for (const week of [1, 8, 15, 22]) {
    await app.advance(`2026-01-${String(week + 6).padStart(2, '0')}T12:00:00Z`);
    const sent = CUSTOMERS.slice(0, 3).flatMap((customer) =>
      NAMES.flatMap((name) =>
        Array.from({ length: random.integer(0, 8) }, () => ({
          customer,
          name,
          at: `2026-01-${String(week + random.integer(0, 5)).padStart(2, '0')}T${String(random.integer(0, 23)).padStart(2, '0')}:${random.pick(['00:00', '30:00.5'])}Z`,
          properties: random.chance(0.9) ? { n: random.integer(-4, 12) / random.pick([1, 8]) } : {},
        })),
      ),
    );
    await shop.use(...sent);
  }
  await app.advance('2026-02-03T00:00:00Z');
  for (const { invoice_number: invoice } of await shop.invoices()) {
    const { body } = await app.request.get(`/api/invoices/${invoice}/explain/`).expect(200);
    for (const line of body.lines as UsageLine[]) if (line.rule === 'usage') lines.push({ ...line, invoice });
  }
});
afterAll(() => app.stop());

const linesOf = (...names: readonly string[]) => lines.filter(({ name }) => names.includes(name));

/** Recomputes the quantity of a gauge with what a pocket calculator can do. */
const gaugeOf = ({ runs, further_runs: further }: NonNullable<Usage['gauge']>): string => {
  const parts = runs.map(({ peak, seconds, granularity_seconds: whole }) =>
    divide(multiply(readExactText(peak), readExactText(seconds)), readExactText(whole)),
  );
  return exactText(parts.reduce(add, readExactText(further?.quantity ?? '0')));
};

describe('the quantity of a line follows from its explanation (docs/contract.md#explain-and-verify)', () => {
  it('of a gauge: peak × length of each run, divided by the length of the granularity, summed', () => {
    const gauges = linesOf('set', 'moved', 'reached');
    expect(gauges.filter(({ usage }) => usage.gauge!.runs.length > 1).length).toBeGreaterThan(5);
    for (const { usage } of gauges) {
      expect(gaugeOf(usage.gauge!)).toBe(usage.quantity);
      for (const run of usage.gauge!.runs)
        expect(gaugeOf({ peak_at: null, runs: [run], further_runs: null })).toBe(run.quantity);
      expect(usage.rate).toBe(null);
    }
  });

  it('of a gauge without proration: the peak, with the instant at which the level reached it', () => {
    const reached = linesOf('reached').filter(({ usage }) => usage.quantity !== '0');
    expect(reached.length).toBeGreaterThan(3);
    for (const { usage } of reached) {
      const { peak_at: at, runs } = usage.gauge!;
      expect(runs).toMatchObject([{ peak: usage.quantity }]);
      expect(at! >= runs[0]!.start).toBe(true);
    }
    for (const { usage } of linesOf('set', 'moved')) expect(usage.gauge!.peak_at).toBe(null);
  });

  it('of a rate: the events of its highest window, which ends with the event that is named', async () => {
    const rates = linesOf('hourly', 'daily', 'highest', 'busiest');
    expect(rates.filter(({ usage }) => usage.rate).length).toBeGreaterThan(20);
    for (const { usage, name, invoice, line } of rates) {
      const { rate: window } = usage;
      if (!window) {
        expect(usage.quantity).toBe('0');
        continue;
      }
      const path = `/api/invoices/${invoice}/explain/lines/${line}/events/?limit=1000`;
      const { body } = await app.request.get(path).expect(200);
      const inside = (
        body as { idempotency_id: string; time_created: string; properties: { n?: number } }[]
      ).filter(({ time_created: at }) => at >= window.start && at <= window.end);
      expect(inside).toHaveLength(window.event_count);
      expect(inside.at(-1)).toMatchObject({
        idempotency_id: window.idempotency_id,
        time_created: window.end,
      });
      const values = inside.flatMap(({ properties: { n } }) => n ?? []);
      const sum = values.reduce((all, value) => all + value, 0);
      const total = { hourly: sum, daily: sum, highest: Math.max(0, ...values), busiest: inside.length }[
        name
      ]!;
      expect(window.total).toBe(String(total));
      expect(window.values).toBe(name === 'busiest' ? inside.length : values.length);
      const number = readExactText(String(Math.max(1, window.values)));
      const averaged = exactText(divide(readExactText(window.total), number));
      expect(name === 'daily' ? averaged : window.total).toBe(usage.quantity);
    }
  });

  it('is the same as of a moment after the invoice was issued', async () => {
    const { invoice } = linesOf('moved')[0]!;
    const path = `/api/invoices/${invoice}/explain/`;
    const now = await app.request.get(path).expect(200);
    const past = await app.request.get(`${path}?as_of=2026-02-02T12:00:00Z`).expect(200);
    expect(past.body.lines.map(({ usage }: UsageLine) => usage)).toEqual(
      now.body.lines.map(({ usage }: UsageLine) => usage),
    );
    expect(past.body.lines.some(({ usage }: UsageLine) => usage?.gauge?.runs.length)).toBe(true);
  });

  it('of a counter has neither', () => {
    for (const { usage } of linesOf('counted')) expect(usage).toMatchObject({ rate: null, gauge: null });
  });
});
