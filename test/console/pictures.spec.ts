import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  brokenNumbers,
  complaintsOf,
  cutParts,
  MODES,
  neededHeight,
  neededWidth,
  settled,
  showIn,
} from './browser.js';
import { startConsoleOnDemo, type ConsoleOnDemo } from './demo-data.js';
import { EVERY_PAGE } from './every-page.js';

const root = path.resolve(import.meta.dirname, '../..');
const PICTURES = path.join(root, 'dist/pictures');
/** Pictures of the README stay as they are unless they are asked for. */
const IMAGES = process.env['WRITE_IMAGES'] === 'true' ? path.join(root, 'docs/images') : PICTURES;
const WIDTHS = [1280, 390];

let test: ConsoleOnDemo;
beforeAll(async () => {
  test = await startConsoleOnDemo();
  await setLogo();
  for (const folder of [PICTURES, IMAGES]) mkdirSync(folder, { recursive: true });
});
afterAll(() => test.stop());

/** Gives the organization the sign of the console as its logo. */
async function setLogo(): Promise<void> {
  const page = await test.open('/');
  const picture = await page.locator('img[src$="icon.svg"]').first().screenshot({ omitBackground: true });
  const logo = { data: `data:image/png;base64,${picture.toString('base64')}` };
  await test.app.request.patch('/api/organization/').send({ logo }).expect(200);
  await page.close();
}

/** Takes a picture at each width and in each mode, with this part in view. */
async function take(page: Page, name: string, shown?: Locator): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
    // The navigation is as high as the window, and a form covers no more than it.
    if ((await page.getByRole('dialog').count()) === 0)
      await page.setViewportSize({ width, height: await neededHeight(page) });
    await shown?.scrollIntoViewIfNeeded();
    for (const colorScheme of MODES) {
      await showIn(page, colorScheme);
      await settled(page);
      await page.screenshot({ path: path.join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
    }
    const [needed, cut] = [await neededWidth(page), await cutParts(page)];
    const broken = await brokenNumbers(page);
    expect({ name, needed, cut, broken }).toEqual({ name, needed: width, cut: [], broken: [] });
  }
}

describe('every page on the data of the demo', () => {
  it.each(EVERY_PAGE)('$name has a heading, fits and complains of nothing', async ({ name, address }) => {
    const page = await test.open(address(test.shown));
    await settled(page);
    expect(await page.locator('main h1').innerText()).not.toBe('');
    await take(page, name);
    expect(complaintsOf(page)).toEqual([]);
    await page.close();
  });

  it('a customer has limits, alerts and credits', async () => {
    const page = await test.open('/customers/fabrikam');
    await page.getByText('almost at the limit').first().waitFor();
    await settled(page);
    await take(page, 'customer-limits');
    await page.close();
  });

  it('acts show their previews', async () => {
    for (const [customer, act, fill] of [
      ['northwind', 'Switch plan', { Plan: 'Team' }],
      ['fabrikam', 'Switch many', { 'Subscriptions to': 'Team', Plan: 'Studio' }],
    ] as const) {
      const page = await test.open(`/customers/${customer}/changes`);
      await settled(page);
      await page.getByRole('button', { name: act }).click();
      const dialog = page.getByRole('dialog');
      for (const [label, option] of Object.entries(fill)) {
        const select = dialog.getByLabel(label, { exact: true });
        const value = await select.locator('option', { hasText: option }).first().getAttribute('value');
        await select.selectOption(value!);
      }
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.locator('tfoot').waitFor();
      await take(page, `act-${act.toLowerCase().replace(' ', '-')}`);
      expect(complaintsOf(page)).toEqual([]);
      await page.close();
    }
  });

  it.each([
    ['/customers?act=new-customer', 'form-customer'],
    ['/metrics?act=new-metric', 'form-metric'],
    ['/operation?act=change-settings', 'form-settings'],
    ['/operation?act=new-endpoint', 'form-webhook'],
    ['/customers/northwind?act=change-details', 'form-details'],
    ['/customers/fabrikam?act=new-alert', 'form-alert'],
  ])('the form at %s fits', async (address, name) => {
    const page = await test.open(address);
    await page.getByRole('dialog').waitFor();
    await settled(page);
    await take(page, name);
    expect(complaintsOf(page)).toEqual([]);
    await page.close();
  });

  it('the form of the settings shows the logo', async () => {
    const page = await test.open('/operation?act=change-settings');
    await take(page, 'form-settings-logo', page.getByRole('button', { name: 'Remove Logo' }));
    await page.close();
  });

  it('the command palette and the login', async () => {
    const page = await test.open('/');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
    await page.keyboard.type('northwind');
    await page.getByRole('option', { name: 'Northwind Media' }).waitFor();
    await take(page, 'command-palette');
    await page.close();
    const visitor = await test.visit('/');
    await visitor.getByLabel('API key').waitFor();
    await take(visitor, 'login');
    await visitor.close();
  });
});

/** Pictures of the README, by mode: an invoice line opened to its making, and what is owed over all customers. */
const SHOWN_IN_README = ['overview', 'invoice'];
const LARGEST_IMAGE = 150_000;

describe('the pictures of the README', () => {
  it.each(SHOWN_IN_README)('%s by mode is small; npm run docs:images writes it', async (name) => {
    const { address } = EVERY_PAGE.find((one) => one.name === name)!;
    const page = await test.open(address(test.shown));
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const colorScheme of MODES) {
      await showIn(page, colorScheme);
      await settled(page);
      const browser = await page.context().newCDPSession(page);
      const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
      const image = Buffer.from(data, 'base64');
      expect(image.length).toBeLessThanOrEqual(LARGEST_IMAGE);
      writeFileSync(path.join(IMAGES, `console-${name}-${colorScheme}.webp`), image);
    }
    await page.close();
  });
});
