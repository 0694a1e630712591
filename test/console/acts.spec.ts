import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aChargeBody, anAddonBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
let shop: Shop;
beforeAll(async () => {
  test = await startConsoleTest({ clockStart: '2025-12-31T23:00:00Z' });
  shop = shopOf(test.app);
  const seats = await shop.metric({
    metric_name: 'seats',
    event_name: 'seat',
    metric_type: 'gauge',
    aggregation_type: 'max',
    property_name: 'n',
    event_type: 'total',
    granularity: 'days',
  });
  await shop.plan('Starter', { recurring_charges: [aChargeBody({ amount: 19 })] });
  await shop.plan('Team', {
    recurring_charges: [aChargeBody({ amount: 99 })],
    components: [
      aComponentBody(seats, {
        tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 8, metric_units_per_batch: 1 }],
        prepaid_charge: { units: 5, charge_behavior: 'prorate' },
      }),
    ],
  });
  await test.app.request.post('/api/addons/').send(anAddonBody('Support')).expect(201);
  await shop.customer('acme', { default_currency_code: 'USD', timezone: 'Europe/Berlin' });
});
afterAll(() => test.stop());

interface Issued {
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly cost_due: number;
  readonly line_items: readonly { readonly name: string; readonly amount: number }[];
}

const invoices = (): Promise<Issued[]> => shop.invoices('?customer_id=acme');
const money = (value: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(value);

const popupOf = (page: Page) => page.getByRole('dialog');
const openAct = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const preview = async (page: Page, name: string): Promise<void> => {
  await popupOf(page).getByRole('button', { name: 'Preview' }).click();
  await popupOf(page).getByRole('button', { name, exact: true }).waitFor();
};
/** Answers the sentence that the form ends with. */
const act = async (page: Page, name: string): Promise<string> => {
  await popupOf(page).getByRole('button', { name, exact: true }).click();
  // The sentence about the act replaces the form.
  await popupOf(page).locator('form').waitFor({ state: 'detached' });
  return popupOf(page).innerText();
};
/** Amounts of the last column, top down; the last one is the total. */
const previewed = (page: Page) => popupOf(page).locator('table:has(tfoot) tr td:last-child').allInnerTexts();
/** Amounts of the column of what was charged before. */
const current = (page: Page) => popupOf(page).locator('table:has(tfoot) tr td:nth-child(2)').allInnerTexts();
const changes = () => test.open('/customers/acme/changes');
/** The one that was issued since. */
async function issuedSince(before: readonly Issued[]): Promise<Issued> {
  const known = new Set(before.map(({ invoice_id: id }) => id));
  const found = (await invoices()).filter(({ invoice_id: id }) => !known.has(id));
  expect(found).toHaveLength(1);
  return found[0]!;
}

/** The act brought the invoice that its preview had shown, line by line, and names it. */
function expectAsPreviewed(lines: readonly string[], text: string, issued: Issued): void {
  expect(lines).toEqual([...issued.line_items.map(({ amount }) => money(amount)), money(issued.amount)]);
  expect(text).toContain(issued.invoice_number);
  expect(text).toContain(money(issued.amount));
}

describe('acts of the console bring what their preview showed', () => {
  it('subscribing names the invoice that the API has', async () => {
    const page = await changes();
    await openAct(page, 'Subscribe');
    await popupOf(page).getByLabel('Plan').selectOption({ label: 'Team, $99.00 monthly' });
    await preview(page, 'Subscribe');
    const lines = await previewed(page);
    expectAsPreviewed(lines, await act(page, 'Subscribe'), await issuedSince([]));
    // Midnight in Berlin: the whole month is charged.
    expect(lines).toEqual(['$99.00', '$40.00', '$139.00']);
    await page.close();
  });

  it('changing prepaid units', async () => {
    const before = await invoices();
    const page = await changes();
    await openAct(page, 'Change seats');
    await popupOf(page).getByLabel('Units').fill('9');
    await preview(page, 'Change seats');
    const [change] = await popupOf(page).locator('table').first().locator('tbody tr td').allInnerTexts();
    expect(change).toBe('5');
    expect(await current(page)).toEqual(['$40.00', '$40.00']);
    const lines = await previewed(page);
    expectAsPreviewed(lines, await act(page, 'Change seats'), await issuedSince(before));
    await page.close();
  });

  it('attaching an add-on', async () => {
    const before = await invoices();
    const page = await changes();
    await openAct(page, 'Attach add-on');
    await popupOf(page).getByLabel('Add-on').selectOption({ label: 'Support' });
    await preview(page, 'Attach add-on');
    const lines = await previewed(page);
    expectAsPreviewed(lines, await act(page, 'Attach add-on'), await issuedSince(before));
    await page.close();
  });

  it('granting and voiding a credit', async () => {
    const page = await changes();
    await openAct(page, 'Grant credit');
    await popupOf(page).getByLabel('Amount in USD').fill('twelve');
    await popupOf(page).getByRole('button', { name: 'Preview' }).click();
    // The typed text stays beside the error message.
    await popupOf(page).getByRole('alert').waitFor();
    expect(await popupOf(page).getByLabel('Amount in USD').inputValue()).toBe('twelve');
    await popupOf(page).getByLabel('Amount in USD').fill('12.34');
    await popupOf(page).getByLabel('Expires').fill('2026-06-01');
    await preview(page, 'Grant credit');
    await act(page, 'Grant credit');
    const credits = async () =>
      (await test.app.request.get('/api/credits/?customer_id=acme').expect(200)).body as object[];
    expect(await credits()).toMatchObject([
      { amount: 12.34, status: 'active', expires_at: '2026-05-31T22:00:00Z' },
    ]);
    await popupOf(page).getByRole('button', { name: 'Close' }).click();
    await openAct(page, 'Void credit');
    await preview(page, 'Void credit');
    await act(page, 'Void credit');
    expect(await credits()).toMatchObject([{ amount_remaining: 0, status: 'inactive' }]);
    await page.close();
  });

  it('selling a credit names the invoice over its price', async () => {
    const before = await invoices();
    const page = await changes();
    await openAct(page, 'Grant credit');
    await popupOf(page).getByLabel('Amount in USD').fill('50');
    await popupOf(page).getByLabel('Selling price in USD').fill('40');
    await preview(page, 'Grant credit');
    const text = await act(page, 'Grant credit');
    const issued = await issuedSince(before);
    expect(issued.amount).toBe(40);
    expect(text).toContain(issued.invoice_number);
    await popupOf(page).getByRole('button', { name: 'Close' }).click();
    await openAct(page, 'Void credit');
    await preview(page, 'Void credit');
    await act(page, 'Void credit');
    await page.close();
  });

  it('changing units for the next invoice issues none, and that invoice has the difference', async () => {
    const before = await invoices();
    const page = await changes();
    await openAct(page, 'Change seats');
    await popupOf(page).getByLabel('Units').fill('11');
    await popupOf(page).getByLabel('Invoice').selectOption('add_to_next_invoice');
    await preview(page, 'Change seats');
    expect((await previewed(page))[0]).toBe('$16.00');
    expect(await act(page, 'Change seats')).toContain('No invoice was issued.');
    expect(await invoices()).toHaveLength(before.length);
    const [draft] = await shop.drafts('acme');
    expect((draft as Issued).line_items.map(({ amount }) => amount)).toContain(16);
    await page.close();
  });

  it('switching the plan', async () => {
    await test.app.advance('2026-01-10T23:00:00Z');
    const before = await invoices();
    const page = await changes();
    await openAct(page, 'Switch plan');
    await popupOf(page).getByLabel('Plan').selectOption({ label: 'Starter, $19.00 monthly' });
    await preview(page, 'Switch plan');
    expect(await seriousFaults(page)).toEqual([]);
    const lines = await previewed(page);
    const rows = await popupOf(page)
      .getByRole('row', { name: /^Due on / })
      .allInnerTexts();
    const reduced = rows.map((row) => row.split('\t'));
    expectAsPreviewed(lines, await act(page, 'Switch plan'), await issuedSince(before));
    // The credit for the rest of the period reduces unpaid invoices, which the preview names with what remains.
    const due = async (number: string): Promise<number> =>
      (await test.app.request.get(`/api/invoices/${number}/`).expect(200)).body.cost_due;
    expect(reduced.length).toBeGreaterThan(0);
    for (const [name, now, then] of reduced) {
      const number = name!.replace('Due on ', '');
      expect(now).toBe(money(before.find((one) => one.invoice_number === number)!.cost_due));
      expect(then).toBe(money(await due(number)));
    }
    await page.close();
  });

  it('voiding an invoice', async () => {
    const unpaid = await shop.invoices('?customer_id=acme&status=unpaid');
    const { invoice_number: number, ...reduced } = (unpaid as Issued[]).find(
      ({ amount, cost_due: due }) => due < amount,
    )!;
    const page = await changes();
    await page.getByRole('article', { name: number }).getByRole('button', { name: 'Void invoice' }).click();
    await preview(page, 'Void invoice');
    // The reduction by the switch becomes a credit.
    const credit = money(reduced.amount - reduced.cost_due);
    expect(await popupOf(page).getByRole('row', { name: 'Credit granted' }).innerText()).toContain(credit);
    expect(await act(page, 'Void invoice')).toContain(`Credit of ${credit}`);
    const { body } = await test.app.request.get(`/api/invoices/${number}/`).expect(200);
    expect(body.payment_status).toBe('voided');
    await page.close();
  });

  it('voiding an invoice and billing it again at once', async () => {
    const page = await changes();
    await openAct(page, 'Void invoice');
    await popupOf(page).getByLabel('Afterwards').selectOption('yes');
    await preview(page, 'Void invoice');
    const before = await invoices();
    // Lines of the voided invoice that the new one lacks have a dash.
    const lines = (await previewed(page)).filter((text) => text !== '–');
    expectAsPreviewed(lines, await act(page, 'Void invoice'), await issuedSince(before));
    await page.close();
  });

  it('marking an invoice as paid', async () => {
    const page = await changes();
    await openAct(page, 'Mark as paid');
    await preview(page, 'Mark as paid');
    const rows = await popupOf(page).locator('tbody tr').allInnerTexts();
    const number = (await popupOf(page).getByRole('heading').innerText()).split(' ')[3]!;
    await act(page, 'Mark as paid');
    const { body } = await test.app.request.get(`/api/invoices/${number}/`).expect(200);
    expect(rows).toEqual(['Status\tunpaid\tpaid', `Amount due\t${money(body.amount)}\t$0.00`]);
    expect(body).toMatchObject({ payment_status: 'paid', cost_due: 0 });
    await page.close();
  });

  it('cancelling', async () => {
    const page = await changes();
    await openAct(page, 'Cancel now');
    await popupOf(page).getByLabel('Recurring charges').selectOption('refund');
    await preview(page, 'Cancel now');
    const before = await invoices();
    const lines = await previewed(page);
    expectAsPreviewed(lines, await act(page, 'Cancel now'), await issuedSince(before));
    const { body } = await test.app.request
      .get('/api/subscriptions/?customer_id=acme&status[]=active')
      .expect(200);
    expect(body).toEqual([]);
    await page.close();
  });
});
