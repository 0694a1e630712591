import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { caseOf } from '../../golden/cases.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { times } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { chargedOn, fixtureOf, figure, priced, type Fixture, type Subscription } from './fixture.js';
import { golden, perUnit } from './golden.js';

/** Case ids contain the timing and behavior of the fee, and `flat_fee_behavior`. */
const TABLE = [
  'cancel-adv-prorate-default',
  'cancel-adv-prorate-prorated',
  'cancel-adv-prorate-refund',
  'cancel-adv-full-default',
  'cancel-adv-full-refund',
  'cancel-adv-full-prorated',
  'cancel-adv-full-full',
  'cancel-arr-prorate-prorated',
  'cancel-arr-prorate-full',
  'cancel-arr-full-default',
  'cancel-arr-full-refund',
  'cancel-arr-full-prorated',
  'cancel-arr-full-full',
];
const BEHAVIORS: Record<string, object> = {
  default: {},
  refund: { flat_fee_behavior: 'refund' },
  prorated: { flat_fee_behavior: 'charge_prorated' },
  full: { flat_fee_behavior: 'charge_full' },
};
interface Cell {
  readonly lines: readonly string[];
  readonly invoice: string;
  readonly credit?: string | null;
}

let app: TestApp;
let fixture: Fixture;
/** Subscriptions by the id of the case, which is also the customer's id. */
const subscribed: Record<string, Subscription> = {};
const cancel = (id: string, body: object = {}) =>
  fixture.post(`${subscribed[id]!.subscription_id}/cancel/`, body);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  fixture = fixtureOf(app);
  const metric = await fixture.metric();
  const plans: Record<string, string> = {};
  for (const timing of ['adv', 'arr']) {
    for (const behavior of ['prorate', 'full']) {
      const fee = { amount: 30, timing: timing === 'adv' ? 'in_advance' : 'in_arrears', behavior };
      plans[`${timing}-${behavior}`] = await fixture.plan(`${timing} ${behavior}`, priced(metric, fee));
    }
  }
  plans['usage'] = await fixture.plan('usage', {
    recurring_charges: [],
    components: await Promise.all(
      ['one', 'two', 'three'].map(async (name) => ({
        metric_id: await fixture.metric({ metric_name: name, property_name: name, aggregation_type: 'sum' }),
        tiers: [perUnit(1)],
      })),
    ),
  });
  const planOf: Record<string, string> = {
    'cancel-now-makes-one-invoice': 'usage',
    'cancel-refund-unpaid': 'adv-prorate',
    'cancel-twice': 'arr-prorate',
    'cancel-multi': 'adv-prorate',
    'ref-cancel-ended': 'arr-prorate',
    ...Object.fromEntries(TABLE.map((id) => [id, id.split('-').slice(1, 3).join('-')])),
  };
  for (const [id, plan] of Object.entries(planOf)) {
    await fixture.customer(id);
    subscribed[id] = await fixture.subscribe(id, plans[plan]!, '2026-01-01');
    if (caseOf(id).given.includes('has been paid')) await fixture.payAll(id);
  }
});
afterAll(() => app.stop());

describe('20 seconds after the start', () => {
  beforeAll(() => app.advance('2026-01-01T00:00:20Z'));

  golden('cancel-refund-unpaid', async ({ id, expect: wanted }) => {
    await cancel(id, { flat_fee_behavior: 'refund', usage_behavior: 'bill_none' }).expect(200);
    const receivable = (await fixture.invoicesOf(id)).reduce((sum, { cost_due: due }) => sum + due, 0);
    expect(figure(receivable)).toBe(wanted!.net);
    expect(await fixture.creditsOf(id)).toEqual([]);
  });
});

describe('on 10 January', () => {
  beforeAll(() => app.advance('2026-01-10T00:00:00Z'));

  golden('cancel-multi', async ({ id, expect: wanted }) => {
    const { body } = await fixture.post(`cancel/?customer_id=${id}`).expect(200);
    expect(body).toMatchObject([
      {
        subscription_id: subscribed[id]!.subscription_id,
        end_date: '2026-01-10T00:00:00Z',
        fully_billed: true,
      },
    ]);
    expect(body).toHaveLength(1);
    const before = await fixture.invoicesOf(id);
    expect(chargedOn(before[0]!)).toEqual(['-30.00', '8.71']);
    expect(before[0]!.line_items).toContainEqual(expect.objectContaining({ name: 'requests', amount: 0 }));
    expect((await fixture.creditsOf(id)).map(({ amount }) => figure(amount))).toEqual([wanted!.credit]);

    expect((await fixture.post(`cancel/?customer_id=${id}`).expect(200)).body).toEqual([]);
    const after = await fixture.invoicesOf(id);
    expect(after.length - before.length).toBe(wanted!.second_new_invoices);
    const refused = await fixture.post('cancel/').expect(wanted!.no_customer as number);
    expect(refused.body.validation_errors).toMatchObject([{ attr: 'customer_id', code: 'required' }]);
  });
});

describe('on 11 January, after 10 of 31 days', () => {
  beforeAll(async () => {
    await fixture.use(
      ...TABLE.flatMap((customer) =>
        times(15, '2026-01-05T12:00:00Z').map((event) => ({ ...event, customer })),
      ),
    );
    const properties = { one: 1, two: 2, three: 4 };
    await fixture.use({ customer: 'cancel-now-makes-one-invoice', at: '2026-01-05T12:00:00Z', properties });
    await app.advance('2026-01-11T00:00:00Z');
  });

  for (const of of TABLE) {
    golden(of, async ({ id, given, expect: wanted }) => {
      const { lines, invoice, credit } = wanted as unknown as Cell;
      const before = await fixture.invoicesOf(id);
      const inAdvance = given.includes('in_advance');
      expect(before.map(({ amount }) => amount)).toEqual(inAdvance ? [30] : []);

      const { body } = await cancel(id, BEHAVIORS[id.split('-')[3]!]).expect(200);
      expect(body).toMatchObject({
        subscription_id: subscribed[id]!.subscription_id,
        end_date: '2026-01-11T00:00:00Z',
        auto_renew: false,
      });

      const [billed, ...others] = await fixture.invoicesOf(id);
      expect(others).toEqual(before);
      expect(chargedOn(billed!)).toEqual([...lines].sort());
      expect(figure(billed!.amount)).toBe(invoice);
      expect(billed!.payment_status).toBe(invoice === '0.00' ? 'paid' : 'unpaid');
      const granted = billed!.line_items.filter(({ name }) => name === 'Granted Credit');
      expect(granted.map(({ amount }) => figure(amount))).toEqual(credit ? [credit] : []);
      const usd = expect.objectContaining({ code: 'USD' });
      expect(await fixture.creditsOf(id)).toEqual(
        credit
          ? [
              expect.objectContaining({
                amount: Number(credit),
                amount_remaining: Number(credit),
                currency: usd,
                status: 'active',
                expires_at: null,
              }),
            ]
          : [],
      );
    });
  }

  golden('cancel-now-makes-one-invoice', async ({ id, expect: wanted }) => {
    const before = await fixture.invoicesOf(id);
    await cancel(id, { flat_fee_behavior: 'charge_full' }).expect(wanted!.status as number);
    const after = await fixture.invoicesOf(id);
    expect(after.length - before.length).toBe(wanted!.new_invoices);
    expect(chargedOn(after[0]!)).toEqual(['1.00', '2.00', '4.00']);
  });

  golden('cancel-unknown', async ({ expect: wanted }) => {
    const unknown = await fixture.post(`sub_${'a1'.repeat(16)}/cancel/`).expect(wanted!.unknown as number);
    expect(unknown.body.title).toBe('resource_not_found');
    expect(wanted!.malformed_in).toContain((await fixture.post('notuuid/cancel/')).status);
  });
});

describe('ten minutes later', () => {
  beforeAll(async () => {
    await cancel('cancel-twice').expect(200);
    await cancel('ref-cancel-ended').expect(200);
    await app.advance('2026-01-11T00:10:00Z');
  });

  golden('cancel-twice', async ({ id, expect: wanted }) => {
    const { body } = await cancel(id).expect(wanted!.status as number);
    expect(body).toMatchObject({ title: wanted!.title, detail: 'Subscription already ended' });
    expect(body.type).toMatch(/#client-error$/);
  });

  golden('ref-cancel-ended', async ({ id }) => {
    const [before, shown] = [
      await fixture.invoicesOf(id),
      await fixture.shown(subscribed[id]!.subscription_id),
    ];
    const { body } = await cancel(id, { flat_fee_behavior: 'charge_full' }).expect(400);
    expect(body).toMatchObject({ title: 'invalid_state', detail: 'Subscription already ended' });
    expect(await fixture.invoicesOf(id)).toEqual(before);
    expect(await fixture.shown(subscribed[id]!.subscription_id)).toEqual(shown);
  });
});

it('every invoice verifies', async () => {
  expect(await verifyAll(app)).toBe(27);
});
