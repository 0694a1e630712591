import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { eventually, logIn, seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  const seats = await shop.metric({ metric_name: 'seats' });
  const tiers = [{ type: 'per_unit', range_start: 0, cost_per_batch: 8, metric_units_per_batch: 1 }];
  const plan = await shop.plan('Team', {
    components: [aComponentBody(seats, { tiers, prepaid_charge: { units: 5 } })],
  });
  for (const customer of ['acme', 'beta', 'gamma']) {
    await shop.customer(customer, { email: `${customer}@example.com` });
    await shop.subscribe(customer, plan, '2026-01-01');
  }
});
afterAll(() => test.stop());

/** A key that a test may revoke. */
async function aKey(): Promise<{ readonly key: string; readonly revoke: () => Promise<unknown> }> {
  const { body } = await test.app.request
    .post('/api/api_keys/')
    .send({ name: 'short-lived', scope: 'write' })
    .expect(201);
  return {
    key: body.key as string,
    revoke: () => test.app.request.post(`/api/api_keys/${body.prefix}/revoke/`).expect(200),
  };
}

const dialog = (page: Page) => page.getByRole('dialog').last();
const CHANGES = '/customers/acme/changes';

async function fillGrant(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Grant credit' }).click();
  await page.getByLabel('Amount in USD').fill('12.5');
  await page.getByLabel('Description').fill('for the outage');
}

/** Logs in over the page that a session has left, and finds what was typed. */
async function comeBack(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  // Neither closes the form.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await logIn(page, test.app.key);
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe(`/console${CHANGES}`);
  expect(await page.getByLabel('Amount in USD').inputValue()).toBe('12.5');
  expect(await page.getByLabel('Description').inputValue()).toBe('for the outage');
  await dialog(page).getByRole('button', { name: 'Preview' }).click();
  await dialog(page).getByRole('button', { name: 'Grant credit' }).waitFor();
}

describe('a session that ends while a form is open', () => {
  it('because its key was revoked leaves the page and what was typed', async () => {
    const { key, revoke } = await aKey();
    const page = await test.visit(CHANGES);
    await logIn(page, key);
    await fillGrant(page);
    await revoke();
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await comeBack(page);
    await page.close();
  });

  it('because it expired leaves the page and what was typed', async () => {
    const { key } = await aKey();
    const page = await test.visit(CHANGES);
    await logIn(page, key);
    await fillGrant(page);
    await test.app.pool.query(
      `update console_sessions set expires_at = now() from api_keys key
        where key.id = key_id and key.name = 'short-lived'`,
    );
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await comeBack(page);
    await page.close();
  });
});

/** Holds the requests that match, until they are let go. */
async function hold(page: Page, url: RegExp) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let note = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (note = resolve));
  const answered: Promise<unknown>[] = [];
  await page.route(url, (route) => {
    note();
    // The page may have given the request up in the meantime.
    answered.push(released.then(() => route.continue()).catch(() => undefined));
  });
  return {
    arrived,
    release: async () => {
      release();
      await Promise.all(answered);
    },
  };
}

const fail =
  (status: number, title: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      headers: { 'X-Request-Id': 'request-17' },
      body: JSON.stringify({ title, detail: 'Something broke.', status, instance: 'request-17' }),
    });

describe('an API in trouble', () => {
  it('that is slow leaves the page usable, and shows what comes', async () => {
    const page = await test.open('/plans');
    const slow = await hold(page, /\/api\/customers\//);
    await page.getByRole('link', { name: 'Customers' }).click();
    await slow.arrived;
    await page.locator('main table[aria-busy=true]').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await slow.release();
    await page.getByRole('link', { name: 'acme Inc' }).waitFor();
    await page.close();
  });

  it('that fails is said with the id of the request, and can be tried again', async () => {
    const page = await test.open('/plans');
    await page.route(/\/api\/customers\//, fail(500, 'error'));
    await page.getByRole('link', { name: 'Customers' }).click();
    const said = await page.getByRole('alert').innerText();
    expect(said).toContain('Something broke.');
    expect(said).toContain('request-17');
    expect(await seriousFaults(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'acme Inc' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  });

  it('that is unavailable for a moment is asked again without a word', async () => {
    const page = await test.open('/plans');
    let refused = 0;
    await page.route(/\/api\/customers\//, (route) => {
      refused += 1;
      return refused > 1 ? route.continue() : fail(503, 'unavailable')(route);
    });
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('link', { name: 'acme Inc' }).waitFor();
    expect(refused).toBeGreaterThan(1);
    await page.close();
  });

  it('that stays unavailable is said, and what was typed is kept', async () => {
    const page = await test.open(CHANGES);
    await fillGrant(page);
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await page.route(/\/api\/credits\//, fail(503, 'unavailable'));
    await dialog(page).getByRole('button', { name: 'Grant credit' }).click();
    expect(await dialog(page).getByRole('alert').innerText()).toContain('The service is not available');
    expect(await page.getByLabel('Amount in USD').inputValue()).toBe('12.5');
    await page.unrouteAll();
    await dialog(page).getByRole('button', { name: 'Grant credit' }).click();
    await dialog(page).getByText('The credit has been granted.').waitFor();
    const { body } = await test.app.request.get('/api/credits/?customer_id=acme').expect(200);
    expect(body).toMatchObject([{ amount: 12.5 }]);
    await page.close();
  });

  it('that answers late does not replace a newer list', async () => {
    const page = await test.open('/customers');
    await page.getByRole('link', { name: 'acme Inc' }).waitFor();
    const late = await hold(page, /email=acme/);
    const filter = async (email: string): Promise<void> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByRole('button', { name: 'Filter' }).click();
    };
    await filter('acme@example.com');
    await late.arrived;
    await filter('beta@example.com');
    await page.getByRole('link', { name: 'acme Inc' }).waitFor({ state: 'detached' });
    await late.release();
    const names = page.locator('main tbody td:first-child');
    await eventually(async () => expect(await names.allInnerTexts()).toEqual(['beta Inc']));
    await page.close();
  });

  it('that answers a preview late does not show it for other values', async () => {
    const page = await test.open('/customers/gamma/changes');
    await page.getByRole('button', { name: 'Change seats' }).click();
    await page.getByLabel('Units').fill('7');
    const late = await hold(page, /preview=true/);
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await late.arrived;
    await page.getByLabel('Units').fill('10');
    await page.unroute(/preview=true/);
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByRole('button', { name: 'Change seats' }).waitFor();
    await late.release();
    const total = dialog(page).locator('tfoot td:last-child');
    await eventually(async () => expect(await total.innerText()).toBe('$40.00'));
    await page.close();
  });
});

describe('the command palette', () => {
  it('finds a customer by a part of its name, a plan, and an act whose form has an address', async () => {
    const page = await test.open('/customers/acme');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gam');
    await page.getByRole('option', { name: 'gamma Inc' }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('nobody');
    await page.getByText('Nothing found for “nobody”.', { exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('tea');
    await page.getByRole('option', { name: 'Team' }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('grant');
    await page.getByRole('option', { name: 'Grant credit' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Grant credit to acme' }).waitFor();
    expect(new URL(page.url()).search).toBe('?act=grant-credit');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(({ search }) => search === '');
    await page.close();
  });
});

describe('the keyboard alone', () => {
  /** Moves on by the tabulator until the control with this name has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let pressed = 0; pressed < 80; pressed += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) > 0 && (await focused.innerText()).trim() === name) return;
    }
    throw new Error(`The tabulator does not lead to ${name}.`);
  }

  it('logs in, finds a customer, and grants a credit', async () => {
    const page = await test.visit('/');
    await page.getByLabel('API key').waitFor();
    await page.keyboard.type(test.app.key);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
    await page.keyboard.type('beta');
    await page.getByRole('option', { name: 'beta Inc' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'beta Inc' }).waitFor();
    await tabTo(page, 'Make changes');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Grant credit' }).waitFor();
    await tabTo(page, 'Grant credit');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('3.5');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Grant credit' }).waitFor();
    await tabTo(page, 'Grant credit');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('The credit has been granted.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator(':focus').filter({ hasText: 'Grant credit' }).waitFor();
    const { body } = await test.app.request.get('/api/credits/?customer_id=beta').expect(200);
    expect(body).toMatchObject([{ amount: 3.5 }]);
    await page.close();
  });
});
