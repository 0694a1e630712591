import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';
import { eventually, seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

/** Subscriptions that have more usage periods in two months than a page of the API. */
const MANY = 26;

let test: ConsoleTest;
beforeAll(async () => {
  test = await startConsoleTest();
  const shop = shopOf(test.app);
  const { request } = test.app;
  const metric = await shop.metric();
  const tiers = [
    { type: 'free', range_start: 0, range_end: 10 },
    { type: 'per_unit', range_start: 10, range_end: 40, cost_per_batch: 1, metric_units_per_batch: 1 },
  ];
  const plan = await shop.plan('Metered', {
    recurring_charges: [aChargeBody({ amount: 30 })],
    components: [aComponentBody(metric, { tiers })],
  });
  await shop.customer('acme', { default_currency_code: 'USD' });
  await shop.customer('bare', { billing_address: { line1: 'Ring 1', city: 'Wien', country: 'AT' } });
  await shop.customer('many');
  await request
    .post('/api/credits/')
    .send({ customer_id: 'acme', amount: 100, currency_code: 'USD' })
    .expect(201);
  await request
    .post('/api/usage-alerts/')
    .send({ name: 'almost there', metric_id: metric, customer_id: 'acme', threshold: 35 })
    .expect(201);
  await shop.subscribe('acme', plan, '2026-01-01');
  for (let region = 0; region < MANY; region += 1)
    await shop.subscribe('many', plan, '2026-01-01', {
      subscription_filters: [{ property_name: 'region', value: `r${region}` }],
    });
  await test.app.advance('2026-02-05T00:00:00Z');
  const [{ credit_id: id }] = (await request.get('/api/credits/?customer_id=acme')).body;
  await request.post(`/api/credits/${id}/void/`).send({}).expect(200);
  await shop.use(...times(40, '2026-02-04T00:00:00Z'));
});
afterAll(() => test.stop());

describe('the page of a customer', () => {
  it('has limits and alerts beside the windows of usage', async () => {
    const page = await test.open('/customers/acme');
    // The API counts no older windows unless it is asked for them.
    await page.getByRole('heading', { name: 'Usage in the last 31 days' }).waitFor();
    const row = page.getByRole('region', { name: 'Limits and alerts' }).last().locator('tbody tr');
    await row.getByText('almost there at 35').waitFor();
    await eventually(async () =>
      expect(await row.locator('td').allInnerTexts()).toEqual([
        'requests Metered',
        '40 limit reached',
        '10',
        '40',
        'almost there at 35 reached',
      ]),
    );
    await page.close();
  });

  it('has the limits of all subscriptions, and when the next invoice is issued for which periods', async () => {
    const page = await test.open('/customers/many');
    const limits = page.getByRole('region', { name: 'Limits and alerts' }).first();
    await limits.getByText(`1–20 of ${MANY}`).waitFor();
    const draft = page.getByRole('region', { name: 'Next invoice (draft)' });
    await draft.getByText('To be issued Mar 1, 2026').waitFor();
    await draft.getByText('Mar 1, 2026 – Mar 31, 2026').first().waitFor();
    await page.close();
  });

  it('draws the credit balance over time, to the moment of a void', async () => {
    const page = await test.open('/customers/acme');
    const chart = page.getByRole('figure', { name: 'Credit balance over time' });
    await chart.locator('.recharts-rectangle').first().waitFor();
    await eventually(async () =>
      expect(await chart.locator('tbody td').allInnerTexts()).toEqual(['$70.00', '$40.00', '$0.00']),
    );
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  it('of a customer without anything says so, in boxes', async () => {
    const page = await test.open('/customers/bare');
    await page.getByText('Ring 1, Wien, AT').waitFor();
    for (const title of ['No active subscriptions', 'No metered usage', 'No invoices yet', 'No credits'])
      await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByRole('figure').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});
