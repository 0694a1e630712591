import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice } from '../../clients/typescript/src/index.js';
import { sumExactly } from '../../console/src/shared/exact-sum.js';
import { fourMonths } from '../support/four-months.js';
import { shopOf } from '../support/shop.js';
import { cutParts, eventually, settled, startConsoleTest, type ConsoleTest } from './browser.js';

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

describe('a window between a phone and a desk', () => {
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
