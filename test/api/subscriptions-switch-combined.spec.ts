import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { forgetAnswer } from '../support/stored-idempotency-keys.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Line {
  readonly base: number;
  readonly name: string;
}
interface Invoice {
  readonly invoice_id: string;
  readonly amount: number;
  readonly cost_due: number;
  readonly line_items: readonly Line[];
}
interface Shown {
  readonly subscription_id: string;
}

let app: TestApp;
let shop: Shop;
const plans: Record<string, string> = {};
const running: Record<string, string> = {};

/** Returns a fee in advance: 31.00 a month are 1.00 a day in January. */
const fee = (amount: number, changes: object = {}) => ({
  recurring_charges: [
    { name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate', ...changes },
  ],
});
const prepaid = (metric_id: string, cost: number, units: number | null) => ({
  recurring_charges: [],
  components: [
    {
      metric_id,
      tiers: [
        { type: 'free', range_start: 0, range_end: 10 },
        { type: 'per_unit', range_start: 10, cost_per_batch: cost, metric_units_per_batch: 1 },
      ],
      prepaid_charge: { units, charge_behavior: 'prorate' },
    },
  ],
});
const invoices = (customer: string): Promise<Invoice[]> => shop.invoices(`?customer_id=${customer}`);
const begun = async (customer: string, plan: string, changes: object = {}): Promise<void> => {
  await shop.customer(customer);
  const { subscription_id: id } = await shop.subscribe(customer, plans[plan]!, '2026-01-01', changes);
  running[customer] = id;
  await pay(customer);
};
const pay = async (customer: string): Promise<void> => {
  for (const { invoice_id: id } of await invoices(customer)) {
    await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
  }
};
const act = (customer: string, action: string, body: object) =>
  app.request.post(`/api/subscriptions/${running[customer]}/${action}/`).send(body);
/** Switches a customer to a plan and continues with the new subscription. */
const switched = async (customer: string, plan: string, changes: object = {}): Promise<void> => {
  const { body } = await act(customer, 'switch_plan', { switch_plan_id: plans[plan], ...changes }).expect(
    200,
  );
  running[customer] = (body as Shown).subscription_id;
};
/** Returns the bases of the lines of the new invoice, without 0. Expects one new invoice at most. */
async function brings(customer: string, doing: () => Promise<unknown>): Promise<number[]> {
  const before = (await invoices(customer)).map(({ invoice_id: id }) => id);
  await doing();
  const fresh = (await invoices(customer)).filter(({ invoice_id: id }) => !before.includes(id));
  expect(fresh.length).toBeLessThan(2);
  return (fresh[0]?.line_items ?? [])
    .map(({ base }) => base)
    .filter((base) => base !== 0)
    .sort((a, b) => a - b);
}
const credits = async (customer: string): Promise<number[]> =>
  (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body.map(
    ({ amount_remaining: left }: { amount_remaining: number }) => left,
  );

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const metric = await shop.metric();
  plans['a'] = await shop.plan('A', fee(31));
  plans['b'] = await shop.plan('B', fee(62));
  plans['c'] = await shop.plan('C', fee(93));
  plans['full'] = await shop.plan('Full', fee(62, { charge_behavior: 'full' }));
  plans['arrears'] = await shop.plan('Arrears', fee(62, { charge_timing: 'in_arrears' }));
  plans['p'] = await shop.plan('P', prepaid(metric, 1, 20));
  plans['q'] = await shop.plan('Q', prepaid(metric, 2, null));
  for (const customer of ['start', 'several', 'voids', 'repeats', 'fees', 'ends', 'refunds']) {
    await begun(customer, 'a');
  }
  await begun('down', 'b');
  await begun('owes', 'b');
  await begun('prepays', 'p');
  await begun('begins', 'a', { auto_renew: false });
  await begun('waits', 'a', { start_date: '2026-02-01' });
  await shop.use(...times(15, '2026-01-01T00:00:00Z').map((event) => ({ ...event, customer: 'prepays' })));
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(30);
  await app.stop();
});

describe('on 1 January, at the very start', () => {
  it('a switch is the new plan from the start', async () => {
    expect(await brings('start', () => switched('start', 'b'))).toEqual([-31, 62]);
  });
});

describe('on 11 January', () => {
  beforeAll(() => app.advance('2026-01-11T00:00:00Z'));

  it('several switches at one instant are one from first to last', async () => {
    expect(await brings('several', () => switched('several', 'b'))).toEqual([-31, 10, 42]);
    await pay('several');
    expect(await brings('several', () => switched('several', 'c'))).toEqual([-42, 63]);
  });

  it('back and forth at one instant nets to zero', async () => {
    expect(await brings('several', () => switched('several', 'b'))).toEqual([-63, 42]);
    expect(await brings('several', () => switched('several', 'c'))).toEqual([-42, 63]);
  });

  it('a full fee is charged in full, and is not credited back', async () => {
    expect(await brings('fees', () => switched('fees', 'full'))).toEqual([-31, 10, 62]);
  });

  it('prepaid units are taken over, each plan for its days', async () => {
    // 20 units cost 10.00 for 10 of 31 days, then 20.00 for 21 days.
    expect(await brings('prepays', () => switched('prepays', 'q'))).toEqual([-6.77, 13.55]);
  });

  it('prepaid units that nobody has said are asked for', async () => {
    const body = { switch_plan_id: plans['q'] };
    expect((await act('fees', 'switch_plan', body).expect(400)).body.title).toBe(
      'prepayment_cant_determine_units',
    );
  });

  it('an invoice of a switch is billed again after a void', async () => {
    expect(await brings('voids', () => switched('voids', 'b'))).toEqual([-31, 10, 42]);
    const [{ invoice_id: id }] = (await invoices('voids')) as [Invoice];
    const voided = () => app.request.post(`/api/invoices/${id}/void/`).send({ rebill: true }).expect(200);
    expect(await brings('voids', voided)).toEqual([-31, 10, 42]);
  });

  it('an explanation says what each line follows from: the old plan from its switch, the new one from its start', async () => {
    const [{ invoice_id: id }] = (await invoices('voids')) as [Invoice];
    const { body } = await app.request.get(`/api/invoices/${id}/explain/`).expect(200);
    const told = body.lines
      .filter(({ base }: Line) => base !== 0)
      .map(({ base, follows_from: from }: Line & { follows_from: { type: string }[] }) => [
        base,
        from.map(({ type }) => type),
      ]);
    expect(Object.fromEntries(told)).toEqual({
      10: ['SubscriptionStarted', 'SubscriptionSwitched'],
      '-31': ['SubscriptionStarted', 'SubscriptionSwitched'],
      42: ['SubscriptionStarted'],
    });
  });

  it('a repeat of the same request switches once, also when the first was never answered', async () => {
    const send = () =>
      act('repeats', 'switch_plan', { switch_plan_id: plans['b'] })
        .set('Idempotency-Key', 'switching')
        .expect(200);
    const { body: first } = await send();
    await forgetAnswer(app, 'switching');
    expect((await send()).body).toEqual(first);
    expect(await invoices('repeats')).toHaveLength(2);
  });

  it('for those that are cancelled later', async () => {
    for (const customer of ['ends', 'refunds']) {
      await switched(customer, 'b');
      await pay(customer);
    }
    await switched('begins', 'b', { invoicing_behavior: 'add_to_next_invoice' });
    await switched('waits', 'b', { invoicing_behavior: 'add_to_next_invoice' });
  });
});

describe('on 16 January at noon', () => {
  beforeAll(() => app.advance('2026-01-16T12:00:00Z'));

  it('a switch down becomes a credit where the old plan was paid', async () => {
    expect(await brings('down', () => switched('down', 'a'))).toEqual([-62, 15.5, 31]);
    expect(await credits('down')).toEqual([15.5]);
  });

  it('and comes off its invoice where it was not', async () => {
    await shop.customer('unpaid');
    const { subscription_id: id } = await shop.subscribe('unpaid', plans['b']!, '2026-01-01');
    running['unpaid'] = id;
    await switched('unpaid', 'a');
    expect((await invoices('unpaid')).map(({ cost_due: due }) => due).sort()).toEqual([0, 46.5]);
    expect(await credits('unpaid')).toEqual([]);
  });

  it('to a plan in arrears the old one is settled now, the new one at the end', async () => {
    expect(await brings('owes', () => switched('owes', 'arrears'))).toEqual([-62, 31]);
    expect(await credits('owes')).toEqual([31]);
  });
});

describe('on 21 January', () => {
  beforeAll(() => app.advance('2026-01-21T00:00:00Z'));

  it('a cancellation of the new subscription credits back its unused part', async () => {
    expect(await brings('ends', () => act('ends', 'cancel', {}).expect(200))).toEqual([-42, 20]);
    expect(await credits('ends')).toEqual([22]);
  });

  it('a refund is of the new plan alone: the old one was settled with the switch', async () => {
    const refund = { flat_fee_behavior: 'refund' };
    expect(await brings('refunds', () => act('refunds', 'cancel', refund).expect(200))).toEqual([-42]);
    expect(await credits('refunds')).toEqual([42]);
  });

  it('after a switch that waits for the next invoice a cancellation bills both', async () => {
    expect(await brings('begins', () => act('begins', 'cancel', {}).expect(200))).toEqual([-31, 10, 20]);
    await shop.use(...times(20, '2026-01-21T00:00:00Z').map((event) => ({ ...event, customer: 'prepays' })));
  });
});

describe('at the end of January', () => {
  it('a switch in the last microsecond charges nothing more', async () => {
    await begun('late', 'a');
    await app.advance('2026-01-31T23:59:59.999999Z');
    expect(await brings('late', () => switched('late', 'b'))).toEqual([]);
  });

  it('at the very instant of the end the next term is switched', async () => {
    await begun('later', 'a');
    await app.advance('2026-02-01T00:00:00Z');
    await app.request
      .post(`/api/subscriptions/${running['later']}/switch_plan/`)
      .send({ switch_plan_id: plans['b'] })
      .expect(400);
  });

  it('every plan renews at its price, and what was added to the next invoice is on it', async () => {
    const advance = () => app.advance('2026-02-01T01:00:00Z');
    const before = Object.fromEntries(
      await Promise.all(
        Object.keys(running).map(async (customer) => [customer, (await invoices(customer)).length]),
      ),
    );
    await advance();
    const newest = async (customer: string) => {
      const all = await invoices(customer);
      if (all.length === before[customer]) return [];
      return all[0]!.line_items
        .map(({ base }) => base)
        .filter((base) => base !== 0)
        .sort((a, b) => a - b);
    };
    expect(await newest('start')).toEqual([62]);
    expect(await newest('several')).toEqual([93]);
    expect(await newest('voids')).toEqual([62]);
    expect(await newest('down')).toEqual([31]);
    expect(await newest('owes')).toEqual([31]);
    expect(await newest('late')).toEqual([62]);
    // 35 units cost 50.00, of which 20.00 were prepaid; 20.00 are prepaid again for February.
    expect(await newest('prepays')).toEqual([20, 30]);
    expect(await newest('begins')).toEqual([]);
    expect((await invoices('waits')).map(({ amount }) => amount)).toEqual([62]);
    expect(await newest('ends')).toEqual([]);
  });
});
