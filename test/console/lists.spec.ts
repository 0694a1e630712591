import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { shopOf, type Shop } from '../support/shop.js';
import { eventually, startConsoleTest, type ConsoleTest } from './browser.js';

/** More than a page of a list shows. */
const CUSTOMERS = 60;
const nameOf = (index: number): string => `Customer ${String(index).padStart(2, '0')}`;

let test: ConsoleTest;
let shop: Shop;
beforeAll(async () => {
  test = await startConsoleTest();
  shop = shopOf(test.app);
  const plan = await shop.plan('Flat');
  await shop.plan('Yearly', {}, { plan_duration: 'yearly' });
  const indices = Array.from({ length: CUSTOMERS }, (_, index) => index);
  await Promise.all(
    indices.map((index) =>
      shop.customer(`c${index}`, { customer_name: nameOf(index), email: `c${index}@example.com` }),
    ),
  );
  for (const region of ['eu', 'us'])
    await shop.subscribe('c7', plan, '2026-01-01', {
      subscription_filters: [{ property_name: 'region', value: region }],
    });
  const sold = { amount: 100, amount_paid: 100, currency_code: 'EUR', amount_paid_currency_code: 'EUR' };
  await test.app.request
    .post('/api/credits/')
    .send({ customer_id: 'c8', ...sold })
    .expect(201);
  await test.app.advance('2026-02-02T00:00:00Z');
});
afterAll(() => test.stop());

const rowsOf = (page: Page) => page.locator('main tbody:not([class*=stale]) tr td:first-child:has(a)');

/** The first column, from the top, once it has so many rows. */
async function names(page: Page, count: number): Promise<string[]> {
  const rows = rowsOf(page);
  await rows.nth(count - 1).waitFor();
  await rows.nth(count).waitFor({ state: 'detached' });
  return rows.allInnerTexts();
}

/** Waits until the first column has these names, from the top. */
const expectNames = (page: Page, expected: readonly string[]): Promise<void> =>
  eventually(async () => expect(await rowsOf(page).allInnerTexts()).toEqual(expected));

describe('a list', () => {
  it('is paged, and the way back leads to the page before', async () => {
    const page = await test.open('/customers');
    const first = await names(page, 50);
    await page.getByRole('button', { name: 'Next' }).click();
    const second = await names(page, 10);
    expect(new Set([...first, ...second]).size).toBe(CUSTOMERS);
    await page.goBack();
    await expectNames(page, first);
    await page.close();
  });

  it('that fits on a page is sorted by every column, and its address says how', async () => {
    const page = await test.open('/plans');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await expectNames(page, ['Flat', 'Yearly']);
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await expectNames(page, ['Yearly', 'Flat']);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-name');
    await page.close();
  });

  it('is ordered by the service where it knows the column, and paged by its cursors', async () => {
    const page = await test.open('/customers');
    await page.route(/limit=1000/, async (route) => {
      const response = await route.fetch();
      const next = '</api/customers/?limit=1000&cursor=next>; rel="next"';
      await route.fulfill({ response, headers: { ...response.headers(), link: next } });
    });
    const due = page.getByRole('columnheader', { name: 'Amount due' }).getByRole('button');
    await due.click();
    await due.click();
    await page.getByText('customers are sorted by the amount due in their own currency').waitFor();
    await page.locator('th[aria-sort=descending]').waitFor();
    await rowsOf(page)
      .first()
      .filter({ hasText: nameOf(7) })
      .waitFor();
    const first = await names(page, 50);
    await page.getByRole('button', { name: 'Next' }).click();
    const second = await names(page, 10);
    expect(new Set([...first, ...second]).size).toBe(CUSTOMERS);
    expect(new URL(page.url()).searchParams.get('cursor')).not.toMatch(/^after-/);
    await page.close();
  });

  it('is exported whole with the filters of the page', async () => {
    const page = await test.open('/customers');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(CUSTOMERS + 1);
    expect(lines[0]).toBe('Customer,Id,E-mail,Plans,Amount due in EUR,Amount due in USD');
    expect(lines).toContain('Customer 07,c7,c7@example.com,Flat,,120');
    expect(lines).toContain('Customer 08,c8,c8@example.com,,100,');
    await page.close();
  });

  it('is filtered by a form, and the filter is in the address', async () => {
    const page = await test.open('/invoices');
    await page.getByLabel('Customer id').fill('c7');
    await page.getByRole('button', { name: 'Filter' }).click();
    await names(page, 3);
    expect(new URL(page.url()).searchParams.get('customer_id')).toBe('c7');
    await page.close();
  });

  it('is filtered by an e-mail address in the history of the tab, and in no address', async () => {
    const page = await test.open('/customers');
    await page.getByLabel('E-mail').fill('C7@example.com');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expectNames(page, [nameOf(7)]);
    const addresses = [page.url()];
    await page.reload();
    await expectNames(page, [nameOf(7)]);
    await page.getByRole('columnheader', { name: 'Amount due' }).getByRole('button').click();
    await page.waitForURL(/sort=due/);
    await expectNames(page, [nameOf(7)]);
    addresses.push(page.url());
    expect(addresses.filter((address) => /example/.test(address))).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await names(page, 50);
    await page.goBack();
    await expectNames(page, [nameOf(7)]);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('C7@example.com');
    await page.getByRole('button', { name: 'Clear' }).click();
    await names(page, 50);
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('No matches for these filters').waitFor();
    await page.close();
  });

  it('opens filtered from an address', async () => {
    const page = await test.open('/invoices?customer_id=c7&issued_after=2026-02-01&issued_before=2026-02-01');
    expect(await names(page, 1)).toHaveLength(1);
    expect(await page.getByLabel('Issued from').inputValue()).toBe('2026-02-01');
    await page.getByLabel('Issued until').fill('2026-01-31');
    await page.getByLabel('Issued from').fill('2026-01-02');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No matches for these filters').waitFor();
    await page.close();
  });

  it('of invoices has the voided ones among the others, and apart', async () => {
    const [invoice] = await shop.invoices('?customer_id=c7');
    await test.app.request.post(`/api/invoices/${invoice.invoice_id}/void/`).send({}).expect(200);
    const page = await test.open('/invoices');
    await page.locator('main tbody tr', { hasText: invoice.invoice_number }).getByText('voided').waitFor();
    await page.getByLabel('Status').selectOption('voided');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expectNames(page, [invoice.invoice_number]);
    await page.close();
  });

  it('of plans keeps those of the chosen period', async () => {
    const page = await test.open('/plans');
    await names(page, 2);
    await page.getByLabel('Period').selectOption('yearly');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expectNames(page, ['Yearly']);
    await page.close();
  });

  it('says at its field what is wrong with a filter', async () => {
    const page = await test.open('/invoices?currency_code=XXQ');
    await page.getByText('There is no currency with this code').waitFor();
    expect(await page.getByLabel('Currency').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Currency').inputValue()).toBe('XXQ');
    await page.close();
  });
});

describe('a table of a page', () => {
  it('has its order in the address', async () => {
    const page = await test.open('/operation');
    const models = page.getByRole('region', { name: 'Read models and their distance from the log' });
    const name = models.getByRole('columnheader', { name: 'Read model' });
    await name.getByRole('button').click();
    await name.getByRole('button').click();
    const names = models.locator('tbody td:first-child');
    await eventually(async () => expect(await names.first().innerText()).toBe('webhooks'));
    expect(new URL(page.url()).searchParams.get('tables')).toBe('read-models.-name');
    await page.reload();
    await eventually(async () => expect(await names.first().innerText()).toBe('webhooks'));
    await page.close();
  });
});
