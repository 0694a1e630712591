import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seriousFaults } from './browser.js';
import { startConsoleOnDemo, type ConsoleOnDemo } from './demo-data.js';

let test: ConsoleOnDemo;
beforeAll(async () => {
  test = await startConsoleOnDemo();
});
afterAll(() => test.stop());

describe('webhooks of the demo', () => {
  it('show what was delivered and why not, and are sent again on request', async () => {
    const page = await test.open('/operation');
    const books = page.getByRole('region', { name: 'Deliveries to Books' });
    await books.getByText('delivered', { exact: true }).first().waitFor();
    const chat = page.getByRole('region', { name: 'Deliveries to Former chat' });
    expect(await chat.getByRole('button', { name: 'Replay' }).count()).toBe(0);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/replay/')),
      books.getByRole('button', { name: 'Replay' }).first().click(),
    ]);
    expect(answer.status()).toBeLessThan(300);
    const isAddress = (part: RegExp) => page.waitForURL((url) => part.test(url.search));
    await page.getByRole('combobox', { name: 'Deliveries to Books' }).selectOption('delivered');
    await isAddress(/status=delivered/);
    await books.getByText('pending', { exact: true }).first().waitFor({ state: 'detached' });
    await page
      .locator('main')
      .getByRole('navigation', { name: 'Pages' })
      .first()
      .getByRole('button', { name: 'Next' })
      .click();
    await isAddress(/cursor=/);
    await page.reload();
    await books.getByText('delivered', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'First page' }).first().isEnabled()).toBe(true);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).first().click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines.length - 1).toBeGreaterThan(50);
    expect(lines.slice(1).every((line) => line.includes('delivered'))).toBe(true);
    // A page of the list is not the whole list: its headers do not sort.
    expect(await books.getByRole('columnheader').getByRole('button').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Deliveries to Former chat' }).selectOption('dead');
    await page.getByText('No delivery has this status').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});
