import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aChargeBody, aComponentBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import {
  brokenWords,
  cutParts,
  eventually,
  neededWidth,
  settled,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';
import { EVERY_PAGE } from './every-page.js';

/** Widths of a desktop and of a phone: layouts between them have more room than the phone for the same columns. */
const WIDTHS = [1440, 360];
const LARGEST = 9_999_999_999.99;

/** A name without spaces. */
const nameOf = (what: string, length: number): string => what.padEnd(length, `_${what}`);

/** Ids of what has names of a length. */
interface Named {
  readonly customer: string;
  readonly invoice: string;
  readonly plan: string;
  readonly next: string;
  readonly subscription: string;
}

let test: ConsoleTest;
let named: Named;

/** Names everything with so many characters, and bills it. */
async function nameEverything(length: number): Promise<Named> {
  const { request } = test.app;
  const shop = shopOf(test.app);
  await request
    .patch('/api/organization/')
    .send({ organization_name: nameOf('organization', length) })
    .expect(200);
  await request
    .post('/api/api_keys/')
    .send({ name: nameOf('key', Math.min(length, 100)), scope: 'read' })
    .expect(201);
  const { body: feature } = await request
    .post('/api/features/')
    .send({ feature_name: nameOf('feature', length) })
    .expect(201);
  const metric = await shop.metric({ metric_name: nameOf('metric', length), event_name: 'request' });
  const plan = await shop.plan(nameOf('plan', length), {
    recurring_charges: [
      aChargeBody({ name: nameOf('charge', length), amount: LARGEST - 1_234.56 }),
      aChargeBody({ name: nameOf('small', length), amount: 1_234.56 }),
    ],
    components: [aComponentBody(metric)],
    features: [feature.feature_id],
  });
  const next = await shop.plan(nameOf('next', length), {
    recurring_charges: [aChargeBody({ name: nameOf('fee', length), amount: LARGEST })],
  });
  const customer = nameOf('customer', length);
  await shop.customer(customer, { customer_name: nameOf('Customer', length) });
  const { subscription_id: first } = await shop.subscribe(customer, plan, '2026-01-01');
  const { body: addon } = await request
    .post('/api/addons/')
    .send(anAddonBody(nameOf('addon', length)))
    .expect(201);
  await request
    .post(`/api/subscriptions/${first}/addons/attach/`)
    .send({ addon_id: addon.addon_id, quantity: 1 })
    .expect(201);
  await request
    .post('/api/credits/')
    .send({
      customer_id: customer,
      amount: LARGEST,
      currency_code: 'USD',
      description: nameOf('credit', length),
    })
    .expect(201);
  await test.app.advance('2026-01-16T00:00:00Z');
  await shop.use({ customer, at: '2026-01-15T12:00:00Z' });
  await test.app.advance('2026-02-02T00:00:00Z');
  const { body: active } = await request
    .get('/api/subscriptions/')
    .query({ customer_id: customer, status: 'active' })
    .expect(200);
  const subscription = active[0].subscription_id;
  const [invoice] = await shop.invoices(`?customer_id=${customer}`);
  return { customer, invoice: invoice.invoice_id, plan, next, subscription };
}

const hasSidewaysScroll = async (page: Page): Promise<string[]> => {
  const [needed, width] = [await neededWidth(page), page.viewportSize()!.width];
  return needed > width ? [`the page: ${needed} in ${width}`] : [];
};

/** Looks at the page at every width. */
async function expectToFit(page: Page): Promise<void> {
  const faults = async () => [
    ...(await hasSidewaysScroll(page)),
    ...(await cutParts(page)),
    ...(await brokenWords(page)),
  ];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await eventually(async () => expect({ width, faults: await faults() }).toEqual({ width, faults: [] }));
  }
}

const FORMS: readonly (readonly [string, (of: Named) => string, string])[] = [
  [
    'the preview of a credit',
    () => `/changes?act=grant-credit&form.amount=${LARGEST}&preview=shown`,
    'What changes',
  ],
  [
    'the preview of a switch',
    ({ next, subscription }) =>
      `/changes?act=switch-plan&on=${subscription}&form.planId=${next}&preview=shown`,
    'Total',
  ],
  ['the form of details', () => '?act=change-details', 'City'],
];

describe.each([50, 200])('names of %i characters and the largest amounts fit', (length) => {
  beforeAll(async () => {
    test = await startConsoleTest();
    named = await nameEverything(length);
  });
  afterAll(() => test.stop());

  it.each(EVERY_PAGE)('$name', async ({ address }) => {
    const page = await test.open(address({ ...named, line: 1 }));
    await expectToFit(page);
    await page.close();
  });

  it.each(FORMS)('%s', async (_what, path, shown) => {
    const page = await test.open(`/customers/${named.customer}${path(named)}`);
    await page.getByRole('dialog').getByText(shown).first().waitFor();
    await expectToFit(page);
    await page.close();
  });
});
