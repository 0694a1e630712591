import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, seriousFaults } from './browser.js';
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
    await chat.getByText('after the one before it').first().waitFor();
    expect(await chat.getByRole('button', { name: 'Replay' }).count()).toBe(0);
    await page.getByText(/The oldest waiting delivery failed (once|\d+ times) \(.+\)\./).waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/replay/')),
      books.getByRole('button', { name: 'Replay' }).first().click(),
    ]);
    expect(answer.status()).toBeLessThan(300);
    const isAddress = (part: RegExp) => page.waitForURL((url) => part.test(url.search));
    await page.getByRole('combobox', { name: 'Deliveries to Books' }).selectOption('delivered');
    await isAddress(/status=delivered/);
    await books.getByText('waiting', { exact: true }).first().waitFor({ state: 'detached' });
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
    await page.getByRole('combobox', { name: 'Deliveries to Former chat' }).selectOption('dead');
    await page.getByText('No delivery has this status').waitFor();
    await page.waitForURL((url) => !url.search.includes('cursor='));
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  it('have the last one first, in the words of their filter, and sort over all pages', async () => {
    const { body: webhooks } = await test.app.request.get('/api/webhooks/').expect(200);
    const { webhook_endpoint_id: id } = (webhooks as Webhook[]).find(({ name }) => name === 'Books')!;
    const path = `/api/webhooks/${id}/deliveries/`;
    const triggers = async (query: string): Promise<string[]> => {
      const { body } = await test.app.request.get(`${path}?limit=20${query}`).expect(200);
      return (body as { trigger: string }[]).map(({ trigger }) => trigger);
    };
    const page = await test.open('/operation');
    const books = page.getByRole('region', { name: 'Deliveries to Books' });
    const events = () => books.locator('tbody:not([class*=stale]) td:first-child').allInnerTexts();
    const firstSent = books.getByRole('columnheader', { name: 'First sent' });
    await eventually(async () => expect(await events()).toEqual(await triggers('&ordering=-sequence')));
    expect(await firstSent.getAttribute('aria-sort')).toBe('descending');
    await firstSent.getByRole('button').click();
    await eventually(async () => expect(await events()).toEqual(await triggers('')));
    await page.reload();
    await eventually(async () => expect(await events()).toEqual(await triggers('')));
    await firstSent.getByRole('button').click();
    await eventually(async () => expect(await events()).toEqual(await triggers('&ordering=-sequence')));
    const filter = page.getByRole('combobox', { name: 'Deliveries to Books' });
    const words = await filter.getByRole('option').allInnerTexts();
    expect(words).toEqual(['all', 'waiting', 'delivered', 'failed']);
    const shown = await books.locator('td:nth-child(2)').allInnerTexts();
    expect(shown.filter((text) => !words.some((word) => text.startsWith(word)))).toEqual([]);
    await page.close();
  });
});

interface Webhook {
  readonly webhook_endpoint_id: string;
  readonly name: string;
}
