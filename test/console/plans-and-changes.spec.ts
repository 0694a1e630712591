import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { eventually, seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

const SCRIPT = '<script>globalThis.isHacked = true</script><img src=x onerror="globalThis.isHacked = true">';

let test: ConsoleTest;
let shop: Shop;
beforeAll(async () => {
  test = await startConsoleTest({ clockStart: '2025-12-31T23:00:00Z' });
  shop = shopOf(test.app);
  await shop.plan('Team', {
    components: [
      aComponentBody(await shop.metric(), {
        tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 8, metric_units_per_batch: 1 }],
      }),
    ],
  });
  await shop.customer('acme', { default_currency_code: 'USD' });
  await shop.customer('hostile', { customer_name: SCRIPT, default_currency_code: 'USD' });
});
afterAll(() => test.stop());

describe('pages of plans and changes', () => {
  it('a read key sees the acts with the reason why it has none of them', async () => {
    const { body } = await test.app.request
      .post('/api/api_keys/')
      .send({ name: 'reader', scope: 'read' })
      .expect(201);
    const page = await test.open('/customers/acme/changes', body.key as string);
    const button = page.getByRole('button', { name: 'Grant credit' });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await button.getAttribute('aria-description')).toContain('read-only');
    await page.close();
  });

  it('a name made of script tags is text', async () => {
    const page = await test.open('/customers/hostile/changes');
    await page.getByRole('heading', { level: 1, name: SCRIPT }).waitFor();
    expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false);
    await page.close();
  });

  it('a plan has its price with the interval, in the list too', async () => {
    const page = await test.open('/plans');
    await page.getByRole('row').filter({ hasText: 'Team' }).getByText('$30.00 monthly').waitFor();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    await page.getByText('$30.00 monthly', { exact: true }).waitFor();
    await page.close();
  });

  it('periods end with their last day, or with the time inside a day', async () => {
    await shop.customer('berlin', { timezone: 'Europe/Berlin' });
    const plan = await shop.plan('Days');
    await shop.subscribe('berlin', plan, '2025-12-31T23:00:00Z');
    const page = await test.open('/customers/berlin');
    const term = page.getByRole('region', { name: 'Subscriptions' });
    await term.getByText('Jan 1, 2026 – Jan 31, 2026', { exact: true }).waitFor();
    await page.goto(`${test.app.url}/console/subscriptions?customer_id=berlin`);
    await page.getByText('Jan 31, 2026, 11:00 PM').waitFor();
    await page.close();
  });

  it('a plan shows its price for several quantities', async () => {
    const { body } = await test.app.request.get('/api/plans/').expect(200);
    const team = (body as { plan_name: string; plan_id: string }[]).find(
      ({ plan_name: name }) => name === 'Team',
    )!;
    const page = await test.open(`/plans/${team.plan_id}?quantities=1%207%20x`);
    const calculated = page.getByRole('region', { name: 'Calculated prices' });
    await calculated.waitFor();
    await eventually(async () =>
      expect(await calculated.locator('tbody td:nth-child(2)').allInnerTexts()).toEqual([
        '$8.00',
        '$56.00',
        'not a number',
      ]),
    );
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });
});
