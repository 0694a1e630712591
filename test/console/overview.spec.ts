import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { fourMonths } from '../support/four-months.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import {
  eventually,
  MODES,
  neededWidth,
  rulesIn,
  seriousFaults,
  showIn,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';

/** Globals of the browser that the functions sent to it use. */
interface BrowserGlobals {
  readonly document: {
    querySelectorAll(selector: string): Iterable<{ getBoundingClientRect(): { readonly right: number } }>;
  };
}

type Row = Readonly<Record<string, string | number>>;

const ASSETS = path.resolve(import.meta.dirname, '../../dist/console/assets');
const CHARTS = [
  'Monthly recurring revenue',
  'Movements of recurring revenue',
  'Invoiced by month',
  'Receivables by age',
  'Credits outstanding',
  'Usage events by day',
  'Usage of requests by day',
];

let test: ConsoleTest;
let shop: Shop;
beforeAll(async () => {
  test = await startConsoleTest();
  shop = shopOf(test.app);
});
afterAll(() => test.stop());

const figureOf = (page: Page, name: string) => page.getByRole('figure', { name, exact: true });
const rowsOf = async (report: string): Promise<Row[]> =>
  (await test.app.request.get(`/api/analytics/${report}/`).expect(200)).body.rows as Row[];
const money = (value: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(value);

/** Opens the page and waits until every chart is drawn. */
async function openOverview(): Promise<Page> {
  const page = await test.open('/');
  for (const name of CHARTS) await figureOf(page, name).locator('.recharts-rectangle').first().waitFor();
  return page;
}

/** Heights of the bars of a series that are not 0, from the left. */
const heightsOf = (page: Page, chart: string, series: number): Promise<number[]> =>
  figureOf(page, chart)
    .locator(`.recharts-rectangle.series-${series}`)
    .evaluateAll((bars) => bars.map((bar) => Math.abs(Number(bar.getAttribute('height')))));

/** Waits until what is drawn is as high as the values say, by one scale for all series. */
const expectDrawn = (page: Page, chart: string, series: readonly (readonly number[])[]): Promise<void> =>
  eventually(() => compareDrawn(page, chart, series));

async function compareDrawn(
  page: Page,
  chart: string,
  series: readonly (readonly number[])[],
): Promise<void> {
  const drawn = await Promise.all(series.map((_, index) => heightsOf(page, chart, index)));
  const seen = series.map((values) => values.map(Math.abs).filter((value) => value > 0));
  expect({ chart, bars: drawn.map((bars) => bars.length) }).toEqual({
    chart,
    bars: seen.map((values) => values.length),
  });
  const [values, heights] = [seen.flat(), drawn.flat()];
  const scale = Math.max(...heights) / Math.max(...values);
  for (const [index, height] of heights.entries())
    expect({ chart, index, isRight: Math.abs(height - values[index]! * scale) < 1 }).toEqual({
      chart,
      index,
      isRight: true,
    });
}

const tabled = (page: Page, chart: string): Promise<string[][]> =>
  figureOf(page, chart)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent: text }) => text)),
    );

describe('an organization without anything', () => {
  it('is told what to do', async () => {
    const page = await test.open('/');
    for (const title of ['No recurring revenue', 'No open invoices', 'No credits', 'No usage in 31 days'])
      await page.getByRole('heading', { name: title }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});

describe('the overview', () => {
  it('draws what the API answers, and has it in tables', async () => {
    await fourMonths(test.app, shop);
    await shop.use(...times(3, '2026-04-18T00:00:00Z'), ...times(7, '2026-04-19T00:00:00Z'));
    const page = await openOverview();
    const revenue = await rowsOf('recurring-revenue');
    const column = (rows: readonly Row[], ...names: string[]) =>
      names.map((name) => rows.map((row) => row[name] as number));
    await expectDrawn(page, 'Monthly recurring revenue', column(revenue, 'mrr'));
    const movements = column(revenue, 'new', 'expansion', 'contraction', 'churn');
    await expectDrawn(page, 'Movements of recurring revenue', movements);
    const invoiced = column(await rowsOf('invoiced'), 'paid', 'open');
    await expectDrawn(page, 'Invoiced by month', invoiced);
    const [ages] = await rowsOf('receivables');
    const buckets = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'];
    await expectDrawn(page, 'Receivables by age', [buckets.map((name) => ages![name] as number)]);
    await expectDrawn(page, 'Credits outstanding', column(await rowsOf('credits'), 'balance'));
    await expectDrawn(page, 'Usage events by day', column(await rowsOf('usage'), 'events'));
    await expectDrawn(page, 'Usage of requests by day', column(await rowsOf('usage-by-metric'), 'quantity'));

    expect(await tabled(page, 'Invoiced by month')).toEqual(
      invoiced[0]!.map((paid, month) => [money(paid), money(invoiced[1]![month]!)]),
    );
    const days = await tabled(page, 'Usage events by day');
    expect(days).toHaveLength(31);
    expect(days.filter(([events]) => events !== '0')).toEqual([['3'], ['7']]);
    expect(await figureOf(page, 'Receivables by age').innerText()).toContain(money(ages!['total'] as number));
    await page.close();
  });

  it('shows the range of its address, chosen from a list or by dates', async () => {
    const page = await openOverview();
    await page.getByLabel('Range').selectOption('12m');
    await figureOf(page, 'Usage of requests by month').locator('.recharts-rectangle').first().waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('12m');
    const months = (name: string) => test.app.request.get(`/api/analytics/${name}/?granularity=month`);
    const usage = (await months('usage')).body.rows as Row[];
    await expectDrawn(page, 'Usage events by month', [usage.map(({ events }) => events as number)]);
    const metric = (await months('usage-by-metric')).body.rows as Row[];
    await expectDrawn(page, 'Usage of requests by month', [metric.map(({ quantity }) => quantity as number)]);

    await page.getByLabel('Range').selectOption('own');
    await page.getByLabel('From').fill('2026-02-01');
    await page.getByLabel('Until').fill('2026-01-01');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('The range ends before it starts.').waitFor();
    await page.getByLabel('Until').fill('2026-02-28');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await figureOf(page, 'Usage events by day').locator('.recharts-rectangle').first().waitFor();
    await page.reload();
    await figureOf(page, 'Usage events by day').locator('.recharts-rectangle').first().waitFor();
    await eventually(async () => {
      expect(await tabled(page, 'Usage events by day')).toHaveLength(28);
      expect(await tabled(page, 'Invoiced by month')).toHaveLength(1);
    });
    expect((await tabled(page, 'Usage events by day')).filter(([events]) => events !== '0')).toEqual([
      ['300'],
    ]);
    await page.close();
  });

  it('shows the numbers of a chart by keyboard', async () => {
    const page = await openOverview();
    const button = page.getByRole('button', { name: 'Show numbers of Receivables by age' });
    await button.focus();
    await page.keyboard.press('Enter');
    const table = figureOf(page, 'Receivables by age').getByRole('table');
    await page.getByRole('button', { name: 'Hide numbers of Receivables by age' }).waitFor();
    expect((await table.boundingBox())!.height).toBeGreaterThan(100);
    await page.close();
  });

  it('has no serious fault of accessibility, wide and narrow, light and dark', async () => {
    const page = await openOverview();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction((most) => {
        const { document } = globalThis as unknown as BrowserGlobals;
        return [...document.querySelectorAll('svg')].every(
          (svg) => svg.getBoundingClientRect().right <= most,
        );
      }, width);
      expect(await neededWidth(page)).toBeLessThanOrEqual(width);
      for (const mode of MODES) {
        await showIn(page, mode);
        expect({ width, mode, faults: await seriousFaults(page, rulesIn(mode)) }).toEqual({
          width,
          mode,
          faults: [],
        });
      }
    }
    await page.close();
  });

  it('loads charts after the page, of less than 200 kB of script, and breaks no rule of the policy', async () => {
    const page = await openOverview();
    const loaded: string[] = [];
    const complaints: string[] = [];
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.reload();
    for (const name of CHARTS) await figureOf(page, name).locator('.recharts-rectangle').first().waitFor();
    const scripts = loaded
      .filter((name) => /\/assets\/.*\.js$/.test(name))
      .map((name) => path.basename(name));
    const first = scripts.filter((name) => !name.startsWith('bar-chart'));
    expect(scripts.length).toBe(first.length + 1);
    expect(readdirSync(ASSETS)).toEqual(expect.arrayContaining(scripts));
    const bytes = first.reduce((sum, name) => sum + statSync(path.join(ASSETS, `${name}.gz`)).size, 0);
    expect(bytes).toBeLessThan(200_000);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe('the operation page', () => {
  it('shows read models, and parked work until a retry and the clock have done it', async () => {
    const metric = await shop.metric({
      metric_name: 'freight',
      event_name: 'request',
      aggregation_type: 'sum',
      property_name: 'tons',
    });
    const tiers = [
      { type: 'per_unit', range_start: 0, cost_per_batch: 5_000_000_000, metric_units_per_batch: 1 },
    ];
    const plan = await shop.plan('Freight', {
      recurring_charges: [aChargeBody({ amount: 31 })],
      components: [aComponentBody(metric, { tiers })],
    });
    await shop.customer('giant');
    await shop.subscribe('giant', plan, '2026-04-20');
    const at = '2026-04-20T00:00:00Z';
    await shop.use({ id: 'too-much', customer: 'giant', at, properties: { tons: 20 } });
    await test.app.advance('2026-05-20T00:30:00Z');

    const page = await test.open('/operation');
    const models = page.getByRole('region', { name: 'Read models and their distance from the log' });
    await models.getByRole('cell', { name: 'invoices', exact: true }).waitFor();
    const states = models.locator('tbody td:nth-child(2)');
    await eventually(async () =>
      expect(new Set(await states.allInnerTexts())).toEqual(new Set(['up to date'])),
    );
    const parked = page.getByRole('region', { name: 'Work that could not be done' });
    await parked.getByText('cannot be invoiced').waitFor();
    expect(await seriousFaults(page)).toEqual([]);

    await shop.use({
      id: 'given-back',
      customer: 'giant',
      at: '2026-05-19T00:00:00Z',
      properties: { tons: -19 },
    });
    await parked.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('status').filter({ hasText: 'It is retried when the clock advances' }).waitFor();
    await page.getByLabel('Advance to (UTC)').fill('2026-05-20T00:31');
    await page.getByRole('button', { name: 'Advance the clock' }).click();
    await page.getByRole('status').filter({ hasText: '1 invoice issued' }).waitFor();
    await page.getByRole('heading', { name: 'Nothing is parked' }).waitFor();
    expect((await shop.invoices('?customer_id=giant'))[0].amount).toBeGreaterThan(5_000_000_000);
    await page.close();
  });

  it('a read key sees parked work and retries nothing', async () => {
    await test.app.pool.query(
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
       values ($1, 'past_due', gen_random_uuid(), 'internal', 'secret', now(), now(), now() + interval '1 year')`,
      [test.app.org],
    );
    const { body } = await test.app.request
      .post('/api/api_keys/')
      .send({ name: 'reader', scope: 'read' })
      .expect(201);
    const page = await test.open('/operation', body.key as string);
    await page.setViewportSize({ width: 390, height: 844 });
    const button = page.getByRole('button', { name: 'Retry' });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Advance the clock' }).count()).toBe(0);
    expect(await page.getByText('secret', { exact: true }).count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});
