import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BOOTSTRAP_KEY } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';
import { logIn, neededWidth, seriousFaults, settled, startConsoleTest, type ConsoleTest } from './browser.js';
import { EVERY_PAGE } from './every-page.js';

const WIDTHS = [1280, 390];
/** Nested elements take their colors of the other mode one after the other. */
const COLORS_CHANGE_MS = 1_000;

let test: ConsoleTest;
let planId: string;
let metricId: string;
let invoiceId: string;
let foreignKey: string;

beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  metricId = await shop.metric();
  planId = await shop.plan('Team', {
    recurring_charges: [aChargeBody({ amount: 5 })],
    components: [aComponentBody(metricId)],
  });
  await shop.plan('Studio', { recurring_charges: [aChargeBody({ amount: 9 })] });
  await shop.customer('acme', { timezone: 'America/New_York' });
  await shop.subscribe('acme', planId, '2026-01-01');
  await test.app.advance('2026-01-16T00:00:00Z');
  await shop.use(...times(150, '2026-01-15T12:00:00Z'));
  await test.app.advance('2026-02-02T00:00:00Z');
  [{ invoice_id: invoiceId }] = await shop.invoices('?customer_id=acme');
  const { body } = await test.app.request
    .post('/api/organizations/')
    .set('X-API-KEY', BOOTSTRAP_KEY)
    .send({ organization_name: 'Foreign' })
    .expect(201);
  foreignKey = body.admin_key.key as string;
});
afterAll(() => test.stop());

const shown = () => ({ customer: 'acme', invoice: invoiceId, line: 2, plan: planId });

describe('a session that has ended', () => {
  it('leads from every page to the login, and back to where one was', async () => {
    const page = await test.visit('/');
    for (const { name, address } of EVERY_PAGE) {
      await page.goto(`${test.app.url}/console${address(shown())}`);
      const key = page.getByLabel('API key', { exact: true });
      await key.or(page.locator('main h1')).first().waitFor();
      if (await key.isVisible()) await logIn(page, test.app.key);
      await settled(page);
      const title = await page.locator('main h1').innerText();
      const { pathname, search } = new URL(page.url());
      await test.app.pool.query('delete from console_sessions');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Log in to Recount' }).waitFor();
      await logIn(page, test.app.key);
      await settled(page);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      const now = new URL(page.url());
      expect({ name, at: now.pathname + now.search }).toEqual({ name, at: pathname + search });
    }
    await page.close();
  });
});

describe('a list filtered by an id of another organization', () => {
  it.each([
    ['/subscriptions?customer_id=acme', () => ''],
    ['/subscriptions?plan_id=', () => planId],
    ['/events?customer_id=acme', () => ''],
    ['/events?metric_id=', () => metricId],
    ['/invoices?customer_id=acme', () => ''],
    ['/audit?customer_id=acme', () => ''],
  ])('%s shows nothing of it', async (where, id) => {
    const page = await test.open(where + id(), foreignKey);
    await settled(page);
    const text = await page.locator('main').innerText();
    expect(text).not.toContain('acme Inc');
    expect(text).not.toContain('Team');
    await page
      .locator('main')
      .getByRole('alert')
      .or(page.getByText('Nothing matches'))
      .or(page.locator('main [aria-invalid=true]'))
      .first()
      .waitFor();
    await page.close();
  });
});

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
    (page) => page.getByText('Computed again, the invoice is the same.').waitFor(),
  ],
  ['the numbers of a chart', () => '/?numbers=receivables-by-age', (page) => settled(page)],
  [
    'the preview of a switch',
    () => '/customers/acme/changes',
    async (page) => {
      await page.getByRole('button', { name: 'Switch plan' }).click();
      await preview(page, 'Studio, monthly');
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
    'the command palette',
    () => '/',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('cancel');
      await page.getByRole('option').first().waitFor();
    },
  ],
];

describe('accessibility', () => {
  it.each(STATES)('%s has no serious fault, wide and narrow, light and dark', async (_name, where, reach) => {
    const page = await test.open(where());
    await settled(page);
    await reach(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.waitForTimeout(COLORS_CHANGE_MS);
        expect(await seriousFaults(page)).toEqual([]);
      }
      expect(await neededWidth(page)).toBe(width);
    }
    await page.close();
  });

  it.each(EVERY_PAGE)('$name has no serious fault on a phone, light and dark', async ({ address }) => {
    const page = await test.open(address(shown()));
    await page.setViewportSize({ width: 390, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      await page.waitForTimeout(COLORS_CHANGE_MS);
      expect(await seriousFaults(page)).toEqual([]);
    }
    await page.close();
  });
});
