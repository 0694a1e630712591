import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import {
  builtConsole,
  logIn,
  MODES,
  rulesIn,
  seriousFaults,
  settled,
  showIn,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';
import { EVERY_PAGE, routesOfRouter } from './every-page.js';
import { aForeignKey, billJanuary } from './january.js';

const SCRIPT = '<script>globalThis.isHacked = true</script><img src=x onerror="globalThis.isHacked = true">';
const LARGEST_FIRST_LOAD = 200_000;

let test: ConsoleTest;
let planId: string;
let metricId: string;
let invoiceId: string;
let hostileInvoiceId: string;
/** A key of another organization, which sees none of this. */
let foreignKey: string;

beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  metricId = await shop.metric({ metric_name: SCRIPT });
  planId = await shop.plan(SCRIPT, {
    recurring_charges: [aChargeBody({ name: SCRIPT })],
    components: [aComponentBody(metricId)],
  });
  await shop.customer('acme');
  await test.app.request.post('/api/features/').send({ feature_name: SCRIPT }).expect(201);
  // The audit log names the key.
  const { body: hostileKey } = await test.app.request
    .post('/api/api_keys/')
    .send({ name: SCRIPT, scope: 'write' })
    .expect(201);
  await test.app.request
    .post('/api/customers/')
    .set('X-API-KEY', hostileKey.key as string)
    .send({ customer_id: 'hostile', customer_name: SCRIPT })
    .expect(201);
  await shop.subscribe('acme', planId, '2026-01-01');
  for (const region of ['eu', SCRIPT])
    await shop.subscribe('hostile', planId, '2026-01-01', {
      subscription_filters: [{ property_name: 'region', value: region }],
    });
  await test.app.request
    .post('/api/credits/')
    .send({ customer_id: 'hostile', amount: 5, currency_code: 'USD', description: SCRIPT })
    .expect(201);
  await test.app.request
    .post('/api/usage-alerts/')
    .send({ name: SCRIPT, metric_id: metricId, customer_id: 'hostile', threshold: 1_000 })
    .expect(201);
  await shop.customer('gone');
  await test.app.request.post('/api/customers/gone/delete/').send({}).expect(200);
  const inEurope = { customer: 'hostile', at: '2026-01-15T12:00:00Z', properties: { region: 'eu' } };
  invoiceId = await billJanuary(test.app, shop, inEurope);
  [{ invoice_id: hostileInvoiceId }] = await shop.invoices('?customer_id=hostile');
  foreignKey = await aForeignKey(test.app);
});
afterAll(() => test.stop());

const shown = () => ({ customer: 'acme', invoice: invoiceId, line: 2, plan: planId });

describe('the list of pages', () => {
  it('has every route of the router', () => {
    expect(EVERY_PAGE.map(({ route }) => route).sort()).toEqual(routesOfRouter().sort());
  });
});

describe('a name made of script tags', () => {
  const hostile = () => ({ customer: 'hostile', invoice: hostileInvoiceId, line: 1, plan: planId });

  it.each(EVERY_PAGE)('is text on the page $name', async ({ address }) => {
    const page = await test.open(address(hostile()));
    await page.getByText(SCRIPT).filter({ visible: true }).first().waitFor();
    await settled(page);
    expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false);
    await page.close();
  });

  it('is text in limits, alerts, credits and filters of subscriptions', async () => {
    const page = await test.open('/customers/hostile');
    await page.getByRole('region', { name: 'Limits and alerts' }).last().getByText(SCRIPT).first().waitFor();
    await page.getByRole('cell', { name: SCRIPT }).first().waitFor();
    await page.getByText(`region=${SCRIPT}`).first().waitFor();
    await settled(page);
    expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false);
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  it('is text in the preview of a change of many subscriptions', async () => {
    const page = await test.open('/customers/hostile/changes');
    await page.getByRole('button', { name: 'Cancel many' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('dialog').getByText(`region=${SCRIPT}`).first().waitFor();
    expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false);
    for (const mode of MODES) {
      await showIn(page, mode);
      expect(await seriousFaults(page, rulesIn(mode))).toEqual([]);
    }
    await page.close();
  });
});

describe('a customer that was deleted', () => {
  it.each(['', '/history', '/changes'])('at …%s is a sentence that leads to what is left', async (below) => {
    const page = await test.open(`/customers/gone${below}`);
    await page.getByRole('heading', { level: 1, name: 'No such customer' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'its events' }).click();
    await page.getByText('The customer was deleted.').waitFor();
    await page.close();
  });
});

describe('an address with an id of another organization', () => {
  it.each([
    ['customer', () => '/customers/acme'],
    ['customer', () => '/customers/acme/changes'],
    ['customer', () => '/customers/acme/history'],
    ['invoice', () => `/invoices/${invoiceId}?line=1`],
    ['plan', () => `/plans/${planId}`],
    ['plan', () => `/plans/${planId}/versions/new`],
  ])('is a page that says there is no such %s', async (kind, where) => {
    const page = await test.open(where(), foreignKey);
    await page.getByRole('heading', { level: 1, name: `No such ${kind}` }).waitFor();
    expect(await page.locator('main').innerText()).not.toContain('acme Inc');
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
    const main = page.locator('main');
    await main
      .getByRole('alert')
      .or(page.getByText('No matches'))
      .or(main.locator('[aria-invalid=true]'))
      .first()
      .waitFor();
    await settled(page);
    const text = await main.innerText();
    expect(text).not.toContain('acme Inc');
    expect(text).not.toContain(SCRIPT);
    await page.close();
  });
});

describe('without a session', () => {
  it('every page asks for a key, and shows nothing', async () => {
    const page = await test.visit('/');
    for (const { name, address } of EVERY_PAGE) {
      await page.goto(`${test.app.url}/console${address(shown())}`);
      await page.getByLabel('API key').waitFor();
      const titles = await page.getByRole('heading', { level: 1 }).allInnerTexts();
      expect({ name, titles }).toEqual({ name, titles: ['Log in to Recount'] });
    }
    await page.close();
  });
});

describe('a session that has ended', () => {
  it('leads from every page to the login, and back to where one was', async () => {
    const page = await test.visit('/');
    await logIn(page, test.app.key);
    for (const { name, address } of EVERY_PAGE) {
      await page.goto(`${test.app.url}/console${address(shown())}`);
      await settled(page);
      const title = await page.locator('main h1').innerText();
      const { pathname, search } = new URL(page.url());
      await test.app.pool.query('delete from console_sessions');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Log in to Recount' }).waitFor();
      await logIn(page, test.app.key);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      const now = new URL(page.url());
      expect({ name, at: now.pathname + now.search }).toEqual({ name, at: pathname + search });
    }
    await page.close();
  });
});

describe('the first page', () => {
  it('needs at most 200 kB of compressed scripts', async () => {
    const page = await test.visit('/');
    const scripts = new Set<string>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      // Charts are loaded after the page (overview.spec.ts).
      if (pathname.endsWith('.js') && !pathname.includes('bar-chart'))
        scripts.add(pathname.replace('/console/', ''));
    });
    await page.reload();
    await logIn(page, test.app.key);
    await page.locator('main h1').waitFor();
    await settled(page);
    const bytes = [...scripts].map((name) => statSync(path.join(builtConsole, `${name}.gz`)).size);
    expect(scripts.size).toBeGreaterThan(2);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(LARGEST_FIRST_LOAD);
    expect(readFileSync(path.join(builtConsole, 'index.html'), 'utf8')).not.toMatch(/<script>|style=/);
    await page.close();
  });
});
