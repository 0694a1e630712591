import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import {
  brokenNumbers,
  cutParts,
  eventually,
  MODES,
  neededWidth,
  rulesIn,
  seriousFaults,
  settled,
  showIn,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';
import { EVERY_PAGE } from './every-page.js';
import { billJanuary } from './january.js';

const WIDTHS = [1280, 390];

let test: ConsoleTest;
let planId: string;
let invoiceId: string;

beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  const metric = await shop.metric();
  planId = await shop.plan('Team', {
    recurring_charges: [aChargeBody({ amount: 5 })],
    components: [aComponentBody(metric)],
  });
  await shop.plan('Studio', { recurring_charges: [aChargeBody({ amount: 9 })] });
  await shop.customer('acme', { timezone: 'America/New_York' });
  await shop.subscribe('acme', planId, '2026-01-01');
  invoiceId = await billJanuary(test.app, shop);
});
afterAll(() => test.stop());

const shown = () => ({ customer: 'acme', invoice: invoiceId, line: 2, plan: planId });

/** Looks at the page at two widths and in both modes. */
async function expectNoFault(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    for (const mode of MODES) {
      await showIn(page, mode);
      await settled(page);
      expect({ width, mode, faults: await seriousFaults(page, rulesIn(mode)) }).toEqual({
        width,
        mode,
        faults: [],
      });
    }
    await eventually(async () => {
      expect(await neededWidth(page)).toBe(width);
      expect([...(await cutParts(page)), ...(await brokenNumbers(page))]).toEqual([]);
    });
  }
}

const preview = async (page: Page, plan: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Plan').selectOption({ label: plan });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.locator('tfoot').first().waitFor();
};

const STATES: readonly (readonly [string, () => string, (page: Page) => Promise<unknown>])[] = [
  [
    'a verified invoice with the events of a line',
    () => `/invoices/${invoiceId}?line=2&events=first&verified=now`,
    (page) => page.getByText('Recalculated from the log, the invoice is the same.').waitFor(),
  ],
  [
    'the numbers of a chart',
    () => '/?numbers=receivables-by-age',
    (page) => page.getByRole('button', { name: 'Hide numbers of Receivables by age' }).waitFor(),
  ],
  [
    'numbers that scroll',
    () => '/?numbers=usage-events-by-day',
    (page) => page.getByRole('region', { name: 'Numbers of Usage events by day' }).waitFor(),
  ],
  [
    'the preview of a switch',
    () => '/customers/acme/changes',
    async (page) => {
      await page.getByRole('button', { name: 'Switch plan' }).click();
      await preview(page, 'Studio, $9.00 monthly');
    },
  ],
  [
    'the form of a customer',
    () => '/customers?act=new-customer',
    (page) => page.getByRole('dialog').getByLabel('Id').waitFor(),
  ],
  [
    'the form of the settings',
    () => '/operation?act=change-settings',
    (page) => page.getByRole('dialog').getByLabel('City').waitFor(),
  ],
  [
    'the form of a credit',
    () => '/customers/acme/changes?act=grant-credit',
    (page) => page.getByRole('heading', { name: 'Grant credit to acme' }).waitFor(),
  ],
  [
    'the command palette',
    () => '/',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('cancel');
      await page.getByRole('option').first().waitFor();
    },
  ],
];

const UNKNOWN = { name: 'an unknown address', address: () => '/nowhere' };

describe('wide and narrow, light and dark, has no serious fault of accessibility and fits:', () => {
  it.each([...EVERY_PAGE, UNKNOWN])('$name', async ({ address }) => {
    const page = await test.open(address(shown()));
    await expectNoFault(page);
    await page.close();
  });

  it.each(STATES)('%s', async (_name, where, reach) => {
    const page = await test.open(where());
    await settled(page);
    await reach(page);
    await expectNoFault(page);
    await page.close();
  });

  it('the login', async () => {
    const page = await test.visit('/invoices');
    await page.getByLabel('API key').waitFor();
    await expectNoFault(page);
    await page.close();
  });
});

const PRINTED = /^@media print \{.*?^\}/gms;
/** Selects by mode in a style or script. */
const BY_MODE = /prefers-color-scheme|\[data-theme[^{]*\{([^}]*)\}/g;

it('light and dark differ in colors alone, so that every further rule is looked for in one of them', () => {
  const sources = path.resolve(import.meta.dirname, '../../console');
  const found = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(css|tsx?|html)$/.test(file))
    .map((file) => readFileSync(path.join(sources, file), 'utf8').replaceAll(PRINTED, ''))
    .flatMap((source) => [...source.matchAll(BY_MODE)])
    .map(([, set]) => set?.trim());
  expect(new Set(found)).toEqual(new Set(['color-scheme: light;', 'color-scheme: dark;']));
});
