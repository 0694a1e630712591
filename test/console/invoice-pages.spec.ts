import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice } from '../../clients/typescript/src/index.js';
import { sumExactly } from '../../console/src/shared/exact-sum.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { fourMonths } from '../support/four-months.js';
import { shopOf } from '../support/shop.js';
import {
  complaintsOf,
  cutParts,
  eventually,
  neededWidth,
  settled,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';

let test: ConsoleTest;
let invoices: readonly Invoice[];
beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  const address = { line1: 'Lange Str. 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
  await test.app.request
    .patch('/api/organization/')
    .send({ address, tax_ids: [{ type: 'vat', value: 'DE123456789' }] })
    .expect(200);
  await fourMonths(test.app, shop);
  // It cancels before it has paid, which reduces what is due.
  const plan = await shop.plan('Short', { recurring_charges: [aChargeBody({ amount: 90 })] });
  await shop.customer('omega');
  const { subscription_id: id } = await shop.subscribe('omega', plan, '2026-04-20');
  // New York has the day before when UTC's midnight issues an invoice.
  await shop.customer('eastern', { timezone: 'America/New_York', billing_address: address });
  await shop.subscribe('eastern', plan, '2026-04-20');
  await test.app.request.patch('/api/organization/').send({ legal_name: 'Registered Ltd' }).expect(200);
  await test.app.advance('2026-04-25T00:00:00Z');
  await test.app.request
    .post(`/api/subscriptions/${id}/cancel/`)
    .send({ flat_fee_behavior: 'charge_prorated' })
    .expect(200);
  invoices = (await shop.invoices('?limit=1000')) as Invoice[];
});
afterAll(() => test.stop());

/** An amount as the page writes it. */
const readAmount = (text: string): number => Number(text.replaceAll(/[$,]/g, ''));

describe('the page of an invoice', () => {
  it('has lines before tax that add up to its subtotal, and with tax and credits to its total', async () => {
    const { invoice_id: id, amount } = invoices.find(
      ({ line_items: lines }) => lines.length > 2 && lines.some(({ name }) => name === 'Applied Credit'),
    )!;
    const page = await test.open(`/invoices/${id}`);
    const section = page.getByRole('region', { name: 'Lines' });
    await section.getByText(/^Tax of 10 % on \$/).waitFor();
    const texts = await section.locator('[class*=lineButton], [class*=subtotal]').allInnerTexts();
    const figures = texts.map((text) => readAmount(text.trim().split('\n').at(-1)!));
    const at = texts.findIndex((text) => text.startsWith('Subtotal'));
    expect(sumExactly(figures.slice(0, at))).toBe(figures[at]);
    expect(sumExactly(figures.slice(at))).toBe(amount);
    await page.close();
  });

  it('says that a line of the address is none of its own', async () => {
    const page = await test.open(`/invoices/${invoices[0]!.invoice_id}?line=99`);
    await page
      .getByText('The address has line=99, which is no line of this invoice: it is ignored.')
      .waitFor();
    await page.close();
  });

  it('has the seller and the days of its PDF, and the list of invoices has them too', async () => {
    const { invoice_id: id, invoice_number: number } = invoices.find(
      ({ customer }) => customer.customer_id === 'eastern',
    )!;
    const page = await test.open(`/invoices/${id}`);
    await page.getByText('Registered Ltd').waitFor();
    await page.getByText('Apr 20, 2026 (Apr 19, 8:00 PM America/New York)').waitFor();
    await page.getByText('May 4, 2026 (May 3, 8:00 PM America/New York)').waitFor();
    for (const list of ['/invoices?customer_id=eastern', '/customers/eastern']) {
      await page.goto(`${test.app.url}/console${list}`);
      const row = page.getByRole('row').filter({ hasText: number! });
      await row.getByText('Apr 20, 2026', { exact: true }).waitFor();
    }
    await page.close();
  });

  it('has its e-invoice, or names what it lacks', async () => {
    const [complete, lacking] = ['eastern', 'delta'].map((id) =>
      invoices.find(({ customer }) => customer.customer_id === id)!,
    );
    const page = await test.open(`/invoices/${complete!.invoice_id}`);
    const section = page.getByRole('region', { name: 'E-invoice' });
    for (const format of ['XML', 'PDF with XML']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        section.getByRole('button', { name: format, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(
        `e-invoice-${complete!.invoice_number}.${format === 'XML' ? 'xml' : 'pdf'}`,
      );
    }
    await page.goto(`${test.app.url}/console/invoices/${lacking!.invoice_id}`);
    await section.getByRole('button', { name: 'XML', exact: true }).click();
    await section.getByRole('alert').getByText('country').waitFor();
    await page.close();
  });

  it('is marked as paid', async () => {
    const { invoice_id: id } = invoices.find(({ customer }) => customer.customer_id === 'eastern')!;
    const page = await test.open(`/invoices/${id}`);
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('header, main').getByText('paid', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Mark as paid' }).count()).toBe(0);
    await page.close();
  });

  it('has the key by which an auditor checks its evidence', async () => {
    const { body } = await test.app.request.get('/api/audit/keys/').expect(200);
    const page = await test.open(`/invoices/${invoices[0]!.invoice_id}`);
    const panel = page.getByRole('region', { name: 'Verification' });
    await panel.getByText(body[0].verifier_key as string, { exact: true }).waitFor();
    await page.close();
  });

  it('names the invoice that reduced what is due on it', async () => {
    const { number, by } = invoices.flatMap(({ invoice_number: by, line_items: lines }) =>
      lines.flatMap(({ name }) => {
        const number = /^Applied to (.+)$/.exec(name)?.[1];
        return number === undefined ? [] : [{ number, by: by! }];
      }),
    )[0]!;
    const page = await test.open(`/invoices/${number}`);
    await page.getByText('Reduced by').waitFor();
    await page.getByRole('link', { name: by }).click();
    await page.getByRole('heading', { level: 1, name: `Invoice ${by}` }).waitFor();
    await page.close();
  });
});

describe('the preview of an act', () => {
  it('has lines before tax, which add up to the totals with their tax', async () => {
    const page = await test.open('/customers/delta/changes');
    await page.getByRole('button', { name: 'Switch plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Plan').selectOption({ label: 'Pro, $60.00 monthly' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const column = async (index: number) =>
      (await dialog.locator(`table:has(tfoot) tr td:nth-child(${index})`).allInnerTexts())
        .filter((text) => text !== '–')
        .map(readAmount);
    await dialog.getByRole('rowheader', { name: 'Tax' }).waitFor();
    for (const amounts of [await column(2), await column(3)]) {
      const [total, tax] = [amounts.at(-1)!, amounts.at(-2)!];
      expect(sumExactly(amounts.slice(0, -1))).toBe(total);
      expect(tax).toBeCloseTo(total / 11, 2);
    }
    await page.close();
  });
});

describe('the list of invoices', () => {
  it('filters and marks those that are overdue, as their pages do', async () => {
    const overdue = (await shopOf(test.app).invoices('?overdue=true')) as Invoice[];
    const page = await test.open('/invoices?status=overdue');
    const statuses = page.locator('main tbody tr td:nth-child(5)');
    await statuses.first().getByText('overdue').waitFor();
    expect(await statuses.allInnerTexts()).toEqual(overdue.map(() => 'overdue'));
    await page.goto(`${test.app.url}/console/invoices/${overdue[0]!.invoice_id}`);
    await page.getByText('overdue', { exact: true }).waitFor();
    await page.close();
  });

  it('of a month adds up to the bar of the overview that leads to it', async () => {
    const page = await test.open('/');
    const headline = page.getByRole('figure', { name: 'Invoiced by month' }).getByRole('link').first();
    const invoiced = readAmount((await headline.innerText()).split(' ')[0]!);
    await headline.click();
    const amounts = page.locator('main tbody tr td:nth-child(6)');
    await amounts.first().waitFor();
    await settled(page);
    expect(sumExactly((await amounts.allInnerTexts()).map(readAmount))).toBe(invoiced);
    await page.close();
  });

  it('has the currency of its amounts in the CSV', async () => {
    const page = await test.open('/invoices');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [header, first] = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(header).toMatch(/,Amount,Amount due,Currency$/);
    expect(first).toMatch(/,USD$/);
    await page.close();
  });
});

describe('an address that cannot be read', () => {
  it('of the audit log is refused at its field', async () => {
    const page = await test.open('/audit?from=2026-99-99');
    await page.locator('main [aria-invalid=true]').waitFor();
    expect(complaintsOf(page).filter((text) => /RangeError/.test(text))).toEqual([]);
    await page.close();
  });

  it('of the overview is ignored with a sentence, or refused at its field', async () => {
    const page = await test.open('/?currency=XXX&range=fortnight');
    await page.getByText('There is nothing in “XXX”, so the page shows USD.').waitFor();
    await page.getByText('There is no range “fortnight”').waitFor();
    await page.getByRole('figure', { name: 'Receivables by age' }).waitFor();
    await page.goto(`${test.app.url}/console/?from=2026-02-01&to=2026-01-01`);
    await page.getByText('The range ends before it starts.').waitFor();
    await page.close();
  });
});

describe('a window between a phone and a desktop', () => {
  it.each(['/invoices', '/subscriptions', '/operation', '/', '/customers/acme'])(
    '%s cuts no column off',
    async (where) => {
      const page = await test.open(where);
      await settled(page);
      for (const width of [1180, 1024, 900, 768, 1100]) {
        await page.setViewportSize({ width, height: 900 });
        await eventually(async () =>
          expect({ width, cut: await cutParts(page) }).toEqual({ width, cut: [] }),
        );
      }
      await page.close();
    },
  );

  it('has columns without room below their row, and back in it where there is room', async () => {
    const page = await test.open('/invoices');
    const status = page.getByRole('columnheader', { name: 'Status' });
    await page.locator('main tbody a').first().waitFor();
    expect(await status.count()).toBe(1);
    await page.setViewportSize({ width: 1024, height: 900 });
    await status.waitFor({ state: 'detached' });
    expect(await page.getByRole('columnheader', { name: 'Customer' }).count()).toBe(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    await status.waitFor();
    await page.close();
  });
});

/** Width of a sheet of A4 between its margins. */
const PAPER = 700;

describe('paper', () => {
  it('has the amounts of a list and nothing to press', async () => {
    const page = await test.open('/invoices');
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: PAPER, height: 900 });
    await page.getByRole('button', { name: 'Filter' }).waitFor({ state: 'hidden' });
    for (const name of ['Export CSV', 'Next', 'Menu'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Skip to the content' }).count()).toBe(0);
    await eventually(async () => expect(await neededWidth(page)).toBeLessThanOrEqual(PAPER));
    await page.getByRole('columnheader', { name: 'Amount due' }).waitFor();
    await page.close();
  });

  it('has drawings that fit their cards', async () => {
    const page = await test.open('/');
    const charts = page.locator('figure');
    await charts.locator('.recharts-surface').nth(3).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: PAPER, height: 900 });
    for (const chart of (await charts.all()).slice(0, 4)) {
      await eventually(async () => {
        const [card, drawing] = [await chart.boundingBox(), await chart.locator('svg').last().boundingBox()];
        expect(drawing!.width).toBeLessThanOrEqual(card!.width);
      });
    }
    await page.close();
  });
});
