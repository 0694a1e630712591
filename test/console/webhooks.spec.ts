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
    expect(await books.getByText('pending', { exact: true }).count()).toBe(0);
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
    await page.getByRole('combobox', { name: 'Deliveries to Former chat' }).selectOption('dead');
    await page.getByText('No delivery has this status').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});
