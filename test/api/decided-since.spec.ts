import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const HALF = '2026-01-16T12:00:00Z';
const per = (cost: number) => [
  { type: 'per_unit', range_start: 0, cost_per_batch: cost, metric_units_per_batch: 1 },
];
const fee = (amount: number, changes: object = {}) => ({
  name: 'fee',
  amount,
  charge_timing: 'in_advance',
  charge_behavior: 'prorate',
  ...changes,
});
const WEEKLY = { reset_interval_unit: 'week', reset_interval_count: 1 };
const FULL = { charge_behavior: 'full' };

interface Invoice {
  readonly invoice_id: string;
  readonly amount: number;
  readonly line_items: readonly {
    readonly name: string;
    readonly amount: number;
    readonly plan: object | null;
  }[];
}

/** Tests the latest rules of docs/billing.md over HTTP. Each has its own customer; all share one clock. */
describe('decided since', () => {
  let app: TestApp;
  let shop: Shop;
  let metric: string;
  let count = 0;
  const plans = new Map<string, string>();
  const running = new Map<string, string>();

  const plan = async (name: string, version: object): Promise<string> => {
    const id = await shop.plan(name, { recurring_charges: [], ...version });
    plans.set(name, id);
    return id;
  };
  const begin = async (customer: string, name: string, start: string, changes: object = {}) => {
    if (!running.has(customer)) await shop.customer(customer);
    const answer = await shop.subscribe(customer, plans.get(name)!, start, changes);
    running.set(customer, answer.subscription_id);
  };
  const post = async (customer: string, path: string, body: object) =>
    (
      await app.request
        .post(`/api/subscriptions/${running.get(customer)!}/${path}`)
        .send(body)
        .expect(200)
    ).body;
  const cancel = (customer: string, body: object = {}) => post(customer, 'cancel/', body);
  const change = async (customer: string, to: string, body: object = {}) => {
    const { subscription_id: id } = await post(customer, 'switch_plan/', {
      switch_plan_id: plans.get(to)!,
      ...body,
    });
    running.set(customer, id);
  };
  const use = (customer: string, at: string, n: number) =>
    shop.use({ customer, at, id: `use-${(count += 1)}`, properties: { n } });
  const invoicesOf = async (customer: string): Promise<Invoice[]> =>
    (await shop.invoices(`?customer_id=${customer}`)).reverse();
  /** Returns the amounts of a customer's invoices, oldest first. */
  const amounts = async (customer: string) => (await invoicesOf(customer)).map(({ amount }) => amount);
  const lines = ({ line_items: items }: Invoice) =>
    items.filter(({ plan: of, amount }) => of && amount !== 0).map(({ name, amount }) => [name, amount]);
  const pay = async (customer: string) => {
    for (const { invoice_id: id } of await invoicesOf(customer))
      await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
  };
  const credits = async (customer: string): Promise<number[]> =>
    (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body.map(
      ({ amount }: { amount: number }) => amount,
    );

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    metric = await shop.metric({ aggregation_type: 'sum', property_name: 'n' });
    const used = (cost: number, changes: object = {}) => ({
      metric_id: metric,
      tiers: per(cost),
      ...changes,
    });
    await plan('thirty', { recurring_charges: [fee(30)], components: [used(1)] });
    await plan('sixty', { recurring_charges: [fee(60)], components: [used(2)] });
    await plan('anchored', { recurring_charges: [fee(31)], day_anchor: 1 });
    await plan('in arrears', { recurring_charges: [fee(31, { charge_timing: 'in_arrears' })] });
    await plan('full', { recurring_charges: [fee(30, FULL)] });
    await plan('weekly', {
      recurring_charges: [fee(7, { ...FULL, ...WEEKLY })],
      components: [used(1, WEEKLY)],
    });
    await plan('dearer weekly', {
      recurring_charges: [fee(14, { ...FULL, ...WEEKLY })],
      components: [used(2, WEEKLY)],
    });
    for (const behavior of ['full', 'prorate'])
      await plan(`prepaid ${behavior}`, {
        components: [used(1, { prepaid_charge: { units: 20, charge_behavior: behavior } })],
      });
    await plan('metered', { components: [used(2)] });
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  it('a start whose first term is over is refused without renewal, and billed at once with it', async () => {
    await shop.customer('past');
    const request = { customer_id: 'past', plan_id: plans.get('full'), start_date: '2025-10-10' };
    const refused = await app.request.post('/api/subscriptions/').send({ ...request, auto_renew: false });
    expect([refused.status, refused.body.validation_errors[0].attr]).toEqual([400, 'end_date']);
    expect(await invoicesOf('past')).toEqual([]);
    await app.request.post('/api/subscriptions/').send(request).expect(201);
    expect((await invoicesOf('past')).map(lines)).toEqual([
      [
        ['fee', 30],
        ['fee', 30],
        ['fee', 30],
      ],
    ]);
  });

  it('charge_full charges the whole fee of a term that ended at the instant it began', async () => {
    for (const customer of ['at once', 'at once in arrears']) {
      await begin(customer, customer === 'at once' ? 'thirty' : 'in arrears', '2026-01-01');
      await cancel(customer, { flat_fee_behavior: 'charge_full' });
    }
    expect(await amounts('at once')).toEqual([30]);
    expect(await amounts('at once in arrears')).toEqual([31]);
  });

  it('charge_full charges nothing of a subscription that never began', async () => {
    await begin('never', 'in arrears', '2026-02-10');
    await cancel('never', { flat_fee_behavior: 'charge_full', invoicing_behavior: 'add_to_next_invoice' });
    await app.advance('2026-01-02T00:00:00Z');
    expect(await amounts('never')).toEqual([]);
  });

  it('windows that are over at a switch are billed by the old tiers', async () => {
    await begin('windows', 'weekly', '2026-01-01T00:00:00Z');
    for (const customer of ['full', 'prorate']) {
      await begin(customer, `prepaid ${customer}`, '2026-01-01T00:00:00Z');
      await pay(customer);
    }
    await begin('settled', 'thirty', '2026-01-01T00:00:00Z');
    await pay('settled');
    await app.advance('2026-01-09T00:00:00Z');
    await use('windows', '2026-01-03T00:00:00Z', 10);
    await use('windows', '2026-01-09T00:00:00Z', 10);
    for (const customer of ['full', 'prorate', 'settled']) await use(customer, '2026-01-03T00:00:00Z', 15);
    await app.advance('2026-01-10T00:00:00Z');
    await change('windows', 'dearer weekly');
    expect(lines((await invoicesOf('windows')).at(-1)!)).toEqual([
      ['requests', 10],
      ['fee', 14],
    ]);
  });

  it('charge_full charges the rest of the whole fee in a first partial period', async () => {
    await app.advance('2026-01-11T00:00:00Z');
    await cancel('windows');
    expect(lines((await invoicesOf('windows')).at(-1)!)).toEqual([['requests', 20]]);
    await begin('partial', 'anchored', '2026-01-11T00:00:00Z');
    await app.advance('2026-01-15T00:00:00Z');
    await cancel('partial', { flat_fee_behavior: 'charge_full' });
    expect(await amounts('partial')).toEqual([21, 10]);
  });

  it('prepaid units stay good for the window they were bought for, on a plan without any', async () => {
    await app.advance(HALF);
    for (const customer of ['full', 'prorate']) {
      await change(customer, 'metered');
      await use(customer, HALF, 10);
    }
    await change('settled', 'sixty', {
      invoicing_behavior: 'add_to_next_invoice',
      usage_behavior: 'keep_separate',
    });
    expect(await amounts('settled')).toEqual([30]);
  });

  it('a cancellation settles a switch that waits for the next invoice, with all that is over', async () => {
    await app.advance('2026-01-24T06:00:00Z');
    await cancel('settled');
    const issued = await invoicesOf('settled');
    expect(issued.map(({ amount }) => amount)).toEqual([30, 15]);
    expect(lines(issued.at(-1)!)).toEqual([
      ['fee', 15],
      ['fee', -30],
      ['requests', 15],
      ['fee', 15],
    ]);
    expect(await credits('settled')).toEqual([]);
    await app.advance('2026-02-01T00:30:00Z');
    expect(await amounts('settled')).toEqual([30, 15]);
  });

  it('covers all units bought in full, and of prorated ones the share that was kept', async () => {
    expect((await invoicesOf('full')).map(lines)).toEqual([[['requests (prepaid)', 20]], [['requests', 10]]]);
    const [, switched, ended] = await invoicesOf('prorate');
    expect(lines(switched!)).toEqual([['requests (prepaid)', -10]]);
    expect(lines(ended!)).toEqual([['requests', 30]]);
  });

  it('a preview lists lines as the invoice does, also where terms begin at one instant', async () => {
    const customers = Array.from({ length: 6 }, (_, n) => `twice ${n}`);
    const previews: unknown[] = [];
    for (const customer of customers) {
      await begin(customer, 'thirty', '2026-02-01T00:00:00Z');
      await begin(customer, 'in arrears', '2026-02-01T00:30:00Z');
      const id = (
        await app.request.get(`/api/subscriptions/?customer_id=${customer}&plan_id=${plans.get('thirty')!}`)
      ).body[0].subscription_id;
      const path = `/api/subscriptions/${id}/switch_plan/`;
      const terms = { switch_plan_id: plans.get('sixty'), invoicing_behavior: 'add_to_next_invoice' };
      const { body } = await app.request.post(`${path}?preview=true`).send(terms).expect(200);
      await app.request.post(path).send(terms).expect(200);
      previews.push(lines(body.invoices[0]));
    }
    await app.advance('2026-03-01T01:01:00Z');
    for (const [n, customer] of customers.entries()) {
      const issued = (await invoicesOf(customer)).at(-1)!;
      expect(lines(issued)).toEqual(previews[n]);
      expect(lines(issued)).toEqual(previews[0]);
      expect(lines(issued).length).toBeGreaterThan(3);
    }
  });
});

/** Tests a switch on the first local day of a window: the old plan is charged for no day of that window. */
describe('decided since, in `day` basis', () => {
  const CASES: readonly [name: string, version: object | string, back: number][] = [
    ['a fee in full', { recurring_charges: [fee(30, FULL)] }, -30],
    ['a prorated fee', { recurring_charges: [fee(30)] }, -30],
    ['prepaid units in full', 'full', -20],
    ['prorated prepaid units', 'prorate', -20],
    ['a weekly fee in full', { recurring_charges: [fee(30, { ...FULL, ...WEEKLY })] }, -30],
  ];
  let app: TestApp;
  let shop: Shop;
  let to: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    await app.request.patch('/api/organization/').send({ proration_basis: 'day' }).expect(200);
    const metric = await shop.metric({ aggregation_type: 'sum', property_name: 'n' });
    to = await shop.plan('To', { recurring_charges: [fee(62)] });
    for (const [customer, version] of CASES) {
      const prepaid = { units: 20, charge_behavior: version };
      const component = { metric_id: metric, tiers: per(1), prepaid_charge: prepaid };
      const sold = typeof version === 'string' ? { recurring_charges: [], components: [component] } : version;
      await shop.customer(customer);
      await shop.subscribe(customer, await shop.plan(customer, sold), '2026-01-01');
    }
    await app.advance('2026-02-01T10:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  it.each(CASES)('%s of a renewed term comes back', async (customer, _, back) => {
    const query = `?customer_id=${encodeURIComponent(customer)}`;
    const { body } = await app.request.get(`/api/subscriptions/${query}&status=active`).expect(200);
    const path = `/api/subscriptions/${body[0].subscription_id}/switch_plan/`;
    await app.request.post(path).send({ switch_plan_id: to }).expect(200);
    const [newest] = await shop.invoices(query);
    const found = newest.line_items
      .map(({ plan, amount }: { plan: object | null; amount: number }) => (plan ? amount : 0))
      .filter((amount: number) => amount !== 0);
    expect(found).toEqual([back, 62]);
  });
});
