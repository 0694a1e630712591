import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { billedUntilMarch, shopOf } from '../support/shop.js';
import { seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
let invoiceId: string;
beforeAll(async () => {
  test = await startConsoleTest();
  await billedUntilMarch(test.app);
  const [invoice] = await shopOf(test.app).invoices();
  invoiceId = invoice.invoice_id;
});
afterAll(() => test.stop());

/**
 * Refuses requests, each with a time to wait, until they may pass and a number of them was refused. Until then the page says that
 * it waits, however slow the machine is.
 * @returns lets later requests pass
 */
async function refuse(page: Page, path: RegExp, atLeast: number, seconds: number): Promise<() => void> {
  let refused = 0;
  let mayPass = false;
  await page.route(path, (route) => {
    if (mayPass && refused >= atLeast) return route.continue();
    refused += 1;
    return route.fulfill({ status: 429, headers: { 'Retry-After': String(seconds) }, body: '{}' });
  });
  return () => {
    mayPass = true;
  };
}

const link = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true }).click();

/** Requests of pages: where, which, the act that sends them, and a text of their answer. */
const REQUESTS: readonly (readonly [string, RegExp, (page: Page) => Promise<unknown>, string])[] = [
  ['/plans', /\/api\/events\//, link('Usage events'), 'No usage events yet'],
  ['/plans', /\/api\/customers\//, link('Customers'), 'acme Inc'],
  ['/customers/acme/history', /as_of/, (page) => page.reload(), 'Flat'],
  [
    '/invoices',
    /\/verify\//,
    async (page) => {
      await page.goto(`${test.app.url}/console/invoices/${invoiceId}`);
      await page.getByRole('button', { name: 'Verify now' }).click();
    },
    'Recalculated from the log, the invoice is the same.',
  ],
];

describe('a service that asks to wait', () => {
  it('is waited for longer than one that fails, and the page says so', async () => {
    await Promise.all(
      REQUESTS.map(async ([where, path, act, shown]) => {
        const page = await test.open(where);
        const pass = await refuse(page, path, 4, 2);
        await act(page);
        await page.getByText('The service asks to wait 2 seconds').waitFor();
        pass();
        expect(await seriousFaults(page)).toEqual([]);
        await page.getByText(shown).first().waitFor();
        await page.getByText('The service asks to wait').waitFor({ state: 'detached' });
        expect(await page.getByRole('alert').count()).toBe(0);
        await page.close();
      }),
    );
  });

  it('is waited for while a form is open, which then goes on', async () => {
    const page = await test.open('/customers/acme/changes');
    await page.getByRole('button', { name: 'Grant credit' }).click();
    await page.getByLabel('Amount in USD').fill('12.5');
    const dialog = page.getByRole('dialog').last();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const pass = await refuse(page, /\/api\/credits\//, 1, 6);
    await dialog.getByRole('button', { name: 'Grant credit' }).click();
    await page.getByText('The service asks to wait 6 seconds').waitFor();
    pass();
    await dialog.getByText('The credit has been granted.').waitFor();
    await page.close();
  });

  it('is not waited for when it asks for an hour', async () => {
    const page = await test.open('/plans');
    const pass = await refuse(page, /\/api\/customers\//, 1, 3_600);
    await link('Customers')(page);
    expect(await page.getByRole('alert').innerText()).toContain('Too many requests');
    pass();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'acme Inc' }).waitFor();
    await page.close();
  });
});
