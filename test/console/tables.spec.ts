import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { eventually, seriousFaults, settled, startConsoleTest, type ConsoleTest } from './browser.js';

const METRICS = 45;
const CUSTOMERS = 13;
const EVENTS = 60;
const PER_UNIT = [{ type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }];
const two = (index: number): string => String(index).padStart(2, '0');

let test: ConsoleTest;
const FOUR_TIERS = [0, 10, 20, 30].map((start, index) => ({
  type: 'per_unit',
  range_start: start,
  ...(index < 3 ? { range_end: start + 10 } : {}),
  cost_per_batch: 4 - index,
  metric_units_per_batch: 1,
}));

/** Plan with four tiers. */
let tiered: string;
/** Invoice with a line that counts events, and the place of the line. */
let counted: { readonly invoice: string; readonly line: number };
beforeAll(async () => {
  test = await startConsoleTest({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(test.app);
  const metric = await shop.metric();
  for (let index = 1; index < METRICS; index += 1)
    await shop.metric({ metric_name: `Metric ${two(index)}`, event_name: `event ${two(index)}` });
  await test.app.request.post('/api/features/').send({ feature_name: 'Support' }).expect(201);
  for (let index = 0; index < CUSTOMERS; index += 1) {
    const plan = await shop.plan(`Plan ${two(index)}`, {
      recurring_charges: [aChargeBody({ amount: 1 + ((index * 7) % CUSTOMERS) })],
      components: [aComponentBody(metric, { tiers: PER_UNIT })],
    });
    await shop.customer(`c${two(index)}`);
    await shop.subscribe(`c${two(index)}`, plan, '2026-01-01');
  }
  tiered = await shop.plan('Tiered', {
    recurring_charges: [aChargeBody({ amount: 9 }), aChargeBody({ name: 'Support', amount: 2 })],
    components: [aComponentBody(metric, { tiers: FOUR_TIERS })],
  });
  await test.app.advance('2026-01-16T00:00:00Z');
  await shop.use(
    ...Array.from({ length: EVENTS }, (_, index) => ({
      customer: 'c00',
      id: `used-${two(index)}`,
      at: `2026-01-02T00:${two((index * 13) % EVENTS)}:00Z`,
    })),
  );
  await test.app.advance('2026-02-02T00:00:00Z');
  const invoices = await shop.invoices('?customer_id=c00&limit=1');
  const { invoice_id: invoice } = invoices[0] as { invoice_id: string };
  const { body } = await test.app.request.get(`/api/invoices/${invoice}/explain/`).expect(200);
  const { lines } = body as { lines: { line: number; usage: { event_count: number } | null }[] };
  counted = { invoice, line: lines.find(({ usage }) => usage?.event_count === EVENTS)!.line };
});
afterAll(() => test.stop());

/** The table of this name, with what belongs to it. */
const tableOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true }).last();

async function column(table: Locator, header: string): Promise<string[]> {
  const headers = await table.getByRole('columnheader').allInnerTexts();
  const place = headers.findIndex((text) => text.startsWith(header)) + 1;
  return table.locator(`tbody:not([class*=stale]) tr > :nth-child(${place})`).allInnerTexts();
}

const numbers = (texts: readonly string[]): number[] =>
  texts.map((text) => Number(text.replaceAll(/[^\d.]/g, '')));

async function savedBy(page: Page, button: Locator): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
}

describe('a table that has all of its rows', () => {
  it('is paged, searched by what it shows and exported, and its address has it', async () => {
    const page = await test.open('/metrics');
    const table = tableOf(page, 'Metrics');
    await page.getByText(`1–20 of ${METRICS}`).waitFor();
    await eventually(async () => expect(await column(table, 'Metric')).toHaveLength(20));
    await table.getByRole('columnheader', { name: 'Metric' }).getByRole('button').click();
    const pages = page.getByRole('navigation', { name: 'Pages of Metrics' });
    for (const from of [21, 41]) {
      await pages.getByRole('button', { name: 'Next' }).click();
      await page.getByText(`${from}–${Math.min(from + 19, METRICS)} of ${METRICS}`).waitFor();
    }
    expect(await pages.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    const last = ['Metric 41', 'Metric 42', 'Metric 43', 'Metric 44', 'requests'];
    await eventually(async () => expect(await column(table, 'Metric')).toEqual(last));
    await page.reload();
    await eventually(async () => expect(await column(table, 'Metric')).toEqual(last));
    await page.goBack();
    await page.getByText(`21–40 of ${METRICS}`).waitFor();

    await page.getByRole('searchbox', { name: 'Find in Metrics' }).fill('EVENT 4');
    await page.getByText(`9 found in ${METRICS}`).waitFor();
    const found = ['04', '14', '24', '34', '40', '41', '42', '43', '44'].map((n) => `Metric ${n}`);
    await eventually(async () => expect(await column(table, 'Metric')).toEqual(found));
    const lines = await savedBy(page, page.getByRole('button', { name: 'CSV of Metrics' }));
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(found);
    await page.reload();
    await page.getByText(`9 found in ${METRICS}`).waitFor();
    await page.getByRole('searchbox', { name: 'Find in Metrics' }).fill('nothing such');
    await page.getByText('No matches for “nothing such”').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `Show all ${METRICS}` }).click();
    await page.getByText(`1–20 of ${METRICS}`).waitFor();
    await page.close();
  });

  it('keeps the words that rows are found by out of the address, as they may be personal', async () => {
    const page = await test.open('/metrics');
    await page.getByRole('searchbox', { name: 'Find in Metrics' }).fill('Metric 4');
    await page.getByText(`9 found in ${METRICS}`).waitFor();
    await tableOf(page, 'Metrics').getByRole('columnheader', { name: 'Metric' }).getByRole('button').click();
    await page.waitForURL(/tables=metrics\.name/);
    expect(page.url()).not.toMatch(/Metric%204|Metric\+4|Metric%25204/);
    await page.reload();
    await page.getByText(`9 found in ${METRICS}`).waitFor();
    await page.close();
  });

  it('has neither pages nor a field to find rows where it is seen at a glance', async () => {
    const page = await test.open('/metrics');
    await tableOf(page, 'Features').getByText('Support').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Find in Features' }).count()).toBe(0);
    expect(await page.getByRole('navigation', { name: 'Pages of Features' }).count()).toBe(0);
    await page.close();
  });
});

describe('a list among the sections of a page', () => {
  it('is sorted over all of its pages and exported whole: unpaid invoices of the overview', async () => {
    const { body } = await test.app.request.get('/api/invoices/?ordering=-amount').expect(200);
    const amounts = (body as { amount: number }[]).map(({ amount }) => amount);
    const page = await test.open('/');
    const table = tableOf(page, 'Unpaid invoices');
    const button = table.getByRole('button', { name: 'Amount', exact: true });
    for (const direction of ['ascending', 'descending']) {
      await button.click();
      await table.locator(`th[aria-sort=${direction}]`).waitFor();
    }
    await eventually(async () =>
      expect(numbers(await column(table, 'Amount'))).toEqual(amounts.slice(0, 10)),
    );
    const pages = page.getByRole('navigation', { name: 'Pages of Unpaid invoices' });
    await pages.getByRole('button', { name: 'Next' }).click();
    await eventually(async () =>
      expect(numbers(await column(table, 'Amount'))).toEqual(amounts.slice(10, 20)),
    );
    await page.goBack();
    await eventually(async () =>
      expect(numbers(await column(table, 'Amount'))).toEqual(amounts.slice(0, 10)),
    );
    const lines = await savedBy(page, page.getByRole('button', { name: 'Export CSV of Unpaid invoices' }));
    expect(lines).toHaveLength(1 + amounts.length);
    await page.close();
  });

  it('has the buttons to its other pages in one row on a phone', async () => {
    const page = await test.open('/');
    await page.setViewportSize({ width: 390, height: 844 });
    const buttons = page.getByRole('navigation', { name: 'Pages of Unpaid invoices' }).getByRole('button');
    await buttons.nth(2).waitFor();
    await eventually(async () => {
      const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
      expect(boxes).toHaveLength(3);
      expect(new Set(boxes.map((box) => box!.y)).size).toBe(1);
    });
    await page.close();
  });

  it('sorts and exports the events that a line of an invoice counts', async () => {
    const page = await test.open(`/invoices/${counted.invoice}?line=${counted.line}&events=first`);
    const table = tableOf(page, 'Events');
    const ids = Array.from({ length: EVENTS }, (_, index) => index)
      .toSorted((a, b) => ((a * 13) % EVENTS) - ((b * 13) % EVENTS))
      .map((index) => `used-${two(index)}`);
    await eventually(async () => expect(await column(table, 'Event')).toEqual(ids.slice(0, 50)));
    const time = table.getByRole('columnheader', { name: 'Time' });
    expect(await time.getAttribute('aria-sort')).toBe('ascending');
    await time.getByRole('button').click();
    await eventually(async () => expect(await column(table, 'Event')).toEqual(ids.toReversed().slice(0, 50)));
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(async () => expect(await column(table, 'Event')).toEqual(ids.toReversed().slice(50)));
    const lines = await savedBy(page, page.getByRole('button', { name: 'Export CSV of Events' }));
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(ids.toReversed());
    await settled(page);
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  it('is a customer’s: its invoices and its usage sort and export', async () => {
    const page = await test.open('/customers/c00');
    for (const name of ['Invoices', 'Usage by period']) {
      const table = tableOf(page, name);
      await table.getByRole('columnheader').getByRole('button').first().click();
      await table.locator('th[aria-sort=ascending]').waitFor();
      const lines = await savedBy(page, page.getByRole('button', { name: `Export CSV of ${name}` }));
      expect(lines.length).toBeGreaterThan(1);
    }
    expect(decodeURIComponent(page.url())).toContain('tables=invoices.number,usage.metric');
    await page.close();
  });
});

describe('figures among others', () => {
  it('of a calculator are sorted and exported', async () => {
    const page = await test.open(`/plans/${tiered}?quantities=5%2035%2015`);
    const table = tableOf(page, 'Calculated prices');
    await table.getByRole('columnheader', { name: 'Units' }).getByRole('button').click();
    await eventually(async () => expect(await column(table, 'Units')).toEqual(['5', '15', '35']));
    const lines = await savedBy(page, page.getByRole('button', { name: 'CSV of Calculated prices' }));
    expect(lines).toEqual(['Units,v1,Average per unit', '5,20,4', '15,55,3.667', '35,95,2.714']);
    await page.close();
  });

  it('of tiers are exported where there are more than three', async () => {
    const page = await test.open(`/plans/${tiered}`);
    const button = page.getByRole('button', { name: 'CSV of Tiers of requests in v1' });
    expect((await savedBy(page, button)).slice(0, 2)).toEqual(['From,To,Price', '0,10,$4.00 per unit']);
    await page.close();
  });

  it('of a preview are sorted and exported', async () => {
    const page = await test.open('/customers/c00/changes');
    await page.getByRole('button', { name: 'Switch plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Plan', { exact: true }).selectOption({ label: 'Tiered, $11.00 monthly' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const table = dialog.getByRole('region', { name: 'Invoice lines' });
    await table.getByRole('columnheader', { name: 'This invoice' }).getByRole('button').click();
    await table.locator('th[aria-sort=ascending]').waitFor();
    const then = await column(table, 'This invoice');
    const lines = await savedBy(page, dialog.getByRole('button', { name: 'CSV of Invoice lines' }));
    expect(lines[0]).toBe('Line,So far,This invoice');
    expect(lines).toHaveLength(1 + then.length);
    await page.close();
  });

  it('of a past state are exported', async () => {
    const page = await test.open('/customers/c00/history');
    const lines = await savedBy(page, page.getByRole('button', { name: 'CSV of the state' }));
    expect(lines[0]).toMatch(/^Group,Name,/);
    expect(lines.some((line) => line.startsWith('Subscriptions,Plan 00,'))).toBe(true);
    await page.close();
  });
});

describe('the numbers of a chart', () => {
  it('are exported as they are shown', async () => {
    const page = await test.open('/');
    await page.getByRole('button', { name: /Show numbers of Invoiced/ }).click();
    const lines = await savedBy(page, page.getByRole('button', { name: /CSV of Invoiced/ }));
    expect(lines[0]).toBe('Month of issue,Paid or settled,Open');
    expect(lines.length).toBeGreaterThan(1);
    await page.close();
  });
});
