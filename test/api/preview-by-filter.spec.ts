import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Shown {
  readonly subscription_id: string;
  readonly auto_renew: boolean;
  readonly end_date: string;
  readonly billing_plan: { readonly plan_name: string };
}
interface Invoice {
  readonly amount: number;
  readonly line_items: readonly { readonly name: string; readonly amount: number; readonly base: number }[];
}
interface Preview {
  readonly subscriptions: number;
  readonly sample: readonly { readonly now: Shown; readonly then: Shown }[];
  readonly invoices: readonly { readonly lines: number; readonly invoice: Invoice }[];
}

/** More subscriptions than a preview shows. */
const COUNT = 21;

let app: TestApp;
let shop: Shop;
let basic: string;
let pro: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const fees = Array.from({ length: 10 }, (_, index) => aChargeBody({ name: `fee ${index}`, amount: 31 }));
  basic = await shop.plan('Basic', { recurring_charges: fees });
  pro = await shop.plan('Pro', { recurring_charges: [aChargeBody({ amount: 62 })] });
});
afterAll(() => app.stop());

async function subscribed(customer: string, count = COUNT): Promise<void> {
  await shop.customer(customer);
  for (let index = 0; index < count; index += 1)
    await shop.subscribe(customer, basic, '2026-01-01', {
      subscription_filters: [{ property_name: 'seat', value: String(index) }],
    });
}
const running = async (customer: string): Promise<Shown[]> =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active&limit=100`).expect(200))
    .body;
const eventsOf = async (customer: string): Promise<number> =>
  (await app.request.get(`/api/audit/log/?customer_id=${customer}&limit=1000`).expect(200)).body.length;
const post = async (path: string, body: object, status = 200) =>
  (await app.request.post(`/api/subscriptions/${path}`).send(body).expect(status)).body;
const linesOf = ({ line_items: lines }: Invoice) =>
  lines.map(({ name, amount, base }) => ({ name, amount, base }));

describe('a preview of a change by filter', () => {
  beforeAll(async () => {
    for (const customer of ['switcher', 'leaver']) await subscribed(customer);
    await subscribed('stayer', 2);
    await app.advance('2026-01-16T12:00:00Z');
  });

  it.each([
    ['switcher', 'update', () => ({ plan_id: basic, replace_plan_id: pro })],
    ['leaver', 'cancel', () => ({ flat_fee_behavior: 'charge_prorated' })],
  ] as const)('shows what the %s gets, and changes nothing', async (customer, act, bodyOf) => {
    const body = { customer_id: customer, ...bodyOf() };
    const before = [await running(customer), await eventsOf(customer)];
    const preview: Preview = await post(`${act}/?preview=true`, body);
    expect([await running(customer), await eventsOf(customer)]).toEqual(before);

    expect(preview.subscriptions).toBe(COUNT);
    expect(preview.sample).toHaveLength(20);
    const ids = new Set((await running(customer)).map(({ subscription_id: id }) => id));
    expect(preview.sample.every(({ now }) => ids.has(now.subscription_id))).toBe(true);
    const issued = (await shop.invoices(`?customer_id=${customer}&limit=1000`)).length;
    const changed: Shown[] = await post(`${act}/`, body);
    const terms = ({ billing_plan: { plan_name: plan }, end_date: end, auto_renew: renews }: Shown) =>
      `${plan} ${end} ${renews}`;
    expect(changed.slice(0, 20).map(terms)).toEqual(preview.sample.map(({ then }) => terms(then)));

    const invoices: Invoice[] = await shop.invoices(`?customer_id=${customer}&limit=1000`);
    expect(invoices).toHaveLength(issued + 1);
    const [{ lines, invoice }] = preview.invoices as [Preview['invoices'][number]];
    expect(preview.invoices).toHaveLength(1);
    expect(invoice.amount).toBe(invoices[0]!.amount);
    expect(lines).toBe(invoices[0]!.line_items.length);
    expect(lines).toBeGreaterThan(200);
    expect(linesOf(invoice)).toEqual(linesOf(invoices[0]!).slice(0, 200));
  });

  it('that is not invoiced at once shows the whole next invoice', async () => {
    const body = { customer_id: 'stayer', plan_id: basic, turn_off_auto_renew: true };
    const preview: Preview = await post('update/?preview=true', body);
    expect(preview.sample[0]).toMatchObject({ now: { auto_renew: true }, then: { auto_renew: false } });
    expect((await running('stayer')).every(({ auto_renew: renews }) => renews)).toBe(true);
    // The last term has no successor.
    expect(preview.invoices).toEqual([]);
    await post('update/', body);
    expect(await shop.drafts('stayer')).toEqual([]);
  });

  it('is refused with what the change is refused with', async () => {
    const unknown = { customer_id: 'stayer', plan_id: pro, turn_off_auto_renew: true };
    for (const query of ['', '?preview=true'])
      expect((await post(`update/${query}`, unknown, 404)).title).toBe('resource_not_found');
    const same = { customer_id: 'stayer', plan_id: basic, replace_plan_id: basic };
    const refused = await post('update/?preview=true', same, 400);
    expect(refused.title).toBe((await post('update/', same, 400)).title);
    expect(await post('cancel/?preview=true', { customer_id: 'stayer', plan_id: pro })).toEqual({
      subscriptions: 0,
      sample: [],
      invoices: [],
    });
    expect(await verifyAll(app)).toBeGreaterThan(3);
  });
});
