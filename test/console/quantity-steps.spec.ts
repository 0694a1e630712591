import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import {
  cutParts,
  eventually,
  neededWidth,
  seriousFaults,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';

const GAUGE = { metric_type: 'gauge', aggregation_type: 'max', property_name: 'n', granularity: 'months' };
const METRICS = {
  seats: { ...GAUGE, event_type: 'total', proration: 'days' },
  reached: { ...GAUGE, event_type: 'delta' },
  daily: {
    metric_type: 'rate',
    aggregation_type: 'average',
    granularity: 'days',
    property_name: 'n',
  },
};

let test: ConsoleTest;
let invoice: string;
beforeAll(async () => {
  test = await startConsoleTest({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(test.app);
  const components: object[] = [];
  for (const [name, definition] of Object.entries(METRICS)) {
    const metric = await shop.metric({ metric_name: name, event_name: name, ...definition });
    const tiers = [{ type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }];
    components.push(aComponentBody(metric, { tiers }));
  }
  const plan = await shop.plan('Levels', { recurring_charges: [], components });
  await shop.customer('acme');
  await shop.subscribe('acme', plan, '2026-01-01');
  await test.app.advance('2026-01-31T12:00:00Z');
  const levels = [
    ['2026-01-03T10:00:00Z', 4],
    ['2026-01-05T10:00:00Z', 6],
    ['2026-01-05T11:00:00Z', 1],
  ] as const;
  const sent = Object.keys(METRICS).flatMap((name) =>
    levels.map(([at, n]) => ({ name, at, properties: { n } })),
  );
  await shop.use(...sent);
  await test.app.advance('2026-02-02T00:00:00Z');
  [{ invoice_id: invoice }] = await shop.invoices();
});
afterAll(() => test.stop());

const open = async (line: number) => {
  const page = await test.open(`/invoices/${invoice}?line=${line}`);
  await page.getByText('3 events counted').waitFor();
  return page;
};

it('a prorated gauge has its spans of equal level, which sum to the quantity', async () => {
  const page = await open(1);
  const levels = page.getByRole('region', { name: 'Levels' });
  expect(await levels.locator('tr td:last-child').allInnerTexts()).toEqual([
    '8 ⁄ 31',
    '6 ⁄ 31',
    '26 ⁄ 31',
    '40 ⁄ 31',
  ]);
  await levels.getByText('× 172,800 ÷ 2,678,400').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(async () => {
    expect(await neededWidth(page)).toBe(390);
    expect(await cutParts(page)).toEqual([]);
  });
  await page.close();
});

it('a gauge without proration has the instant of its peak, a rate its highest window', async () => {
  const gauge = await open(2);
  await gauge.getByText(/^The level first reached 11 at Jan 5, 2026, 11:00 AM UTC\.$/).waitFor();
  await gauge.close();
  const rate = await open(3);
  await rate.getByText(/^Highest window: Jan 4, 2026, 10:00 AM UTC to Jan 5, 2026, 10:00 AM UTC/).waitFor();
  await rate.getByText(/6 in 1 event\. It ends with used-8\.$/).waitFor();
  await rate.close();
});
