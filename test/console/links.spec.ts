import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { eventually, startConsoleTest, type ConsoleTest } from './browser.js';
import { billJanuary } from './january.js';

let test: ConsoleTest;
let shop: Shop;
let planId: string;
let invoiceId: string;

beforeAll(async () => {
  test = await startConsoleTest();
  shop = shopOf(test.app);
  const metric = await shop.metric();
  planId = await shop.plan('Team', {
    recurring_charges: [aChargeBody({ amount: 5 })],
    components: [aComponentBody(metric)],
  });
  await shop.customer('acme', { timezone: 'America/New_York' });
  await shop.customer('globex');
  for (const customer of ['acme', 'globex']) await shop.subscribe(customer, planId, '2026-01-01');
  for (let n = 0; n < 40; n += 1)
    await test.app.request
      .post('/api/credits/')
      .send({ customer_id: 'acme', amount: 1, currency_code: 'USD' })
      .expect(201);
  invoiceId = await billJanuary(test.app, shop);
});
afterAll(() => test.stop());

/** One white pixel. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);

const parameter = (url: string, name: string): string | null => new URL(url).searchParams.get(name);

describe('an address', () => {
  it('has which charts show their numbers', async () => {
    const page = await test.open('/');
    await page.getByRole('button', { name: 'Show numbers of Receivables by age' }).click();
    await page.waitForURL(/numbers=receivables-by-age/);
    await page.reload();
    await page.getByRole('button', { name: 'Hide numbers of Receivables by age' }).waitFor();
    await page.getByRole('button', { name: 'Show numbers of Invoiced by month' }).click();
    await page.waitForURL(/invoiced-by-month/);
    await page.getByRole('button', { name: 'Hide numbers of Receivables by age' }).click();
    await page.waitForURL((url) => url.searchParams.get('numbers') === 'invoiced-by-month');
    await page.close();
  });

  it('has the page of a time line', async () => {
    const page = await test.open('/customers/acme');
    const entries = page.getByRole('region', { name: 'Timeline' }).locator('li');
    await entries.first().waitFor();
    const first = await entries.first().innerText();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/before=/);
    await page.getByRole('region', { name: 'Timeline' }).getByText('The customer was').waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Timeline' }).getByText('The customer was').waitFor();
    expect(await entries.first().innerText()).not.toBe(first);
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('before') === null);
    await page.close();
  });

  it('has that an invoice is verified', async () => {
    const page = await test.open(`/invoices/${invoiceId}`);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Recalculated from the log, the invoice is the same.').waitFor();
    expect(parameter(page.url(), 'verified')).toBe('now');
    await page.reload();
    await page.getByText('Recalculated from the log, the invoice is the same.').waitFor();
    await page.close();
  });

  it('opens the form of an act', async () => {
    const page = await test.open('/customers/acme/changes');
    await page.getByRole('button', { name: 'Switch plan' }).click();
    await page.waitForURL(/act=switch-plan/);
    await page.reload();
    await page.getByRole('dialog').getByRole('heading', { name: 'Switch acme from Team' }).waitFor();
    const offered = page.getByRole('dialog').getByLabel('Plan').locator('option');
    await eventually(async () => expect(await offered.allInnerTexts()).toEqual(['Choose a plan']));
    await page.close();
  });
});

describe('a page', () => {
  it('tells how current its numbers are, and what is behind', async () => {
    const page = await test.open('/customers');
    await page.getByText('Up to date as of').waitFor();
    await page.route('**/api/read_models/', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { read_models: { name: string }[] };
      const behind = { state: 'behind', events_behind: 12, behind_since: '2026-02-02T00:00:00Z' };
      const models = body.read_models.map((one) => (one.name === 'customers' ? { ...one, ...behind } : one));
      await route.fulfill({ response, json: { ...body, read_models: models } });
    });
    await page.reload();
    await page.getByText('is behind, 12 events since').waitFor();
    await page.goto(`${test.app.url}/console/audit`);
    await page.getByText('Up to date as of').waitFor();
    await page.close();
  });

  it('is of the time at which a manual clock stands, and else of the time of reading', async () => {
    const page = await test.open('/customers/acme');
    const clock = 'as of Feb 2, 2026, 12:00 AM UTC (manual clock)';
    await page.getByText(`Up to date ${clock}`).waitFor();
    await page
      .getByRole('region', { name: 'Next invoice' })
      .getByText(`Computed from the log ${clock}`)
      .waitFor();
    await page.route('**/console/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), manual_clock: false } });
    });
    let asked = 0;
    page.on('request', (request) => (asked += request.url().includes('/api/test_clock/') ? 1 : 0));
    await page.reload();
    const year = new Date().getUTCFullYear();
    await page.getByText(new RegExp(`Up to date, read \\w+ \\d+, ${year}, .* UTC$`)).waitFor();
    expect(asked).toBe(0);
    await page.close();
  });

  it('shows times in the zone of the customer with UTC beside', async () => {
    const page = await test.open('/customers/acme');
    const times = page.getByRole('region', { name: 'Timeline' }).locator('time');
    await eventually(async () => expect(await times.first().innerText()).toMatch(/ UTC\)$/));
    await page.close();
  });

  it('names UTC where neither a zone nor the header of a column does', async () => {
    const page = await test.open('/audit');
    const current = page.getByText('Up to date as of').locator('time');
    await eventually(async () => expect(await current.innerText()).toMatch(/ UTC$/));
    const inColumn = page.locator('main tbody time').first();
    await eventually(async () => expect(await inColumn.innerText()).toMatch(/ [AP]M$/));
    await page.close();
  });

  it('of a customer has its facts in one row where there is room', async () => {
    const page = await test.open('/customers/acme');
    const names = page.locator('main dl').first().locator('dt');
    await names.nth(6).waitFor();
    await eventually(async () => {
      const places = await Promise.all((await names.all()).map((name) => name.boundingBox()));
      expect(new Set(places.map((place) => place?.y)).size).toBe(1);
    });
    await page.close();
  });

  it('of a plan shows its versions over time, and who is on them', async () => {
    const page = await test.open(`/plans/${planId}`);
    const figure = page.getByRole('figure', { name: 'Versions over time' });
    await figure.getByText('2 active subscriptions').waitFor();
    for (const text of ['acme Inc', 'globex Inc', 'on sale since Jan 1, 2026'])
      await figure.getByText(text).first().waitFor();
    await page.close();
  });
});

describe('long work', () => {
  it('of the clock shows where it is', async () => {
    const page = await test.open('/operation');
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/api/test_clock/advance/', async (route) => {
      await gate;
      await route.continue();
    });
    await page.getByText('Webhook deliveries and API keys have real time.').waitFor();
    await page.getByLabel('Advance to (UTC)').fill('2026-02-03T00:00');
    await page.getByRole('button', { name: 'Advance the clock' }).click();
    await page.getByRole('progressbar', { name: 'Clock' }).waitFor();
    go();
    await page.getByText(/invoices issued/).waitFor();
    await page.close();
  });

  it('of evidence can be stopped, and is taken again', async () => {
    const page = await test.open(`/invoices/${invoiceId}`);
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/evidence/', async (route) => {
      await gate;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Evidence' }).click();
    await page.getByRole('button', { name: 'Collecting events. Stop' }).click();
    await page.getByRole('button', { name: 'Evidence' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    go();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Evidence' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^evidence-.+\.zip$/);
    await page.close();
  });
});

describe('a line that credits pay', () => {
  it('names the credits', async () => {
    await test.app.request
      .post('/api/credits/')
      .send({ customer_id: 'globex', amount: 3, currency_code: 'USD', description: 'Welcome' })
      .expect(201);
    await test.app.advance('2026-03-02T00:00:00Z');
    const [{ invoice_id: id }] = await shop.invoices('?customer_id=globex');
    const page = await test.open(`/invoices/${id}`);
    await page.getByRole('button', { name: /Applied Credit.*Welcome/ }).waitFor();
    await page.close();
  });
});

describe('settings', () => {
  it('are changed in a form, after what changes is shown', async () => {
    const page = await test.open('/operation?act=change-settings');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Days until due').fill('30');
    await dialog.getByLabel('City').fill('Berlin');
    await dialog.getByLabel('Tax numbers').fill('vat DE123456789');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await eventually(async () =>
      expect(await dialog.locator('table tbody tr').allInnerTexts()).toEqual([
        'City\tnone\tBerlin',
        'Tax numbers\tnone\tvat DE123456789',
        'Days until due\tnone\t30',
      ]),
    );
    await dialog.getByRole('button', { name: 'Save settings' }).click();
    await dialog.getByText('The settings have been changed').waitFor();
    const { body } = await test.app.request.get('/api/organization/').expect(200);
    expect(body).toMatchObject({
      payment_grace_period: 30,
      address: { city: 'Berlin', country: null },
      tax_ids: [{ type: 'vat', value: 'DE123456789' }],
    });
    await page.close();
  });
});

describe('the logo', () => {
  it('is chosen, previewed and removed in the form of the settings', async () => {
    const page = await test.open('/operation?act=change-settings');
    const dialog = page.getByRole('dialog');
    const choose = (name: string, buffer: Buffer): Promise<void> =>
      dialog.getByLabel('Logo', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer });
    await choose('large.png', Buffer.alloc(140_000));
    await dialog.getByText('This image has 137 kB. Choose one of at most 128 kB.').waitFor();
    await choose('logo.png', LOGO);
    await dialog.getByRole('img', { name: 'New Logo' }).waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('row', { name: 'Logo none the chosen image' }).waitFor();
    await dialog.getByRole('button', { name: 'Save settings' }).click();
    await dialog.getByText('The settings have been changed').waitFor();
    const logo = async (): Promise<object> =>
      (await test.app.request.get('/api/organization/').expect(200)).body.logo;
    expect(await logo()).toMatchObject({ media_type: 'image/png', width: 1, height: 1 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 × 1 pixels').waitFor();
    await page.getByRole('button', { name: 'Change settings' }).click();
    await dialog.getByRole('button', { name: 'Remove Logo' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Save settings' }).click();
    await dialog.getByText('The settings have been changed').waitFor();
    expect(await logo()).toBeNull();
    await page.close();
  });
});

describe('the details of a customer', () => {
  it('are changed in a form, after what changes is shown', async () => {
    const page = await test.open('/customers/acme');
    await page.getByRole('button', { name: 'Change details' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tax numbers').fill('vat ATU99999999');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('row', { name: 'Tax numbers none vat ATU99999999' }).waitFor();
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await dialog.getByText('The details have been changed').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('ATU99999999').first().waitFor();
    const { body } = await test.app.request.get('/api/customers/acme/').expect(200);
    expect(body).toMatchObject({ tax_ids: [{ type: 'vat', value: 'ATU99999999' }] });
    await page.close();
  });
});
