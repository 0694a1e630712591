import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const LATER = { invoicing_behavior: 'add_to_next_invoice', usage_behavior: 'keep_separate' };

interface Invoice {
  readonly issue_date: string;
  readonly amount: number;
  readonly line_items: readonly { readonly amount: number }[];
}

describe('a switch added to the next invoice, whose successor ends before (docs/billing.md#plan-switches)', () => {
  let app: TestApp;
  let shop: Shop;
  let [a, b, c]: string[] = [];
  /** The latest subscription of each customer. */
  const current = new Map<string, string>();

  const post = async (name: string, act: string, body: object) =>
    (
      await app.request
        .post(`/api/subscriptions/${current.get(name)}/${act}/`)
        .send(body)
        .expect(200)
    ).body;
  const switchTo = async (name: string, plan: string, body: object = LATER) => {
    const next = await post(name, 'switch_plan', { switch_plan_id: plan, ...body });
    current.set(name, next.subscription_id);
  };
  const moveEnd = (name: string, date: string) =>
    post(name, 'update', { end_date: `${date}T00:00:00Z`, turn_off_auto_renew: name !== 'renewed' });
  const shown = ({ line_items: lines, ...invoice }: Invoice) => ({
    at: invoice.issue_date,
    lines: lines.map(({ amount }) => amount).filter((amount) => amount !== 0),
    amount: invoice.amount,
  });
  const invoicesOf = async (name: string) =>
    (await shop.invoices(`?customer_id=${name}`)).map(shown).toReversed().slice(1);
  const draftOf = async (name: string) => (await shop.drafts(name)).map(shown);
  const creditsOf = async (name: string) =>
    (await app.request.get(`/api/credits/?customer_id=${name}`).expect(200)).body;

  const NAMES = ['ends', 'used', 'chain', 'cancelled', 'renewed', 'moved back', 'at once'];

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-02-01T00:00:00Z' });
    shop = shopOf(app);
    const metric = await shop.metric();
    const tiers = perUnitTiers();
    const components = [aComponentBody(metric, { tiers })];
    a = await shop.plan('A', { recurring_charges: [aChargeBody({ amount: 28 })], components });
    b = await shop.plan('B', { recurring_charges: [aChargeBody({ amount: 56 })], components });
    c = await shop.plan('C', { recurring_charges: [aChargeBody({ amount: 84 })], components });
    for (const name of NAMES) {
      await shop.customer(name);
      current.set(name, (await shop.subscribe(name, a, '2026-02-01')).subscription_id);
      const [{ invoice_id: id }] = await shop.invoices(`?customer_id=${name}`);
      await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
    }
    await app.advance('2026-02-08T00:00:00Z');
    for (const customer of ['used', 'at once'])
      await shop.use(...times(3, '2026-02-07').map((event) => ({ ...event, customer })));
    for (const name of NAMES) {
      await switchTo(name, b!, name === 'at once' ? { ...LATER, invoicing_behavior: 'invoice_now' } : LATER);
    }
    await app.advance('2026-02-10T00:00:00Z');
    for (const name of NAMES) await moveEnd(name, '2026-02-22');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  const AT = '2026-02-22T00:30:00Z';

  it('settles both on one invoice, as the draft says', async () => {
    await post('cancelled', 'cancel', { invoicing_behavior: 'add_to_next_invoice' });
    await moveEnd('moved back', '2026-03-01');
    await app.advance('2026-02-15T00:00:00Z');
    await switchTo('chain', c!);
    const one = [{ at: AT, lines: [7, -28, 28], amount: 7 }];
    expect(await draftOf('ends')).toEqual(one);
    await app.advance('2026-02-22T01:00:00Z');
    expect(await invoicesOf('ends')).toEqual(one);
    expect(await creditsOf('ends')).toEqual([]);
  });

  it('settles usage that was kept separate with them', async () => {
    expect(await invoicesOf('used')).toEqual([{ at: AT, lines: [7, -28, 3, 28], amount: 10 }]);
    const switched = { at: '2026-02-08T00:00:00Z', lines: [7, -28, 42], amount: 21 };
    expect(await invoicesOf('at once')).toEqual([switched, { at: AT, lines: [3, 28, -42, 11], amount: 0 }]);
  });

  it('settles both with a renewal', async () => {
    expect(await invoicesOf('renewed')).toEqual([{ at: AT, lines: [7, -28, 28, 14], amount: 21 }]);
  });

  it('settles every plan of several switches', async () => {
    expect(await invoicesOf('chain')).toEqual([{ at: AT, lines: [7, -28, 14, 21], amount: 14 }]);
  });

  it('settles both at the former end of a successor that was cancelled for the next invoice', async () => {
    expect(await invoicesOf('cancelled')).toEqual([{ at: AT, lines: [7, -28, 4, 17], amount: 0 }]);
  });

  it('waits for the end of the period again, where the end is moved back', async () => {
    expect(await invoicesOf('moved back')).toEqual([]);
    await app.advance('2026-03-02T00:00:00Z');
    const at = '2026-03-01T00:30:00Z';
    expect(await invoicesOf('moved back')).toEqual([{ at, lines: [7, -28, 42], amount: 21 }]);
  });

  it('brings nothing more at the end of the period', async () => {
    const counts = Object.fromEntries(
      await Promise.all(NAMES.map(async (name) => [name, (await invoicesOf(name)).length] as const)),
    );
    expect(counts).toMatchObject({ ends: 1, used: 1, chain: 1, cancelled: 1, renewed: 2, 'at once': 2 });
  });
});
