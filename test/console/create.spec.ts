import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { TRIGGERS } from '../../src/webhooks/domain/triggers.js';
import { seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
let readKey: string;
beforeAll(async () => {
  test = await startConsoleTest({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  const { body } = await test.app.request
    .post('/api/api_keys/')
    .send({ name: 'Reader', scope: 'read' })
    .expect(201);
  readKey = body.key as string;
});
afterAll(() => test.stop());

const dialog = (page: Page) => page.getByRole('dialog');
const get = async (path: string) => (await test.app.request.get(path).expect(200)).body;

/** Opens a form, types the values by label, and sends it. */
async function send(page: Page, label: string, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = dialog(page).getByLabel(name, { exact: true });
    const isChoice = (await field.evaluate((element) => element.tagName)) === 'SELECT';
    await (isChoice ? field.selectOption(value) : field.fill(value));
  }
  await dialog(page).getByRole('button', { name: label }).click();
}

describe('an empty organization', () => {
  it('leads from empty lists to forms: feature, metric, plan, customer, subscription', async () => {
    const page = await test.open('/metrics');
    await page.getByText('No metrics yet').waitFor();
    await page.getByRole('button', { name: 'New feature' }).click();
    await send(page, 'Create feature', { Name: 'Single sign-on' });
    await dialog(page).getByText('can now grant it').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: 'Single sign-on' }).waitFor();

    await page.getByRole('button', { name: 'New metric' }).click();
    expect(await seriousFaults(page)).toEqual([]);
    await send(page, 'Create metric', { Name: 'Requests', 'Event name': 'request' });
    await dialog(page).getByText('Plan versions can now set a price for it').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: 'Requests' }).waitFor();
    expect(await get('/api/metrics/')).toMatchObject([
      { metric_name: 'Requests', metric_type: 'counter', aggregation_type: 'count' },
    ]);

    await page.goto(`${test.app.url}/console/plans`);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Name', { exact: true }).first().fill('Team');
    await page.getByRole('group', { name: 'Charge 1' }).getByLabel('Name').fill('Base');
    await page.getByRole('group', { name: 'Charge 1' }).getByLabel('Amount in USD').fill('49');
    await page.getByRole('button', { name: 'Add usage price' }).click();
    await page.getByLabel('Metric').selectOption({ label: 'Requests' });
    await page.getByRole('group', { name: 'Tier 1' }).getByLabel('USD').fill('0.02');
    await page.getByLabel('Single sign-on').check();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create plan' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    const [plan] = await get('/api/plans/');
    expect(plan).toMatchObject({ plan_name: 'Team', plan_duration: 'monthly', active_version: 1 });
    expect(plan.versions[0]).toMatchObject({
      recurring_charges: [{ name: 'Base', amount: 49 }],
      features: [{ feature_name: 'Single sign-on' }],
      components: [{ tiers: [{ type: 'per_unit', cost_per_batch: 0.02 }] }],
    });

    await page.goto(`${test.app.url}/console/customers`);
    await page.getByText('No customers yet').waitFor();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.waitForURL(/act=new-customer$/);
    await send(page, 'Create customer', {
      Id: 'acme',
      Name: 'Acme Inc',
      City: 'Berlin',
      Country: 'DE',
      'Tax rate in percent': '0',
      'Reverse charge': 'true',
      'Tax numbers': 'vat DE123456789',
    });
    await dialog(page).getByRole('link', { name: 'Subscribe this customer to a plan' }).click();
    await page.getByRole('heading', { level: 1, name: 'Changes to Acme Inc' }).waitFor();
    expect(await get('/api/customers/acme/')).toMatchObject({
      customer_name: 'Acme Inc',
      billing_address: { city: 'Berlin', country: 'DE' },
      tax_rate: 0,
      reverse_charge: true,
    });
    await page.close();
  });
});

describe('a form for something new', () => {
  it('says at the field what the service refuses, and keeps what was typed', async () => {
    await test.app.request.post('/api/customers/').send({ customer_id: 'taken' });
    const page = await test.open('/customers?act=new-customer');
    const typed = { Id: 'other', Name: 'Other', Currency: 'XXQ', 'Tax rate in percent': 'a lot' };
    await send(page, 'Create customer', typed);
    await dialog(page).locator('[aria-invalid=true]').first().waitFor();
    for (const [name, value] of Object.entries(typed))
      expect(await dialog(page).getByLabel(name, { exact: true }).inputValue()).toBe(value);
    expect(await dialog(page).getByLabel('Tax rate in percent').getAttribute('aria-invalid')).toBe('true');
    await send(page, 'Create customer', { Id: 'taken', Currency: '', 'Tax rate in percent': '' });
    await dialog(page)
      .getByText(/taken|already/)
      .first()
      .waitFor();
    expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Other');
    await page.close();
  });

  it('of a gauge asks for what a gauge needs', async () => {
    const page = await test.open('/metrics?act=new-metric');
    await dialog(page).getByLabel('Type').selectOption('gauge');
    await send(page, 'Create metric', {
      Name: 'Seats',
      'Event name': 'seats',
      'Property of the events': 'seats',
      'Each event has': 'total',
      Interval: 'days',
    });
    await dialog(page).getByText('Plan versions can now set a price for it').waitFor();
    const metrics = (await get('/api/metrics/')) as { metric_name: string }[];
    expect(metrics.find(({ metric_name: name }) => name === 'Seats')).toMatchObject({
      metric_type: 'gauge',
      aggregation_type: 'max',
      event_type: 'total',
      granularity: 'days',
      property_name: 'seats',
    });
    await page.close();
  });

  it('keeps its buttons in view while it scrolls', async () => {
    const page = await test.open('/operation?act=change-settings');
    const preview = dialog(page).getByRole('button', { name: 'Preview' });
    await preview.waitFor();
    await dialog(page).evaluate((element: { scrollTop: number }) => (element.scrollTop = 0));
    const { y, height } = (await preview.boundingBox())!;
    expect(y + height).toBeLessThan(page.viewportSize()!.height);
    await page.close();
  });

  it('of an endpoint shows its secret once', async () => {
    const page = await test.open('/operation?act=new-endpoint');
    const events = dialog(page).getByRole('group', { name: 'Events' });
    expect(await events.getByRole('checkbox').count()).toBe(TRIGGERS.length);
    await events.getByLabel('invoice.voided').uncheck();
    await events.getByLabel('usage_alert.triggered').check();
    await send(page, 'Create endpoint', { Name: 'Books', URL: 'http://127.0.0.1:9/hook' });
    await dialog(page)
      .getByText(/whsec_/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Books http://127.0.0.1:9/hook' }).waitFor();
    expect(await get('/api/webhooks/')).toMatchObject([
      { name: 'Books', triggers: ['invoice.created', 'invoice.paid', 'usage_alert.triggered'] },
    ]);
    await page.close();
  });

  it('of an alert watches the usage of its customer', async () => {
    const page = await test.open('/customers/acme?act=new-alert');
    await dialog(page).getByLabel('Metric').selectOption({ label: 'Requests' });
    await send(page, 'Create alert', { Name: 'Nearly used up', Threshold: '900' });
    await dialog(page).getByText('sends the webhook').waitFor();
    expect(await get('/api/usage-alerts/')).toMatchObject([
      { name: 'Nearly used up', customer_id: 'acme', threshold: 900, threshold_type: 'units' },
    ]);
    await page.close();
  });

  it('is closed to a key with the read scope', async () => {
    const page = await test.open('/customers', readKey);
    expect(await page.getByRole('button', { name: 'New customer' }).isDisabled()).toBe(true);
    await page.goto(`${test.app.url}/console/plans/new`);
    expect(await page.getByRole('button', { name: 'Create plan' }).isDisabled()).toBe(true);
    await page.close();
  });
});
