import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOOTSTRAP_KEY } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';
import {
  builtConsole,
  logIn,
  seriousFaults,
  settled,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';

const SCRIPT = '<script>globalThis.isHacked = true</script><img src=x onerror="globalThis.isHacked = true">';
const LARGEST_FIRST_LOAD = 200_000;

let test: ConsoleTest;
let planId: string;
let invoiceId: string;
let hostileInvoiceId: string;
/** A key of another organization, which sees none of this. */
let foreignKey: string;

beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  const metric = await shop.metric({ metric_name: SCRIPT });
  planId = await shop.plan(SCRIPT, {
    recurring_charges: [aChargeBody({ name: SCRIPT })],
    components: [aComponentBody(metric)],
  });
  await shop.customer('acme');
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
  for (const customer of ['acme', 'hostile']) await shop.subscribe(customer, planId, '2026-01-01');
  await test.app.advance('2026-01-16T00:00:00Z');
  await shop.use(...times(150, '2026-01-15T12:00:00Z'));
  await shop.use({ customer: 'hostile', at: '2026-01-15T12:00:00Z' });
  await test.app.advance('2026-02-02T00:00:00Z');
  invoiceId = await newestInvoiceOf('acme');
  hostileInvoiceId = await newestInvoiceOf('hostile');
  const { body } = await test.app.request
    .post('/api/organizations/')
    .set('X-API-KEY', BOOTSTRAP_KEY)
    .send({ organization_name: 'Foreign' })
    .expect(201);
  foreignKey = body.admin_key.key as string;
});
afterAll(() => test.stop());

async function newestInvoiceOf(customerId: string): Promise<string> {
  const { body } = await test.app.request.get(`/api/invoices/?customer_id=${customerId}`).expect(200);
  return (body as { invoice_id: string }[])[0]!.invoice_id;
}

const PAGES = {
  'the list of customers': () => '/customers',
  'a customer': () => '/customers/acme',
  'the changes of a customer': () => '/customers/acme/changes',
  'the list of invoices': () => '/invoices',
  'an invoice with an open line': () => `/invoices/${invoiceId}?line=2`,
  'the list of plans': () => '/plans',
  'a plan': () => `/plans/${planId}`,
  'the form of a version': () => `/plans/${planId}/versions/new`,
  'the audit log': () => '/audit',
  'an unknown address': () => '/nowhere',
};

describe('accessibility', () => {
  it.each(Object.entries(PAGES))('%s has no serious fault, light and dark', async (_name, where) => {
    const page = await test.open(where());
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      expect(await seriousFaults(page)).toEqual([]);
    }
    await page.close();
  });

  it('the login has no serious fault', async () => {
    const page = await test.visit('/invoices');
    await page.getByLabel('API key').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});

describe('a name made of script tags', () => {
  it.each([
    ['the list of customers', () => '/customers'],
    ['a customer', () => '/customers/hostile'],
    ['the list of invoices', () => '/invoices'],
    ['an invoice', () => `/invoices/${hostileInvoiceId}?line=1`],
    ['the list of plans', () => '/plans'],
    ['a plan', () => `/plans/${planId}`],
    ['the form of a version', () => `/plans/${planId}/versions/new`],
    ['the audit log', () => '/audit'],
  ])('is text on %s', async (_name, where) => {
    const page = await test.open(where());
    await page.getByText(SCRIPT).first().waitFor();
    await settled(page);
    expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false);
    await page.close();
  });
});

describe('an address with an id of another organization', () => {
  it.each([
    ['customer', () => '/customers/acme'],
    ['customer', () => '/customers/acme/changes'],
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
