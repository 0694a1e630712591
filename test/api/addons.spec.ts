import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addonFixtureOf, addonFee, type AddonFixture } from '../support/addon-fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let fixture: AddonFixture;
let plan: string;

interface Line {
  readonly name: string;
  readonly base: number;
  readonly amount: number;
  readonly billing_type: string;
}

const bases = ({ line_items }: { line_items: Line[] }) => line_items.map(({ base }) => base);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  fixture = addonFixtureOf(app);
  plan = await shop.plan('P', {
    recurring_charges: [{ name: 'fee', amount: 30, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
  });
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('from 1 January 2026', () => {
  const addon: Record<string, string> = {};
  const drafts = new Map<string, unknown>();

  beforeEach(async () => {
    if (addon['oneTime']) return;
    addon['oneTime'] = await fixture.addon({ recurring_charges: addonFee() });
    addon['atEnd'] = await fixture.addon({
      recurring_charges: addonFee(),
      billing_frequency: 'recurring',
      invoice_when: 'invoice_on_subscription_end',
    });
    addon['recurring'] = await fixture.addon({
      recurring_charges: addonFee(),
      billing_frequency: 'recurring',
    });
    addon['usage'] = await fixture.addon({
      recurring_charges: addonFee({ amount: 1 }),
      billing_frequency: 'recurring',
      components: [
        {
          metric_id: await shop.metric({
            metric_name: 'm2',
            event_name: 'request',
            aggregation_type: 'sum',
            property_name: 'n',
          }),
          tiers: [
            {
              type: 'per_unit',
              range_start: 0,
              range_end: 100,
              cost_per_batch: 0.25,
              metric_units_per_batch: 1,
            },
          ],
        },
      ],
    });
    for (const name of ['one time', 'at end', 'qty 3', 'usage', 'refund', 'with parent', 'refused']) {
      await fixture.subscribed(name, plan, '2026-01-01', name === 'refund' ? { auto_renew: false } : {});
    }
  });

  it('attached on 2 January it costs 30 of 31 days (addon-cancel-with-parent)', async () => {
    await app.advance('2026-01-02T00:00:00Z');
    fixture.resume('with parent');
    await fixture.attach(addon['oneTime']!);
    expect((await fixture.newest()).amount).toBe(9.68);
    await fixture.payAll();
  });

  it('cancelled with its subscription it is credited back as the plan is, and not billed again', async () => {
    await app.advance('2026-01-11T00:00:00Z');
    fixture.resume('with parent');
    const { subscription_id: id } = fixture.served().subscription;
    const { body } = await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    expect(body.addons).toMatchObject([
      { start_date: '2026-01-02T00:00:00Z', end_date: '2026-01-11T00:00:00Z', fully_billed: true },
    ]);
    expect((await fixture.shown()).addons).toEqual(body.addons);
    const settled = await fixture.newest();
    expect(bases(settled).slice(0, 4)).toEqual([9.68, -30, 2.9, -9.68]);
    expect(await fixture.credits()).toEqual([27.1]);
  });

  it('attached at half time it is half price, at once, as one_time (addon-one-time)', async () => {
    await app.advance('2026-01-16T12:00:00Z');
    fixture.resume('one time');
    const answer = await fixture.attach(addon['oneTime']!, { metadata: { po: 7 } });
    const subscription = await fixture.shown();
    expect(answer).toEqual({
      addon_subscription_id: expect.stringMatching(/^addon_sub_[0-9a-f]{32}$/),
      start_date: '2026-01-16T12:00:00Z',
      end_date: '2026-01-31T23:59:59.999999Z',
      addon: {
        addon_name: expect.any(String),
        addon_id: addon['oneTime'],
        addon_type: 'flat',
        billing_frequency: 'one_time',
      },
      fully_billed: false,
      quantity: 1,
      metadata: { po: 7 },
      customer: subscription.customer,
      auto_renew: false,
      parent: { ...subscription, plan: subscription.billing_plan },
    });
    const { addon_subscription_id, start_date, end_date, addon: attached, fully_billed } = answer;
    expect(subscription.addons).toEqual([
      { addon_subscription_id, start_date, end_date, addon: attached, fully_billed },
    ]);
    const invoice = await fixture.newest();
    expect(invoice).toMatchObject({ amount: 5, start_date: '2026-01-16', end_date: '2026-01-31' });
    expect(invoice.line_items).toMatchObject([
      {
        name: 'support',
        base: 5,
        quantity: 1,
        billing_type: 'one_time',
        plan: { plan_id: plan },
        metadata: { addon_id: addon['oneTime'], addon_subscription_id: answer.addon_subscription_id },
      },
    ]);
  });

  it('invoice_on_subscription_end brings nothing now, whatever the quantity (addon-recurring-on-end-qty3)', async () => {
    fixture.resume('at end');
    const before = await fixture.invoices();
    await fixture.attach(addon['atEnd']!, { quantity: 3 });
    expect(await fixture.invoices()).toEqual(before);
  });

  it('a quantity multiplies what it charges (addon-test-qty3-next-period)', async () => {
    fixture.resume('qty 3');
    await fixture.attach(addon['recurring']!, { quantity: 3 });
    expect(await fixture.newest()).toMatchObject({
      amount: 15,
      line_items: [{ quantity: 3, billing_type: 'in_advance' }],
    });
  });

  it('a full charge is not prorated: 2 × 500.00 = 1,000.00', async () => {
    const full = await fixture.addon({
      recurring_charges: addonFee({ amount: 500, charge_behavior: 'full' }),
    });
    fixture.resume('refused');
    await fixture.attach(full, { quantity: 2 });
    expect((await fixture.newest()).amount).toBe(1000);
  });

  it('what it was billed can be explained, with its own price', async () => {
    fixture.resume('qty 3');
    const { invoice_number: number } = await fixture.newest();
    const { body } = await app.request.get(`/api/invoices/${number}/explain/`).expect(200);
    expect(body.lines).toMatchObject([{ rule: 'recurring_charge', fraction: '1/2' }]);
    expect(JSON.stringify(body.lines[0].inputs.price)).toContain('support');
    expect(body.lines[0].follows_from.map(({ type }: { type: string }) => type)).toContain('AddonAttached');
  });

  it('attaching with usage and refunding wait for their day', async () => {
    fixture.resume('usage');
    expect(await fixture.attach(addon['usage']!)).toMatchObject({ auto_renew: true });
    expect((await fixture.newest()).amount).toBe(0.5);
    fixture.resume('refund');
    expect(await fixture.attach(addon['recurring']!)).toMatchObject({ auto_renew: false });
    expect((await fixture.newest()).amount).toBe(5);
    await fixture.payAll();
  });

  it('cancelled by its add-on with charge_full: the fee whole, the rest credited back, its usage (addon-usage-cancel-full)', async () => {
    await app.advance('2026-01-20T12:00:00Z');
    fixture.resume('usage');
    await shop.use({ customer: fixture.served().customer, at: '2026-01-20T00:00:00Z', properties: { n: 8 } });
    const ended = await fixture.cancel(addon['usage']!, { flat_fee_behavior: 'charge_full' });
    expect(ended).toMatchObject({
      end_date: '2026-01-20T12:00:00Z',
      fully_billed: true,
      auto_renew: false,
      addon: { addon_type: 'usage_based' },
      parent: { subscription_id: fixture.served().subscription.subscription_id },
    });
    const invoice = await fixture.newest();
    expect(invoice.amount).toBe(2.5);
    expect(bases(invoice)).toEqual([1, -0.5, 2]);
    expect((await fixture.shown()).addons).toMatchObject([
      { fully_billed: true, end_date: '2026-01-20T12:00:00Z' },
    ]);
    const again = await fixture.post(`${addon['usage']}/cancel/`, {}).expect(400);
    expect(again.body.title).toBe('invalid_state');
  });

  it('cancelled by its attachment to the next invoice, nothing happens now (addon-test-cancel-later-refund)', async () => {
    fixture.resume('refund');
    const before = await fixture.invoices();
    const [{ addon_subscription_id: id }] = (await fixture.shown()).addons;
    const ended = await fixture.cancel(id, {
      flat_fee_behavior: 'refund',
      invoicing_behavior: 'add_to_next_invoice',
    });
    expect(ended).toMatchObject({
      addon_subscription_id: id,
      end_date: '2026-01-20T12:00:00Z',
      fully_billed: false,
    });
    expect(await fixture.invoices()).toEqual(before);
    expect(await fixture.credits()).toEqual([]);
  });

  it('what was cancelled can be attached again, on its own terms', async () => {
    fixture.resume('usage');
    const again = await fixture.attach(addon['usage']!);
    expect((await fixture.invoices()).map(({ amount }) => amount)).toContain(0.37);
    expect((await fixture.shown()).addons).toHaveLength(2);
    await fixture.cancel(again.addon_subscription_id);
    expect((await fixture.shown()).addons.map((it: { fully_billed: boolean }) => it.fully_billed)).toEqual([
      true,
      true,
    ]);
  });

  it('a draft has what the next boundary brings of add-ons', async () => {
    for (const name of ['at end', 'qty 3']) {
      fixture.resume(name);
      const [draft] = await shop.drafts(fixture.served().customer);
      drafts.set(name, draft.line_items);
    }
  });

  it('at the boundary: fees that waited, the next period of what recurs, nothing of what came once', async () => {
    await app.advance('2026-02-01T01:00:00Z');
    fixture.resume('one time');
    expect(await fixture.newest()).toMatchObject({ amount: 30 });
    fixture.resume('qty 3');
    const renewed = await fixture.newest();
    expect(renewed.amount).toBe(60);
    expect(renewed.line_items).toEqual(drafts.get('qty 3'));
    fixture.resume('at end');
    const atEnd = await fixture.newest();
    expect(atEnd.line_items.find((line: Line) => line.name === 'support')).toMatchObject({
      quantity: 3,
      base: 15,
    });
    expect(atEnd.amount).toBe(45);
    fixture.resume('refund');
    expect(await fixture.credits()).toEqual([5]);
  });

  it('a renewal carries what recurs, under an id of its own; what came once ended with its term', async () => {
    const running = async (name: string) => {
      fixture.resume(name);
      const { body } = await app.request
        .get(`/api/subscriptions/?customer_id=${fixture.served().customer}&status=active`)
        .expect(200);
      return body[0];
    };
    expect((await running('one time')).addons).toEqual([]);
    const renewed = await running('qty 3');
    expect(renewed.addons).toMatchObject([
      { start_date: '2026-02-01T00:00:00Z', end_date: '2026-02-28T23:59:59.999999Z', fully_billed: false },
    ]);
    fixture.resume('qty 3');
    const former = (await fixture.shown()).addons[0];
    expect(former).toMatchObject({ fully_billed: true, end_date: '2026-01-31T23:59:59.999999Z' });
    expect(renewed.addons[0].addon_subscription_id).not.toBe(former.addon_subscription_id);
  });

  it('invoice_on_subscription_end: whole at the end of the next term, too', async () => {
    await app.advance('2026-03-01T01:00:00Z');
    fixture.resume('at end');
    expect(await fixture.newest()).toMatchObject({ amount: 60 });
  });

  it('the history of a subscription tells of its add-ons', async () => {
    fixture.resume('usage');
    const { body } = await app.request
      .get(`/api/subscriptions/${fixture.served().subscription.subscription_id}/history/`)
      .expect(200);
    const types = body.events.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type.startsWith('Addon'))).toEqual([
      'AddonAttached',
      'AddonCancelled',
      'AddonAttached',
      'AddonCancelled',
    ]);
  });
});
