import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { CalculationStep, ExplainedLine, Invoice } from '../../clients/typescript/src/index.js';
import { sumExactly } from '../../console/src/shared/exact-sum.js';
import { partsOfBase } from '../../console/src/pages/invoices/parts-of-base.js';
import { complaintsOf, eventually, neededWidth, seriousFaults, settled } from './browser.js';
import { startConsoleOnDemo, type ConsoleOnDemo } from './demo-data.js';
import { EVERY_PAGE } from './every-page.js';
import { measureFirstFigures } from './first-figures.js';

/** Companies of the demo whose subscriptions change: their lines reverse and correct each other. */
const COMPANIES = ['northwind', 'fabrikam', 'contoso'];

let test: ConsoleOnDemo;
let invoices: readonly Invoice[];
beforeAll(async () => {
  test = await startConsoleOnDemo();
  invoices = (await test.app.request.get('/api/invoices/?limit=1000').expect(200)).body as Invoice[];
});
afterAll(() => test.stop());

const explain = async (invoiceId: string): Promise<readonly ExplainedLine[]> =>
  (await test.app.request.get(`/api/invoices/${invoiceId}/explain/`).expect(200)).body.lines;

const invoicesOf = (customer: string): readonly Invoice[] =>
  invoices.filter((invoice) => invoice.customer.customer_id === customer);

/** An amount as the page writes it. */
const readAmount = (text: string): number => Number(text.replace(/[$,]/g, ''));

const openLine = (page: Page, line: number): Locator => page.locator(`#line-${line}`);

describe('the making of a line', () => {
  it('sums to the base of every line of the demo', async () => {
    let calculated = 0;
    for (const { invoice_id: id } of invoices) {
      const lines = await explain(id);
      for (const line of lines) {
        const parts = partsOfBase(line, lines);
        if (parts.length === 0) continue;
        calculated += 1;
        const sum = sumExactly(parts.map(({ amount }) => amount));
        expect({ id, line: line.line, sum }).toEqual({ id, line: line.line, sum: line.base });
      }
    }
    expect(calculated).toBeGreaterThan(400);
  });

  it.each(COMPANIES)('shows rows that sum to base and amount on the invoices of %s', async (customer) => {
    const page = await test.open('/invoices');
    for (const { invoice_id: id } of invoicesOf(customer)) {
      await page.goto(`${test.app.url}/console/invoices/${id}`);
      for (const { line, calculation, base, amount } of await explain(id)) {
        await page.locator(`[aria-controls=line-${line}]`).click();
        const sums = openLine(page, line).getByRole('table', { name: 'From the price to the line' });
        await sums.waitFor();
        const rows = await sums.locator('tbody tr').evaluateAll((all) =>
          all.map((row) => ({
            name: row.querySelector('th')!.textContent,
            figure: row.querySelector('td')!.textContent,
          })),
        );
        const at = rows.findIndex(({ name }) => name === 'Before adjustments');
        const from = calculation ? 1 : at;
        const shown = (part: typeof rows) => sumExactly(part.map(({ figure }) => readAmount(figure)));
        const where = { id, line };
        if (calculation)
          expect({ ...where, sum: shown(rows.slice(from, at)) }).toEqual({ ...where, sum: base });
        expect({ ...where, sum: shown(rows.slice(at, -1)) }).toEqual({ ...where, sum: amount });
        expect(readAmount(rows.at(-1)!.figure)).toBe(amount);
      }
    }
    await page.close();
  });

  it('pages through every event that the line counted', async () => {
    const { invoice, line, count } = await mostEvents();
    const page = await test.open(`/invoices/${invoice}?line=${line}`);
    const making = openLine(page, line);
    await making.getByRole('heading', { name: `${count} events counted` }).waitFor();
    await making.getByRole('button', { name: 'Show events' }).click();
    const ids = new Set<string>();
    for (let first: string | null = null; ;) {
      const codes = making
        .locator('table[aria-busy=false] tbody:not([class*=stale]) tr')
        .locator('td:nth-child(2) code');
      await eventually(async () => expect(await codes.first().getAttribute('title')).not.toBe(first));
      for (const title of await codes.evaluateAll((all) => all.map((one) => one.getAttribute('title'))))
        ids.add(title!);
      const next = making.getByRole('button', { name: 'Next' });
      if (await next.isDisabled()) break;
      first = await codes.first().getAttribute('title');
      await next.click();
    }
    expect(ids.size).toBe(count);
    await page.close();
  });

  it('draws the stair of the tiers to scale, with the quantity on it', async () => {
    const { invoice, line } = test.shown;
    const explained = (await explain(invoice)).find((one) => one.line === line)!;
    const step = explained.calculation!.steps[0]!;
    const page = await test.open(`/invoices/${invoice}?line=${line}`);
    const stair = openLine(page, line).getByRole('img', { name: /^Price by quantity/ });
    await stair.waitFor();
    const attribute = async (selector: string, name: string): Promise<number> =>
      Number(await stair.locator(selector).first().getAttribute(name));
    const [left, right] = [await attribute('> line', 'x1'), await attribute('> line', 'x2')];
    const bottom = await attribute('> line', 'y1');
    const [x, y] = [await attribute('circle', 'cx'), await attribute('circle', 'cy')];
    const units = Number(step.units);
    const reach = (units * (right - left)) / (x - left);
    const tick = await attribute('g line', 'x1');
    expect((tick - left) / (x - left)).toBeCloseTo(Number(step.tiers[1]!.from) / units, 5);
    const curve = await stair.locator('path').nth(1).getAttribute('d');
    const highest = Math.min(...[...curve!.matchAll(/ ([\d.]+)(?=[ML]|$)/g)].map(([, at]) => Number(at)));
    expect((bottom - y) / (bottom - highest)).toBeCloseTo(Number(step.price) / priceAt(step, reach), 5);
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    const tiers = openLine(page, line).getByRole('region', { name: 'Tiers' }).first();
    expect(await tiers.locator('tr td:last-child').allInnerTexts()).toEqual([
      ...step.tiers.map(({ amount }) => dollars.format(Number(amount))),
      dollars.format(Number(step.price)),
    ]);
    await page.close();
  });
});

/** The line of northwind that counted the most. */
async function mostEvents() {
  const found = [];
  for (const { invoice_id: invoice } of invoicesOf('northwind'))
    for (const { line, usage } of await explain(invoice))
      found.push({ invoice, line, count: usage?.event_count ?? 0 });
  const most = found.toSorted((a, b) => b.count - a.count)[0]!;
  expect(most.count).toBeGreaterThan(500);
  return most;
}

/** The price of so many units by graduated tiers, as the API names them. */
function priceAt({ tiers }: CalculationStep, units: number): number {
  return tiers.reduce((sum, tier, index) => {
    const until = Math.min(units, Number(tiers[index + 1]?.from ?? Infinity));
    const within = Math.max(0, until - Number(tier.from));
    return sum + (within * Number(tier.unit_price ?? 0)) / Number(tier.units_per_batch ?? 1);
  }, 0);
}

describe('an invoice', () => {
  it('is verified on request, with the hashes of the API', async () => {
    const { invoice } = test.shown;
    const { body } = await test.app.request.post(`/api/invoices/${invoice}/verify/`).expect(200);
    const page = await test.open(`/invoices/${invoice}`);
    await page.getByRole('button', { name: 'Verify now' }).click();
    const panel = page.getByRole('region', { name: 'Verification' });
    await panel.getByText('Recalculated from the log, the invoice is the same.').waitFor();
    const [fingerprint, resultHash, key] = await panel.locator('dd').allInnerTexts();
    expect([fingerprint, resultHash]).toEqual([body.fingerprint, body.result_hash]);
    expect(key).toMatch(/^recount\/org_/);
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  it('has its PDF behind a link that takes no key', async () => {
    const page = await test.open(`/invoices/${test.shown.invoice}`);
    const link = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
    const answer = await fetch(new URL(link!, test.app.url));
    expect(answer.status).toBe(200);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    await page.close();
  });

  it('has its evidence to take away, byte by byte that of the API', async () => {
    const { invoice } = test.shown;
    const page = await test.open(`/invoices/${invoice}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Evidence' }).click(),
    ]);
    const { body } = await test.app.request
      .get(`/api/invoices/${invoice}/evidence/`)
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    const saved = readFileSync(await download.path());
    expect(saved.subarray(0, 2).toString()).toBe('PK');
    expect(saved.equals(body as Buffer)).toBe(true);
    expect(download.suggestedFilename()).toMatch(/^evidence-\d{6}-\d{6}\.zip$/);
    await page.close();
  });
});

describe('every page on the data of the demo', () => {
  it.each(EVERY_PAGE)('$name has a heading, fits a phone and complains of nothing', async ({ address }) => {
    const page = await test.open(address(test.shown));
    await settled(page);
    expect(await page.locator('main h1').innerText()).not.toBe('');
    await page.setViewportSize({ width: 390, height: 844 });
    await eventually(async () => expect(await neededWidth(page)).toBe(390));
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaintsOf(page)).toEqual([]);
    await page.close();
  });
});

describe('figures lead to what they count', () => {
  it('a window of usage leads to as many events', async () => {
    const page = await test.open('/customers/fabrikam');
    const windows = page.getByRole('region', { name: 'Usage by period' }).last();
    const row = windows.locator('tbody tr', { hasText: 'Studio, region=us' });
    const count = Number(await row.locator('td').nth(3).innerText());
    expect(count).toBeGreaterThan(50);
    await row.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Usage events' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(count + 1);
    await page.close();
  });

  it('the versions of a plan lead to their subscriptions, receivables to unpaid invoices', async () => {
    const page = await test.open(`/plans/${test.shown.plan}`);
    const versions = page.getByRole('region', { name: 'Versions of the plan' });
    await versions.getByRole('link', { name: '1 active subscriptions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
    const customers = page.locator('main tbody tr td:first-child');
    await eventually(async () => expect(await customers.allInnerTexts()).toEqual(['Fabrikam Video']));
    await page.goto(`${test.app.url}/console/`);
    await page.getByRole('figure', { name: 'Receivables by age' }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('unpaid');
    await page.close();
  });

  it('the time line names plan, filter, metric and add-on, and no event twice', async () => {
    const page = await test.open('/customers/fabrikam');
    const line = page.getByRole('region', { name: 'Timeline' });
    await line.getByText('The subscription began. Studio, region=us').waitFor();
    await line
      .getByText(/^The usage of a period was counted\. Requests \d+ Team, region=us$/)
      .first()
      .waitFor();
    expect(await line.getByText('The invoice was computed.').count()).toBe(0);
    await page.goto(`${test.app.url}/console/customers/northwind`);
    await line.getByText('An add-on was attached to the subscription. Log retention Team').waitFor();
    await page.close();
  });
});

/** Loosely: a machine that does other work is many times slower. The figure is printed. */
const MOST_MS = 20_000;

describe('the first page', () => {
  it('has its figures soon after the login, and at once with a session', async () => {
    const visitor = await test.visit('/');
    const took = await measureFirstFigures(visitor.context().browser()!, test.app.url, test.app.key);
    expect(took).toBeLessThan(MOST_MS);
    await visitor.close();
  });
});
