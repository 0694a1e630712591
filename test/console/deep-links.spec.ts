import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { eventually, logIn, settled, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
let shop: Shop;
let [team, starter, subscription] = ['', '', ''];

beforeAll(async () => {
  test = await startConsoleTest();
  shop = shopOf(test.app);
  const metric = await shop.metric();
  team = await shop.plan('Team', {
    recurring_charges: [aChargeBody({ amount: 99 })],
    components: [aComponentBody(metric)],
  });
  starter = await shop.plan('Starter', { recurring_charges: [aChargeBody({ amount: 19 })] });
  await shop.customer('acme', { default_currency_code: 'USD' });
  await shop.customer('oahu', { timezone: 'Pacific/Honolulu' });
  await shop.subscribe('acme', team, '2026-01-01');
  [{ subscription_id: subscription }] = await running();
});
afterAll(() => test.stop());

const dialog = (page: Page) => page.getByRole('dialog');
const planIn = (page: Page) => dialog(page).getByLabel('Plan', { exact: true });
const running = async () =>
  (await test.app.request.get('/api/subscriptions/?customer_id=acme&status[]=active').expect(200)).body;
const switchLink = (more = ''): string =>
  `/customers/acme/changes?act=switch-plan&on=${subscription}&form.planId=${starter}${more}`;

describe('a link to the form of an act', () => {
  it('opens it with its values and its preview, and executes nothing', async () => {
    const page = await test.open(
      switchLink('&form.invoicing=add_to_next_invoice&form.usage=keep_separate&preview=shown'),
    );
    await dialog(page).getByRole('button', { name: 'Switch plan' }).waitFor();
    await dialog(page).getByRole('cell', { name: 'Starter' }).waitFor();
    await eventually(async () => expect(await planIn(page).inputValue()).toBe(starter));
    expect(await dialog(page).getByLabel('Invoice', { exact: true }).inputValue()).toBe(
      'add_to_next_invoice',
    );
    expect(await dialog(page).getByLabel('Usage so far').inputValue()).toBe('keep_separate');
    expect(await running()).toMatchObject([{ subscription_id: subscription }]);
    await page.close();
  });

  it('is what the address becomes while the form is filled in, and back closes the form', async () => {
    const page = await test.open('/customers/acme/changes');
    const closed = page.url();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await planIn(page).selectOption({ label: 'Starter, $19.00 monthly' });
    await dialog(page).getByLabel('From').fill('2026-02-10');
    await page.waitForURL(/form\.planId=.*form\.startDate=2026-02-10/);
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await page.waitForURL(/preview=shown/);
    await dialog(page).getByLabel('From').fill('2026-02-11');
    await page.waitForURL((url) => !url.searchParams.has('preview'));
    const link = page.url();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(page.url()).toBe(closed);
    await page.goto(link);
    await eventually(async () => expect(await planIn(page).inputValue()).toBe(starter));
    expect(await dialog(page).getByLabel('From').inputValue()).toBe('2026-02-11');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(closed);
    await page.close();
  });

  it('for a new subscription suggests the day of the organization’s clock in the zone of the customer', async () => {
    const page = await test.open('/customers/acme/changes?act=subscribe');
    const from = dialog(page).getByLabel('From');
    await eventually(async () => expect(await from.inputValue()).toBe('2026-01-01'));
    await page.goto(`${test.app.url}/console/customers/oahu/changes?act=subscribe`);
    await dialog(page).getByRole('heading', { name: 'Subscribe oahu' }).waitFor();
    await eventually(async () => expect(await from.inputValue()).toBe('2025-12-31'));
    await page.close();
  });

  it('leaves no step behind in the browser when the form is closed by its button', async () => {
    const page = await test.open('/customers/acme');
    await page.getByRole('link', { name: 'Make changes' }).click();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL(/customers\/acme$/);
    await page.close();
  });

  it('survives the login', async () => {
    const page = await test.visit(switchLink());
    await logIn(page, test.app.key);
    await eventually(async () => expect(await planIn(page).inputValue()).toBe(starter));
    await page.close();
  });

  it('ignores values that cannot be read one by one, each with a sentence', async () => {
    const page = await test.open(switchLink('&form.invoicing=tomorrow&form.colour=red'));
    for (const parameter of ['invoicing=tomorrow', 'colour=red'])
      await dialog(page).getByText(`The address has ${parameter}, which this form cannot read`).waitFor();
    await eventually(async () => expect(await planIn(page).inputValue()).toBe(starter));
    expect(await dialog(page).getByLabel('Invoice', { exact: true }).inputValue()).toBe('invoice_now');
    await page.close();
  });

  it('names a plan that is not offered', async () => {
    const page = await test.open(`/customers/acme/changes?act=subscribe&form.planId=plan_gone`);
    await dialog(page).getByText('plan_gone is not on sale').waitFor();
    expect(await planIn(page).inputValue()).toBe('');
    await page.close();
  });

  it('names what cannot be changed any more', async () => {
    const page = await test.open('/customers/acme/changes?act=switch-plan&on=sub_gone');
    await page.getByText('the form switch-plan of sub_gone, which cannot be changed').waitFor();
    expect(await dialog(page).count()).toBe(0);
    await page.close();
  });
});

describe('an address', () => {
  it('has no text about a person', async () => {
    const page = await test.open('/customers/acme/changes?act=grant-credit');
    await dialog(page).getByLabel('Description').fill('for Ms Doe');
    await dialog(page).getByLabel('Amount in USD').fill('12.50');
    await page.waitForURL(/form\.amount=/);
    expect(page.url()).not.toContain('Doe');
    await page.goto(`${test.app.url}/console/customers?act=new-customer`);
    await dialog(page).getByLabel('E-mail').fill('jane@doe.example');
    await page.waitForTimeout(600);
    expect(page.url()).toMatch(/\?act=new-customer$/);
    await page.close();
  });

  it('has the version that is typed', async () => {
    const page = await test.open(`/plans/${team}/versions/new`);
    await page.getByRole('group', { name: 'Tier 2' }).getByLabel('Cost in USD').fill('0.750');
    await page.getByRole('button', { name: 'Add recurring charge' }).click();
    await page.getByRole('group', { name: 'Charge 2' }).getByLabel('Name').fill('Support');
    await page.waitForURL(/form\.charges\.1\.name=Support/);
    await page.reload();
    await settled(page);
    expect(await page.getByRole('group', { name: 'Tier 2' }).getByLabel('Cost in USD').inputValue()).toBe(
      '0.750',
    );
    expect(await page.getByRole('group', { name: 'Charge 2' }).getByLabel('Name').inputValue()).toBe(
      'Support',
    );
    await page.close();
  });

  it('with a version that the plan does not have opens the one that is sold, and says so', async () => {
    const page = await test.open(`/plans/${team}?version=version_gone&metric=metric_gone`);
    await page.getByText('The plan has no version version_gone').waitFor();
    await page.getByText('The version does not price metric_gone').waitFor();
    await page.goto(`${test.app.url}/console/plans/${team}/versions/new?from=version_gone`);
    await page.getByText('The plan has no version version_gone').waitFor();
    await page.close();
  });

  it.each([
    ['/customers?act=nope', 'act=nope, which this page has no form for'],
    ['/customers/acme?act=nope', 'act=nope, which this page has no form for'],
    ['/customers/acme/changes?act=nope', 'act=nope, which this page has no form for'],
    ['/operation?act=nope', 'act=nope, which this page has no form for'],
    ['/metrics?act=nope', 'act=nope, which this page has no form for'],
  ])('with a form that the page does not have says so: %s', async (path, sentence) => {
    const page = await test.open(path);
    await page.getByText(`The address has ${sentence}: it is ignored.`).waitFor();
    await page.close();
  });

  it('with the form of a page says nothing of the kind', async () => {
    const page = await test.open('/customers?act=new-customer');
    await dialog(page).getByLabel('Id').waitFor();
    await settled(page);
    expect(await page.getByText('it is ignored').count()).toBe(0);
    await page.close();
  });

  it('that would be too long for a proxy has nothing of the form, which says so', async () => {
    const page = await test.open('/plans/new');
    await page.getByLabel('Description').fill('long '.repeat(2_000));
    await page.getByText('This form is too long for a link').waitFor();
    expect(page.url()).toMatch(/plans\/new$/);
    await page.close();
  });
});
