import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addonFee, addonFixtureOf, type AddonFixture } from '../support/addon-fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const LATER = { invoicing_behavior: 'add_to_next_invoice', usage_behavior: 'keep_separate' };

interface Invoice {
  readonly invoice_id: string;
  readonly line_items: readonly { readonly name: string; readonly amount: number }[];
}

describe('a change that waits for the next invoice, after a void (docs/billing.md#voids)', () => {
  let app: TestApp;
  let shop: Shop;
  let fixture: AddonFixture;
  let [a, b, weekly]: string[] = [];
  let addonAtEnd = '';

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    fixture = addonFixtureOf(app);
    a = await shop.plan('A', { recurring_charges: [aChargeBody()] });
    b = await shop.plan('B', { recurring_charges: [aChargeBody({ amount: 60 })] });
    const tiers = perUnitTiers();
    const invoiced = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
    weekly = await shop.plan('Weekly', {
      recurring_charges: [aChargeBody({ amount: 60 })],
      components: [aComponentBody(await shop.metric(), { tiers, ...invoiced })],
    });
    addonAtEnd = await fixture.addon({
      recurring_charges: addonFee(),
      invoice_when: 'invoice_on_subscription_end',
    });
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  /** Subscribes a customer on 1 January and voids the invoice; then it is 17 January. */
  const voided = async (name: string, plan: string) => {
    await fixture.subscribed(name, plan, '2026-01-01', { auto_renew: false });
    const { invoice_id: id } = await fixture.newest();
    await app.request.post(`/api/invoices/${id}/void/`).send({}).expect(200);
    return fixture.served();
  };
  const switching = (name: string, body: object, query = '') =>
    app.request
      .post(`/api/subscriptions/${fixture.resume(name).subscription.subscription_id}/switch_plan/${query}`)
      .send({ ...LATER, ...body })
      .expect(200);
  const linesOf = ({ line_items: lines }: Invoice) => lines.map(({ name, amount }) => [name, amount]);
  const invoicesOf = async (name: string) => {
    fixture.resume(name);
    return (await fixture.invoices()).map(linesOf);
  };
  const draftOf = async (name: string) => (await shop.drafts(fixture.resume(name).customer)).map(linesOf);

  const previews: Record<string, unknown> = {};
  beforeAll(async () => {
    for (const name of ['switched', 'switched to weekly', 'with an add-on', 'both']) await voided(name, a!);
    await app.advance('2026-01-16T12:00:00Z');
    for (const [name, plan] of [
      ['switched', b],
      ['switched to weekly', weekly],
    ] as const) {
      const { body } = await switching(name, { switch_plan_id: plan }, '?preview=true');
      previews[name] = body.invoices.map(linesOf);
      await switching(name, { switch_plan_id: plan });
    }
    fixture.resume('with an add-on');
    await fixture.attach(addonAtEnd);
    fixture.resume('both');
    await fixture.attach(addonAtEnd);
    await switching('both', { switch_plan_id: b });
  });

  it.each(['switched', 'switched to weekly', 'with an add-on', 'both'])(
    'brings no invoice before the next boundary: %s',
    async (name) => {
      const draft = await draftOf(name);
      await app.advance('2026-01-16T12:01:00Z');
      expect(await invoicesOf(name)).toEqual([]);
      expect(await draftOf(name)).toEqual(draft);
    },
  );

  it('meets the earlier boundary of a successor', async () => {
    await app.advance('2026-01-22T00:30:00Z');
    expect(await invoicesOf('switched to weekly')).toEqual(previews['switched to weekly']);
    expect(await invoicesOf('switched')).toEqual([]);
  });

  it('is invoiced at the boundary as its preview said', async () => {
    await app.advance('2026-02-01T00:30:00Z');
    const fees = [
      ['platform fee', 15],
      ['platform fee', 30],
    ];
    expect(await invoicesOf('switched')).toEqual([fees]);
    expect(previews['switched']).toEqual([fees]);
    expect(await invoicesOf('with an add-on')).toEqual([
      [
        ['platform fee', 30],
        ['support', 5],
      ],
    ]);
    expect(await invoicesOf('both')).toEqual([[...fees, ['support', 5]]]);
  });
});
