import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice } from '../../clients/typescript/src/index.js';
import { sumExactly } from '../../console/src/shared/exact-sum.js';
import { fourMonths } from '../support/four-months.js';
import { shopOf } from '../support/shop.js';
import { startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
let invoices: readonly Invoice[];
beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  await fourMonths(test.app, shop);
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
});
