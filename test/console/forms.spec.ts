import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PublishedVersion } from '../../src/catalog/domain/plan-state.js';
import { toWireId, type Uuid } from '../../src/kernel/ids.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { eventually, seriousFaults, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
let shop: Shop;
let planId: string;
beforeAll(async () => {
  test = await startConsoleTest();
  shop = shopOf(test.app);
  const metric = await shop.metric();
  planId = await shop.plan('Team', { components: [aComponentBody(metric)] });
  await shop.plan('Solo', { recurring_charges: [aChargeBody({ amount: 10 })] });
});
afterAll(() => test.stop());

const form = () => test.open(`/plans/${planId}/versions/new`);
const tier = (page: Page, place: number) => page.getByRole('group', { name: `Tier ${place}` });
const versions = async () => {
  const { body } = await test.app.request.get(`/api/plans/${planId}/`).expect(200);
  return (body as { versions: { version: number; status: string; components: { tiers: object[] }[] }[] })
    .versions;
};

/** Makes a plan, and a version of it with a percentage that releases before the lower limit took. */
async function versionWithAdjustment(percent: string): Promise<{ planId: string; versionId: string }> {
  const id = await shop.plan('Discounted', {
    price_adjustment: {
      price_adjustment_name: 'Launch',
      price_adjustment_type: 'percentage',
      price_adjustment_amount: -50,
    },
  });
  const store = test.app.service.app.get<EventStore>(EVENT_STORE, { strict: false });
  for await (const { type, stream, data, metadata } of store.readAll()) {
    if (type !== 'PlanVersionPublished' || !JSON.stringify(data).includes('Launch')) continue;
    const { version, ...plan } = data as { version: PublishedVersion };
    const { content } = version;
    const changed = {
      ...version,
      versionId: randomUUID() as Uuid,
      number: 2,
      content: { ...content, priceAdjustment: { ...content.priceAdjustment!, amount: percent } },
    };
    const event = { id: randomUUID() as Uuid, type, data: { ...plan, version: changed }, metadata };
    let revision = 0n;
    for await (const last of store.readStream(stream)) ({ revision } = last);
    await store.append(stream, revision, [event]);
    return { planId: id, versionId: toWireId('plan_version', changed.versionId) };
  }
  throw new Error('There is no version with the adjustment.');
}

interface Drawn {
  readonly offsetWidth: number;
  readonly style: { width: string };
}

/** Tells whether the longest choice of a field is wider than the field. */
const isCut = (select: unknown): boolean => {
  const drawn = select as Drawn;
  const width = drawn.offsetWidth;
  drawn.style.width = 'max-content';
  return drawn.offsetWidth > width;
};

describe('the form of a version', () => {
  it('draws the tiers while they are typed, and says what is missing', async () => {
    const page = await form();
    const curve = page.getByRole('img', { name: /^Price of requests/ });
    const drawn = () => curve.locator('path').last().getAttribute('d');
    await curve.waitFor();
    const before = await drawn();
    await tier(page, 1).getByLabel('To').fill('50');
    await page.getByText('Tier 2: Start the tier where the one before it ends').waitFor();
    await curve.waitFor({ state: 'detached' });
    await tier(page, 2).getByLabel('From').fill('50');
    await curve.waitFor();
    await eventually(async () => expect(await drawn()).not.toBe(before));
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  it('stays while a currency is typed', async () => {
    const page = await form();
    await page.getByLabel('Currency').fill('E');
    await page.getByText('once the currency is a code of three letters').waitFor();
    await page.getByLabel('Currency').fill('EUR');
    await page.getByRole('img', { name: /^Price of requests: €/ }).waitFor();
    await page.close();
  });

  it('shows what the service refuses at its field, and keeps what was typed', async () => {
    const page = await form();
    await page.getByLabel('Amount in USD').fill('thirty');
    await tier(page, 2).getByLabel('USD').fill('-1');
    await page.getByRole('button', { name: 'Create version' }).click();
    await page.getByText('Give a number such as 1200.50, not 1,200.50.', { exact: true }).waitFor();
    await page
      .getByRole('alert')
      .getByText(/Charge 1, Amount: .* Usage price 1, Tier 2, Cost: /)
      .waitFor();
    expect(await page.getByLabel('On sale').evaluate(isCut)).toBe(false);
    for (const field of [page.getByLabel('Amount in USD'), tier(page, 2).getByLabel('USD')])
      await eventually(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'));
    expect(await page.getByLabel('Amount in USD').inputValue()).toBe('thirty');
    expect(await versions()).toHaveLength(1);
    await page.close();
  });

  it('corrects or removes a price adjustment of a copied version, also one that is refused by now', async () => {
    const discounted = await versionWithAdjustment('-150');
    const open = () => test.open(`/plans/${discounted.planId}/versions/new?from=${discounted.versionId}`);
    const adjustment = (page: Page) => page.getByRole('group', { name: 'Price adjustment' });
    const createVersion = (page: Page) => page.getByRole('button', { name: 'Create version' }).click();
    const adjustments = async () =>
      (await test.app.request.get(`/api/plans/${discounted.planId}/`).expect(200)).body.versions.map(
        ({ price_adjustment: made }: { price_adjustment: object | null }) => made,
      );

    const page = await open();
    const percent = adjustment(page).getByLabel('Percent');
    expect(await percent.inputValue()).toBe('-150');
    await createVersion(page);
    await page.getByText(/^Price adjustment, Amount: A discount is at most the whole price/).waitFor();
    await eventually(async () => expect(await percent.getAttribute('aria-invalid')).toBe('true'));
    expect(await seriousFaults(page)).toEqual([]);
    await percent.fill('-20');
    await createVersion(page);
    await page.getByRole('heading', { level: 1, name: 'Discounted' }).waitFor();
    await page.close();

    const other = await open();
    await adjustment(other).getByLabel('Adjustment').selectOption('none');
    await createVersion(other);
    await other.getByRole('heading', { level: 1, name: 'Discounted' }).waitFor();
    await other.close();
    expect((await adjustments()).slice(2)).toEqual([
      expect.objectContaining({ price_adjustment_name: 'Launch', price_adjustment_amount: -20 }),
      null,
    ]);
  });

  it('makes the version, and opens it', async () => {
    const page = await form();
    await tier(page, 2).getByLabel('USD').fill('0.75');
    await page.getByRole('button', { name: 'Add tier' }).click();
    await tier(page, 2).getByLabel('To').fill('5000');
    await tier(page, 3).getByLabel('From').fill('5000');
    await tier(page, 3).getByLabel('USD').fill('0.10');
    await page.getByLabel('On sale').selectOption('grandfather');
    await page.getByRole('button', { name: 'Create version' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    const [first, second] = await versions();
    expect(first!.status).not.toBe('active');
    expect(second).toMatchObject({ version: 2, status: 'active' });
    expect(second!.components[0]!.tiers).toMatchObject([
      { type: 'free', range_end: 100 },
      { cost_per_batch: 0.75, range_start: 100, range_end: 5000, batch_rounding_type: 'round_up' },
      { cost_per_batch: 0.1, range_start: 5000, range_end: null },
    ]);
    await page.close();
  });
});

describe('a change of many subscriptions', () => {
  const popup = (page: Page) => page.getByRole('dialog');
  const running = async (): Promise<object[]> =>
    (await test.app.request.get('/api/subscriptions/?customer_id=acme&status[]=active').expect(200)).body;

  beforeAll(async () => {
    await shop.customer('acme', { default_currency_code: 'USD' });
    for (const region of ['eu', 'us', 'ap'])
      await shop.subscribe('acme', planId, '2026-01-01', {
        subscription_filters: [{ property_name: 'region', value: region }],
      });
  });

  const open = async (act: string) => {
    const page = await test.open('/customers/acme/changes');
    await page.getByRole('button', { name: act }).click();
    return page;
  };
  const rows = (page: Page) => popup(page).locator('table').first().locator('tbody tr').allInnerTexts();

  it('counts and names those that match, then switches them together', async () => {
    const page = await open('Switch many');
    await popup(page).getByLabel('Subscriptions to').selectOption({ label: 'Team' });
    await popup(page).getByLabel('With the properties').fill('region=eu');
    await popup(page).getByLabel('Plan', { exact: true }).selectOption({ label: 'Solo, $10.00 monthly' });
    await popup(page).getByRole('button', { name: 'Preview' }).click();
    await popup(page).getByRole('button', { name: 'Switch many' }).waitFor();
    await eventually(async () =>
      expect(await rows(page)).toEqual([
        expect.stringMatching(/Subscriptions\s+1 active\s+all change, or none do/),
        expect.stringMatching(
          /1\. Team, region=eu\s+Team, version \d, renews .*\s+Solo, version \d, renews /,
        ),
        expect.stringMatching(/Due on 260101-000001\s+\$30\.00\s+\$10\.00/),
      ]),
    );
    const then = popup(page).locator('table:has(tfoot) tfoot td').last();
    const previewed = await then.innerText();
    expect(await seriousFaults(page)).toEqual([]);
    await popup(page).getByRole('button', { name: 'Switch many' }).click();
    await popup(page).getByText('The subscriptions have been switched.').waitFor();
    // The invoiced amount equals the previewed one.
    await popup(page).getByText(previewed).waitFor();
    const plans = (await running()).map(
      (one) => (one as { billing_plan: { plan_name: string } }).billing_plan,
    );
    expect(plans.map(({ plan_name: name }) => name).toSorted()).toEqual(['Solo', 'Team', 'Team']);
    await page.close();
  });

  it('says that nothing matches, and keeps what was typed', async () => {
    const page = await open('Cancel many');
    await popup(page).getByLabel('With the properties').fill('region=mars');
    await popup(page).getByRole('button', { name: 'Preview' }).click();
    await popup(page).getByText('No active subscription matches.').waitFor();
    await popup(page).getByLabel('With the properties').fill('region');
    await popup(page).getByRole('button', { name: 'Preview' }).click();
    await popup(page).getByText('"region" is not a property. Write name=value.').waitFor();
    await page.close();
  });

  it('turns the renewal off', async () => {
    const page = await open('Change end dates');
    await popup(page).getByLabel('Subscriptions to').selectOption({ label: 'Team' });
    await popup(page).getByLabel('Renewal').selectOption('stop');
    await popup(page).getByRole('button', { name: 'Preview' }).click();
    await popup(page).getByRole('button', { name: 'Change end dates' }).click();
    await popup(page).getByText('The subscriptions have been changed.').waitFor();
    const renewing = (await running()).filter((one) => (one as { auto_renew: boolean }).auto_renew);
    expect(renewing).toHaveLength(1);
    await page.close();
  });

  it('shows how far it is, and cancels all', async () => {
    const page = await open('Cancel many');
    await popup(page).getByRole('button', { name: 'Preview' }).click();
    await popup(page).getByRole('button', { name: 'Cancel many' }).waitFor();
    // The answer is held until the progress is there to see.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/api\/subscriptions\/cancel\//, async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    await popup(page).getByRole('button', { name: 'Cancel many' }).click();
    await popup(page).getByText('3 of 3 changed').waitFor();
    release();
    await popup(page).getByText('The subscriptions have been cancelled.').waitFor();
    expect(await running()).toEqual([]);
    await page.close();
  });
});

describe('the form of API keys', () => {
  it('makes a key that works, and revokes it, though not by a double-click', async () => {
    const page = await test.open('/operation');
    await page.getByLabel('Name of the new key').fill('from the console');
    await page.getByLabel('Scope').selectOption('read');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page
      .getByRole('status')
      .filter({ hasText: 'not shown again' })
      .locator('code')
      .innerText();
    const asked = async (): Promise<number> =>
      (await fetch(`${test.app.url}/api/plans/`, { headers: { 'X-API-KEY': key } })).status;
    expect(await asked()).toBe(200);
    await page.getByRole('button', { name: 'Revoke from the console', exact: true }).dblclick();
    expect(await asked()).toBe(200);
    await page.getByRole('button', { name: 'Revoke from the console', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke from the console permanently' }).click();
    await page
      .locator('tr', { hasText: 'from the console' })
      .getByRole('button', { name: /^Revoke / })
      .waitFor({ state: 'detached' });
    expect(await asked()).toBe(401);
    await page.getByRole('button', { name: 'Revoke First key', exact: true }).click();
    await page.getByText('You are logged in with this key.').waitFor();
    await page.close();
  });
});
