import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { shopOf } from '../support/shop.js';
import { eventually, seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
beforeAll(async () => {
  test = await startConsoleTest();
  await shopOf(test.app).customer('acme');
});
afterAll(() => test.stop());

const dialog = (page: Page) => page.getByRole('dialog');

/** Returns the label, name or text of the element that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { activeElement: found } = document;
    if (found === document.body) return 'nothing';
    return found.getAttribute('aria-label') ?? found.labels?.[0]?.innerText ?? found.innerText.trim();
  })()`);

const announced = async (page: Page): Promise<string> =>
  (await dialog(page).locator('[role=status], [role=alert]').allInnerTexts()).join(' ');

async function grant(page: Page, amount: string): Promise<void> {
  await dialog(page).getByLabel('Amount in USD').fill(amount);
  await dialog(page).getByRole('button', { name: 'Preview' }).focus();
  await page.keyboard.press('Enter');
}

describe('a form under the keyboard', () => {
  it('has the focus on its preview, and then on what was done, and announces both', async () => {
    const page = await test.open('/customers/acme/changes?act=grant-credit');
    await grant(page, '5');
    // The button that asks for the preview has its name too, so the focus alone does not tell that it is shown.
    await eventually(async () =>
      expect(await announced(page)).toContain('The preview is shown. Nothing has changed yet.'),
    );
    await eventually(async () => expect(await focused(page)).toBe('Preview'));
    expect(await seriousFaults(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Grant credit' }).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await focused(page)).toContain('The credit has been granted.'));
    await eventually(async () => expect(await announced(page)).toContain('The credit has been granted.'));
    await page.close();
  });

  it('keeps the focus on a button that works, which does nothing then', async () => {
    const page = await test.open('/customers?act=new-customer');
    let sent = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/customers/', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      await released;
      return route.continue();
    });
    await dialog(page).getByLabel('Id').fill('pressed-twice');
    const button = dialog(page).getByRole('button', { name: 'Create customer' });
    await button.focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await button.getAttribute('aria-busy')).toBe('true'));
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Id').press('Enter');
    await button.focus();
    expect(await focused(page)).toBe('Create customer');
    release();
    await eventually(async () => expect(await focused(page)).toContain('pressed-twice'));
    expect(sent).toBe(1);
    await page.close();
  });

  it('leads to the first wrong field of a refused form, and announces the error', async () => {
    const page = await test.open('/customers?act=new-customer');
    await dialog(page).getByLabel('Id').fill('refused');
    await dialog(page).getByLabel('Country', { exact: true }).fill('XX');
    await dialog(page).getByRole('button', { name: 'Create customer' }).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await focused(page)).toBe('Country'));
    await eventually(async () => expect(await announced(page)).toContain('country code'));
    expect(await dialog(page).getByText('country code').isVisible()).toBe(true);
    await page.close();
  });

  it('that changes nothing keeps the focus', async () => {
    const page = await test.open('/customers/acme?act=change-details');
    await dialog(page).getByRole('button', { name: 'Preview' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Nothing has changed.').waitFor();
    await eventually(async () => expect(await focused(page)).toBe('Save details'));
    await page.close();
  });
});

describe('the amount of a credit', () => {
  it.each([
    ['-5', 'The amount is less than 0.'],
    ['0', 'The amount is not more than 0.'],
    ['0.001', 'An amount of USD has at most 2 decimals.'],
    ['10000000000', 'Give less than 10,000,000,000.'],
    ['five', '"five" is not an amount.'],
  ])('%s has no preview: its field says why', async (amount, sentence) => {
    const page = await test.open('/customers/acme/changes?act=grant-credit');
    await grant(page, amount);
    await dialog(page).getByText(sentence).waitFor();
    await eventually(async () => expect(await focused(page)).toBe('Amount in USD'));
    expect(await dialog(page).getByText('What changes').count()).toBe(0);
    await page.close();
  });

  it('is marked where the service refuses it', async () => {
    const page = await test.open('/customers/acme/changes?act=grant-credit');
    await page.route('**/api/credits/', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              title: 'invalid',
              detail: 'The price is refused.',
              status: 400,
              validation_errors: [{ code: 'invalid', detail: 'The price is refused.', attr: 'amount_paid' }],
            }),
          })
        : route.continue(),
    );
    await grant(page, '5');
    await dialog(page).getByRole('button', { name: 'Grant credit' }).click();
    await dialog(page).getByText('The price is refused.').waitFor();
    await eventually(async () => expect(await focused(page)).toBe('Selling price in USD'));
    await page.close();
  });
});
