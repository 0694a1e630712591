import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addonDeskOf, addonFee, type AddonDesk } from '../support/addon-desk.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
let desk: AddonDesk;
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
  desk = addonDeskOf(app);
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
    addon['oneTime'] = await desk.addon({ recurring_charges: addonFee() });
    addon['atEnd'] = await desk.addon({
      recurring_charges: addonFee(),
      billing_frequency: 'recurring',
      invoice_when: 'invoice_on_subscription_end',
    });
    addon['recurring'] = await desk.addon({ recurring_charges: addonFee(), billing_frequency: 'recurring' });
    addon['usage'] = await desk.addon({
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
      await desk.subscribed(name, plan, '2026-01-01', name === 'refund' ? { auto_renew: false } : {});
    }
  });

  it('attached on 2 January it costs 30 of 31 days (addon-cancel-with-parent)', async () => {
    await app.advance('2026-01-02T00:00:00Z');
    desk.resume('with parent');
    await desk.attach(addon['oneTime']!);
    expect((await desk.newest()).amount).toBe(9.68);
    await desk.payAll();
  });

  it('cancelled with its subscription it is given back as the plan is, and not billed again', async () => {
    await app.advance('2026-01-11T00:00:00Z');
    desk.resume('with parent');
    const { subscription_id: id } = desk.served().subscription;
    const { body } = await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    expect(body.addons).toMatchObject([
      { start_date: '2026-01-02T00:00:00Z', end_date: '2026-01-11T00:00:00Z', fully_billed: true },
    ]);
    expect((await desk.shown()).addons).toEqual(body.addons);
    const settled = await desk.newest();
    expect(bases(settled).slice(0, 4)).toEqual([9.68, -30, 2.9, -9.68]);
    expect(await desk.credits()).toEqual([27.1]);
  });

  it('attached at half time it is half price, at once, as one_time (addon-one-time)', async () => {
    await app.advance('2026-01-16T12:00:00Z');
    desk.resume('one time');
    const answer = await desk.attach(addon['oneTime']!, { metadata: { po: 7 } });
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
      parent: {
        subscription_id: desk.served().subscription.subscription_id,
        start_date: '2026-01-01T00:00:00Z',
        end_date: '2026-01-31T23:59:59.999999Z',
        subscription_filters: [],
        plan: expect.objectContaining({ plan_id: plan, version: 1 }),
      },
    });
    const { parent: _, quantity: __, metadata: ___, ...short } = answer;
    expect((await desk.shown()).addons).toEqual([short]);
    const invoice = await desk.newest();
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
    desk.resume('at end');
    const before = await desk.invoices();
    await desk.attach(addon['atEnd']!, { quantity: 3 });
    expect(await desk.invoices()).toEqual(before);
  });

  it('a quantity multiplies what it charges (addon-test-qty3-next-period)', async () => {
    desk.resume('qty 3');
    await desk.attach(addon['recurring']!, { quantity: 3 });
    expect(await desk.newest()).toMatchObject({
      amount: 15,
      line_items: [{ quantity: 3, billing_type: 'in_advance' }],
    });
  });

  it('a full charge is not prorated: 2 × 500.00 = 1,000.00', async () => {
    const full = await desk.addon({ recurring_charges: addonFee({ amount: 500, charge_behavior: 'full' }) });
    desk.resume('refused');
    await desk.attach(full, { quantity: 2 });
    expect((await desk.newest()).amount).toBe(1000);
  });

  it('what it was billed can be explained, with its own price', async () => {
    desk.resume('qty 3');
    const { invoice_number: number } = await desk.newest();
    const { body } = await app.request.get(`/api/invoices/${number}/explain/`).expect(200);
    expect(body.lines).toMatchObject([{ rule: 'recurring_charge', fraction: '1/2' }]);
    expect(JSON.stringify(body.lines[0].inputs.price)).toContain('support');
    expect(body.lines[0].follows_from.map(({ type }: { type: string }) => type)).toContain('AddonAttached');
  });

  it('attaching with usage and refunding wait for their day', async () => {
    desk.resume('usage');
    await desk.attach(addon['usage']!);
    expect((await desk.newest()).amount).toBe(0.5);
    desk.resume('refund');
    await desk.attach(addon['recurring']!);
    expect((await desk.newest()).amount).toBe(5);
    await desk.payAll();
  });

  it('cancelled by its add-on with charge_full: the fee whole, the rest given back, its usage (addon-usage-cancel-full)', async () => {
    await app.advance('2026-01-20T12:00:00Z');
    desk.resume('usage');
    await shop.use({ customer: desk.served().customer, at: '2026-01-20T00:00:00Z', properties: { n: 8 } });
    const ended = await desk.cancel(addon['usage']!, { flat_fee_behavior: 'charge_full' });
    expect(ended).toMatchObject({
      end_date: '2026-01-20T12:00:00Z',
      fully_billed: true,
      addon: { addon_type: 'usage_based' },
      parent: { subscription_id: desk.served().subscription.subscription_id },
    });
    const invoice = await desk.newest();
    expect(invoice.amount).toBe(2.5);
    expect(bases(invoice)).toEqual([1, -0.5, 2]);
    expect((await desk.shown()).addons).toMatchObject([
      { fully_billed: true, end_date: '2026-01-20T12:00:00Z' },
    ]);
    const again = await desk.post(`${addon['usage']}/cancel/`, {}).expect(400);
    expect(again.body.title).toBe('invalid_state');
  });

  it('cancelled by its attachment to the next invoice, nothing happens now (addon-test-cancel-later-refund)', async () => {
    desk.resume('refund');
    const before = await desk.invoices();
    const [{ addon_subscription_id: id }] = (await desk.shown()).addons;
    const ended = await desk.cancel(id, {
      flat_fee_behavior: 'refund',
      invoicing_behavior: 'add_to_next_invoice',
    });
    expect(ended).toMatchObject({
      addon_subscription_id: id,
      end_date: '2026-01-20T12:00:00Z',
      fully_billed: false,
    });
    expect(await desk.invoices()).toEqual(before);
    expect(await desk.credits()).toEqual([]);
  });

  it('what was cancelled can be attached again, on its own terms', async () => {
    desk.resume('usage');
    const again = await desk.attach(addon['usage']!);
    expect((await desk.invoices()).map(({ amount }) => amount)).toContain(0.37);
    expect((await desk.shown()).addons).toHaveLength(2);
    await desk.cancel(again.addon_subscription_id);
    expect((await desk.shown()).addons.map((it: { fully_billed: boolean }) => it.fully_billed)).toEqual([
      true,
      true,
    ]);
  });

  it('a draft has what the next boundary brings of add-ons', async () => {
    for (const name of ['at end', 'qty 3']) {
      desk.resume(name);
      const [draft] = await shop.drafts(desk.served().customer);
      drafts.set(name, draft.line_items);
    }
  });

  it('at the boundary: fees that waited, the next period of what recurs, nothing of what came once', async () => {
    await app.advance('2026-02-01T01:00:00Z');
    desk.resume('one time');
    expect(await desk.newest()).toMatchObject({ amount: 30 });
    desk.resume('qty 3');
    const renewed = await desk.newest();
    expect(renewed.amount).toBe(60);
    expect(renewed.line_items).toEqual(drafts.get('qty 3'));
    desk.resume('at end');
    const atEnd = await desk.newest();
    expect(atEnd.line_items.find((line: Line) => line.name === 'support')).toMatchObject({
      quantity: 3,
      base: 15,
    });
    expect(atEnd.amount).toBe(45);
    desk.resume('refund');
    expect(await desk.credits()).toEqual([5]);
  });

  it('a renewal carries what recurs, under an id of its own; what came once ended with its term', async () => {
    const running = async (name: string) => {
      desk.resume(name);
      const { body } = await app.request
        .get(`/api/subscriptions/?customer_id=${desk.served().customer}&status=active`)
        .expect(200);
      return body[0];
    };
    expect((await running('one time')).addons).toEqual([]);
    const renewed = await running('qty 3');
    expect(renewed.addons).toMatchObject([
      { start_date: '2026-02-01T00:00:00Z', end_date: '2026-02-28T23:59:59.999999Z', fully_billed: false },
    ]);
    desk.resume('qty 3');
    const former = (await desk.shown()).addons[0];
    expect(former).toMatchObject({ fully_billed: true, end_date: '2026-01-31T23:59:59.999999Z' });
    expect(renewed.addons[0].addon_subscription_id).not.toBe(former.addon_subscription_id);
  });

  it('invoice_on_subscription_end: whole at the end of the next term, too', async () => {
    await app.advance('2026-03-01T01:00:00Z');
    desk.resume('at end');
    expect(await desk.newest()).toMatchObject({ amount: 60 });
  });

  it('the history of a subscription tells of its add-ons', async () => {
    desk.resume('usage');
    const { body } = await app.request
      .get(`/api/subscriptions/${desk.served().subscription.subscription_id}/history/`)
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
