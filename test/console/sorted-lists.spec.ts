import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { eventually, startConsoleTest, type ConsoleTest } from './browser.js';

/** More than a page of a list shows. */
const ENTRIES = 60;
const PAGE = 50;
const two = (index: number): string => String(index).padStart(2, '0');

let test: ConsoleTest;
beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  const indices = Array.from({ length: ENTRIES }, (_, index) => index);
  await Promise.all(
    indices.map(async (index) => {
      // Neither order of creation nor of ids is that of the names.
      const name = `Customer ${two((index * 7) % ENTRIES)}`;
      const plan = await shop.plan(`Plan ${(index * 11) % ENTRIES}`, {
        recurring_charges: [aChargeBody({ amount: 1 + (index % 6) })],
      });
      await shop.customer(`c${two(index)}`, { customer_name: name, email: `c${index}@example.com` });
      await shop.subscribe(`c${two(index)}`, plan, '2026-01-01');
    }),
  );
  await shop.use(
    ...indices.map((index) => ({
      customer: `c${two(index % 7)}`,
      at: `2026-01-01T00:${two((index * 13) % ENTRIES)}:00Z`,
    })),
  );
});
afterAll(() => test.stop());

/** Texts of a column, from the top, once the rows are those that were asked for. */
async function column(page: Page, header: string): Promise<string[]> {
  await page.locator('main table[aria-busy=false]').waitFor();
  const headers = await page.getByRole('columnheader').allInnerTexts();
  const place = headers.findIndex((text) => text.startsWith(header)) + 1;
  return page.locator(`main tbody:not([class*=stale]) td:nth-child(${place})`).allInnerTexts();
}

const headerButton = (page: Page, header: string) =>
  page.getByRole('columnheader', { name: header }).getByRole('button').first();

const inOrder = (texts: readonly string[]): string[] =>
  texts.toSorted(new Intl.Collator('en', { numeric: true }).compare);

/** Lists of the console, each with columns of its own. The order is that of the plain text in the column. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ['/customers', 'Customer'],
  ['/customers', 'Id'],
  ['/customers', 'Plans'],
  ['/customers', 'Amount due'],
  ['/subscriptions', 'Customer'],
  ['/subscriptions', 'Plan'],
  ['/invoices', 'Number'],
  ['/invoices', 'Customer'],
  ['/invoices', 'Amount'],
  ['/plans', 'Plan'],
  ['/plans', 'Active subscriptions'],
  ['/events', 'Time'],
  ['/events', 'Customer'],
];

describe('a list of several pages', () => {
  it.each(COLUMNS)('%s is sorted by %s over all of its pages, both ways', async (where, header) => {
    const page = await test.open(where);
    const shown: string[][] = [];
    for (const direction of ['ascending', 'descending']) {
      await headerButton(page, header).click();
      await page.locator(`th[aria-sort=${direction}]`).waitFor();
      await eventually(async () => {
        const first = await column(page, header);
        expect(first).toHaveLength(PAGE);
        expect(first).toEqual(direction === 'ascending' ? inOrder(first) : inOrder(first).toReversed());
      });
      const first = await column(page, header);
      await page.getByRole('button', { name: 'Next' }).click();
      await eventually(async () => expect(await column(page, header)).toHaveLength(ENTRIES - PAGE));
      shown.push([...first, ...(await column(page, header))]);
      await page.goBack();
      await eventually(async () => expect(await column(page, header)).toEqual(first));
    }
    expect(shown[0]).toEqual(inOrder(shown[0]!));
    expect(shown[1]).toEqual(inOrder(shown[0]!).toReversed());
    await page.close();
  });

  it('of the audit log is sorted by the service, from its first event on', async () => {
    const page = await test.open('/audit?sort=at');
    await page.locator('th[aria-sort=ascending]').waitFor();
    const { body } = await test.app.request.get('/api/audit/log/?ordering=recorded_at&limit=60').expect(200);
    const types = (body as { event_type: string }[]).map(({ event_type: type }) => type);
    await eventually(async () => expect(await column(page, 'Event')).toEqual(types.slice(0, PAGE)));
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(async () =>
      expect((await column(page, 'Event')).slice(0, 10)).toEqual(types.slice(PAGE)),
    );
    await page.close();
  });

  it('has an address for each sorted page', async () => {
    const page = await test.open('/customers?sort=-name');
    await page.getByRole('button', { name: 'Next' }).click();
    const rest = Array.from({ length: ENTRIES - PAGE }, (_, index) => `Customer ${two(index)}`).toReversed();
    await eventually(async () => expect(await column(page, 'Customer')).toEqual(rest));
    await page.reload();
    await eventually(async () => expect(await column(page, 'Customer')).toEqual(rest));
    await page.close();
  });

  it('has no next page until it is sorted', async () => {
    const page = await test.open('/customers');
    const held: (() => void)[] = [];
    await page.route(/limit=1000/, async (route) => {
      await new Promise<void>((release) => held.push(release));
      await route.continue();
    });
    await headerButton(page, 'Customer').click();
    const next = page.getByRole('button', { name: 'Next' });
    await eventually(async () => expect([held.length, await next.isDisabled()]).toEqual([1, true]));
    held[0]!();
    await next.click();
    await eventually(async () => expect(await column(page, 'Customer')).toHaveLength(ENTRIES - PAGE));
    await page.close();
  });

  it('that the browser cannot hold has no button on columns that the service does not order, and says so', async () => {
    const page = await test.open('/customers');
    await page.route(/limit=1000/, async (route) => {
      const response = await route.fetch();
      const next = '</api/customers/?limit=1000&cursor=next>; rel="next"';
      await route.fulfill({ response, headers: { ...response.headers(), link: next } });
    });
    const newestFirst = await column(page, 'Customer');
    await headerButton(page, 'Customer').click();
    await page.getByText('This list is too long to be sorted by Customer.').waitFor();
    expect(await page.getByRole('columnheader').getByRole('button').allInnerTexts()).toEqual(['Amount due']);
    expect(await page.locator('th[aria-sort=ascending]').count()).toBe(0);
    expect(await column(page, 'Customer')).toEqual(newestFirst);
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(async () => expect(await column(page, 'Customer')).toHaveLength(ENTRIES - PAGE));
    await page.close();
  });

  it('of plans that the browser cannot hold is sorted by name by the service, and says how', async () => {
    const page = await test.open('/plans');
    await page.route(/limit=1000/, async (route) => {
      const response = await route.fetch();
      const next = '</api/plans/?limit=1000&cursor=next>; rel="next"';
      await route.fulfill({ response, headers: { ...response.headers(), link: next } });
    });
    await headerButton(page, 'Plan').click();
    await page.getByText('Plan 10 comes before Plan 2').waitFor();
    await page.locator('th[aria-sort=ascending]').waitFor();
    const letterByLetter = Array.from({ length: ENTRIES }, (_, index) => `Plan ${index}`).toSorted();
    await eventually(async () => expect(await column(page, 'Plan')).toEqual(letterByLetter.slice(0, PAGE)));
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(async () => expect(await column(page, 'Plan')).toEqual(letterByLetter.slice(PAGE)));
    await headerButton(page, 'Plan').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await eventually(async () =>
      expect(await column(page, 'Plan')).toEqual(letterByLetter.toReversed().slice(0, PAGE)),
    );
    await page.close();
  });

  it('has no button on a column without an order', async () => {
    const page = await test.open('/events');
    await column(page, 'Time');
    expect(await page.getByRole('columnheader', { name: 'Properties' }).getByRole('button').count()).toBe(0);
    await page.close();
  });
});
