import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fourMonths } from '../support/four-months.js';
import { shopOf } from '../support/shop.js';
import {
  eventually,
  MODES,
  neededWidth,
  rulesIn,
  seriousFaults,
  showIn,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';

/** Globals of the browser that the functions sent to it use. */
interface BrowserGlobals {
  readonly HTMLInputElement: { readonly prototype: object };
  readonly Event: new (type: string, init: { bubbles: boolean }) => object;
}

interface Entry {
  readonly recorded_at: string;
  readonly summary: string;
}

let test: ConsoleTest;
/** Events of acme, the earliest first. */
let log: Entry[];

beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  await fourMonths(test.app, shop);
  await shop.customer('vienna', { timezone: 'Europe/Vienna' });
  const { body } = await test.app.request.get('/api/audit/log/?customer_id=acme&limit=1000').expect(200);
  log = (body as Entry[]).reverse();
});
afterAll(() => test.stop());

const momentOf = (summary: string): string =>
  log.find((entry) => entry.summary.startsWith(summary))!.recorded_at;
const addressOf = (page: Page): string | null => new URL(page.url()).searchParams.get('at');
const historyOf = (at?: string, customer = 'acme'): string =>
  `/customers/${customer}/history${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`;
const open = (at?: string, customer?: string): Promise<Page> => test.open(historyOf(at, customer));
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });

/** Waits until the page shows this moment, and reads a row of its table. */
async function rowOf(page: Page, name: string): Promise<string[]> {
  const table = page.locator('main table[aria-busy=false]');
  const alert = page.locator('main').getByRole('alert');
  await table.or(alert).first().waitFor();
  if (await alert.isVisible()) throw new Error(`The page says: ${await alert.innerText()}`);
  return table.getByRole('row').filter({ hasText: name }).first().locator('td').allInnerTexts();
}

/** Presses keys on the slider, and waits for the moment in the address. */
async function step(page: Page, key: string, at: string): Promise<void> {
  await slider(page).press(key);
  await page.waitForURL((url) => url.searchParams.get('at') === at);
}

describe('the history of a customer', () => {
  it('shows what an event changed, before beside after, as the API answered then', async () => {
    const at = momentOf('The subscription was switched');
    const page = await open(at);
    expect(await rowOf(page, 'Basic')).toEqual([expect.stringContaining('version 1'), '–']);
    expect(await rowOf(page, 'Pro')).toEqual(['–', expect.stringContaining('version 1')]);
    const { body } = await test.app.request.get(`/api/customers/acme/?as_of=${at}`).expect(200);
    const due = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    const [, after] = await rowOf(page, 'Total').catch(() => []);
    if (body.total_amount_due > 0) expect(after).toBe(due.format(body.total_amount_due as number));
    await page.getByText('The subscription was switched').first().waitFor();
    await page.close();
  });

  it('adds up what is left of credits exactly', async () => {
    const page = await open(momentOf('The credit was granted'));
    expect(await rowOf(page, 'Remaining in USD')).toEqual(['–', '$100.00']);
    await page.close();
  });

  it('begins at the newest event, and goes from one to the next by key and button', async () => {
    const moments = [...new Set(log.map(({ recorded_at: at }) => at))];
    const page = await open();
    expect(addressOf(page)).toBeNull();
    await step(page, 'Home', moments[0]!);
    expect(await rowOf(page, 'Subscriptions')).toEqual([]);
    await page.getByRole('button', { name: 'Next event' }).click();
    await page.waitForURL((url) => (url.searchParams.get('at') ?? '') > moments[0]!);
    const second = addressOf(page)!;
    await step(page, 'ArrowLeft', moments[0]!);
    await step(page, 'ArrowRight', second);
    await slider(page).press('End');
    await page.waitForURL((url) => (url.searchParams.get('at') ?? '') > second);
    await page.getByRole('button', { name: 'Next event' }).and(page.locator(':disabled')).waitFor();
    await page.reload();
    await eventually(async () => expect(await slider(page).getAttribute('aria-valuetext')).toContain('2026'));
    await page.close();
  });

  it('has no step for a document that was made, as it changes nothing that is shown', async () => {
    const { body: invoices } = await test.app.request.get('/api/invoices/?customer_id=acme').expect(200);
    await test.app.request.get(`/api/invoices/${invoices[0].invoice_id}/pdf/`).expect(200);
    const { body: newest } = await test.app.request
      .get('/api/audit/log/?customer_id=acme&limit=1')
      .expect(200);
    expect(newest[0].event_type).toBe('InvoiceDocumentKept');
    const page = await open();
    await page.getByRole('heading', { name: 'What happened at this moment' }).waitFor();
    await rowOf(page, 'Subscriptions');
    expect(await page.getByText(newest[0].summary).count()).toBe(0);
    await page.close();
  });

  it('between two events has the state alone, and the way to the event before', async () => {
    const page = await open('2026-02-20T12:00:00Z');
    expect(await rowOf(page, 'Pro')).toHaveLength(1);
    await page.getByRole('button', { name: 'See what it changed' }).click();
    await page.getByRole('columnheader', { name: 'Before' }).waitFor();
    expect(addressOf(page)! < '2026-02-20T12:00:00Z').toBe(true);
    await page.close();
  });

  it('before the first event says so', async () => {
    const page = await open('2025-12-01T00:00:00Z');
    await page.getByRole('heading', { name: 'The customer did not exist at this moment' }).waitFor();
    await page.getByRole('heading', { name: 'No events yet' }).waitFor();
    await page.close();
  });

  it('takes an exact moment on the clocks of the customer', async () => {
    const page = await open(undefined, 'vienna');
    const field = page.getByLabel('Date and time in Europe/Vienna');
    for (const [local, at] of [
      ['2026-01-15T10:30:01', '2026-01-15T09:30:01Z'],
      ['2026-03-30T10:30:05', '2026-03-30T08:30:05Z'],
    ] as const) {
      await field.fill(local);
      await field.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('at') === at);
    }
    await page.close();
  });

  it('of an address that names no moment, and of one to come, says what is wrong', async () => {
    const page = await open('yesterday');
    await page.getByRole('heading', { name: 'The address has no valid moment' }).waitFor();
    await page.goto(`${test.app.url}/console/customers/acme/history?at=2099-01-01T00:00:00Z`);
    await page.getByText('This moment is in the future').waitFor();
    await page.close();
  });
});

describe('a slider that moves on', () => {
  it('asks for the moment alone at which it rests', async () => {
    const page = await open(momentOf('The subscription was switched'));
    await rowOf(page, 'Pro');
    const asked = new Set<string>();
    page.on('request', (request) => {
      const at = new URL(request.url()).searchParams.get('as_of');
      if (at !== null) asked.add(at);
    });
    // In one task of the browser: nothing can come between.
    await slider(page).evaluate((input) => {
      const { HTMLInputElement: Input, Event: InputEvent } = globalThis as unknown as BrowserGlobals;
      const { set } = Object.getOwnPropertyDescriptor(Input.prototype, 'value')!;
      for (const place of [900, 700, 500, 300]) {
        set!.call(input, String(place));
        (input as unknown as { dispatchEvent(event: object): void }).dispatchEvent(
          new InputEvent('input', { bubbles: true }),
        );
      }
    });
    const before = momentOf('The subscription was switched');
    await page.waitForURL((url) => url.searchParams.get('at') !== before);
    const rested = addressOf(page)!;
    await rowOf(page, 'Subscriptions');
    await eventually(async () => expect([...asked]).toContain(rested));
    expect([...asked].filter((at) => at.slice(0, 19) !== rested.slice(0, 19)).length).toBeLessThanOrEqual(1);
    await page.close();
  });

  it('never shows a late answer to an earlier question', async () => {
    const late = momentOf('The credit was granted');
    const page = await open(momentOf('The subscription was switched'));
    await rowOf(page, 'Pro');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const answered: Promise<unknown>[] = [];
    await page.route(
      (url) => url.searchParams.get('as_of') === late,
      (route) => {
        answered.push(released.then(() => route.continue()).catch(() => undefined));
      },
    );
    const held = page.waitForRequest((request) => request.url().includes(encodeURIComponent(late)));
    await slider(page).press('Home');
    await page.waitForURL((url) => url.searchParams.get('at') === log[0]!.recorded_at);
    while (addressOf(page) !== late) {
      const here = addressOf(page);
      await slider(page).press('ArrowRight');
      await page.waitForURL((url) => url.searchParams.get('at') !== here);
    }
    await held;
    // The old state is marked as such while the new one is awaited.
    await page.locator('main table[aria-busy=true]').waitFor();
    await slider(page).press('End');
    await page.waitForURL((url) => url.searchParams.get('at') !== late);
    const newest = await rowOf(page, 'Subscriptions').then(() => page.locator('main table').innerText());
    release();
    await Promise.all(answered);
    expect(await page.locator('main table').innerText()).toBe(newest);
    await page.close();
  });
});

/** The service refuses a read of the past after it has waited five seconds for others of its organization. */
const SERVICE_WAITS_MS = 5_500;

describe('the page of a history', () => {
  it('waits for its turn longer than the service lets a read of the past wait', async () => {
    const page = await test.open('/plans');
    let refusedFrom: number | undefined;
    await page.route(
      (url) => url.searchParams.has('as_of'),
      (route) => {
        refusedFrom ??= performance.now();
        if (performance.now() - refusedFrom > SERVICE_WAITS_MS) return route.continue();
        return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, body: '{}' });
      },
    );
    await page.goto(`${test.app.url}/console${historyOf(momentOf('The subscription was switched'))}`);
    expect(await rowOf(page, 'Pro')).toEqual(['–', expect.stringContaining('version 1')]);
    await page.close();
  });

  it('says in the words of the service why a moment is not answered', async () => {
    const page = await open(momentOf('The subscription was switched'));
    await rowOf(page, 'Pro');
    const detail = 'This moment is before the first event of the log.';
    await page.route(
      (url) => url.searchParams.has('as_of'),
      (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify({ title: 'invalid', detail, status: 400, instance: 'request-1' }),
        }),
    );
    await slider(page).press('Home');
    await page.getByText(detail).waitFor();
    await page.close();
  });

  it('says what to do where nothing was recorded', async () => {
    const page = await test.open('/plans');
    await page.route(/\/api\/audit\/log\//, (route) => route.fulfill({ status: 200, json: [] }));
    await page.goto(`${test.app.url}/console/customers/acme/history`);
    await page.getByRole('heading', { name: 'No events of this customer' }).waitFor();
    await page.close();
  });

  it('has no serious fault and fits, wide and narrow, light and dark', async () => {
    const page = await open(momentOf('The subscription was switched'));
    await rowOf(page, 'Pro');
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      for (const mode of MODES) {
        await showIn(page, mode);
        expect({ width, mode, faults: await seriousFaults(page, rulesIn(mode)) }).toEqual({
          width,
          mode,
          faults: [],
        });
      }
      await eventually(async () => expect(await neededWidth(page)).toBeLessThanOrEqual(width));
    }
    await page.close();
  });
});
