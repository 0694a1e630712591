import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const HALF = '2026-01-16T12:00:00Z';

/** Returns a version of the golden cases: a fee and requests, some of which are free. */
const version = (metric: string, fee: number, free: number, cost: number) => ({
  recurring_charges: [{ name: 'fee', amount: fee, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
  components: [
    {
      metric_id: metric,
      tiers: [
        { type: 'free', range_start: 0, range_end: free },
        { type: 'per_unit', range_start: free, cost_per_batch: cost, metric_units_per_batch: 1 },
      ],
    },
  ],
});

interface Line {
  readonly name: string;
  readonly amount: number;
  readonly quantity: number | null;
}
const amounts = ({ line_items }: { line_items: Line[] }): number[] =>
  line_items.map(({ amount }) => amount).sort((a, b) => a - b);

const AT_END: Readonly<Record<string, readonly number[]>> = {
  transfer_to_new_subscription: [-30, 15, 30, 30],
  keep_separate: [-30, 0, 10, 15, 30],
};

describe('a switch at half time (docs/billing.md#plan-switches)', () => {
  let app: TestApp;
  let shop: Shop;
  let [a, b]: string[] = [];
  const old: Record<string, { subscription_id: string }> = {};
  const next: Record<string, { subscription_id: string }> = {};
  const PAIRS = ['invoice_now', 'add_to_next_invoice'].flatMap((invoicing) =>
    ['transfer_to_new_subscription', 'keep_separate'].map((usage) => ({ invoicing, usage })),
  );
  const nameOf = ({ invoicing, usage }: (typeof PAIRS)[number]) => `${invoicing}-${usage}`;

  const switching = (id: string, body: object, query = '') =>
    app.request.post(`/api/subscriptions/${id}/switch_plan/${query}`).send(body);
  const shown = async (id: string) => (await app.request.get(`/api/subscriptions/${id}/`).expect(200)).body;
  const invoicesOf = (customer: string) => shop.invoices(`?customer_id=${customer}`);
  const pay = async (customer: string) => {
    for (const { invoice_id: id } of await invoicesOf(customer)) {
      await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
    }
  };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const metric = await shop.metric();
    a = await shop.plan('A', version(metric, 30, 10, 2));
    b = await shop.plan('B', version(metric, 60, 5, 3));
    for (const pair of PAIRS) {
      const customer = nameOf(pair);
      await shop.customer(customer);
      old[customer] = await shop.subscribe(customer, a, '2026-01-01', {
        auto_renew: false,
        metadata: { po: 7 },
      });
      await pay(customer);
    }
    await app.advance('2026-01-05T12:00:00Z');
    for (const pair of PAIRS) {
      await shop.use(
        ...times(15, '2026-01-05T12:00:00Z').map((event) => ({ ...event, customer: nameOf(pair) })),
      );
    }
    await app.advance(HALF);
  });
  afterAll(() => app.stop());

  it.each(PAIRS)(
    '$invoicing, $usage: a preview is what the act brings, and changes nothing',
    async (pair) => {
      const customer = nameOf(pair);
      const { subscription_id: id } = old[customer]!;
      const body = { switch_plan_id: b, invoicing_behavior: pair.invoicing, usage_behavior: pair.usage };
      const before = await shown(id);
      const preview = (await switching(id, body, '?preview=true').expect(200)).body;
      expect(await shown(id)).toEqual(before);
      const answer = (await switching(id, body).expect(200)).body;
      next[customer] = answer;
      expect(answer).toMatchObject({
        start_date: HALF,
        end_date: '2026-01-31T23:59:59.999999Z',
        auto_renew: false,
        is_new: true,
        fully_billed: false,
        metadata: { po: 7 },
      });
      expect(answer.subscription_id).not.toBe(id);
      expect(answer.billing_plan.plan_id).toBe(b);
      expect(await shown(answer.subscription_id)).toEqual(answer);
      expect(await shown(id)).toMatchObject({ end_date: HALF, auto_renew: false });
      const now = pair.invoicing === 'invoice_now';
      const [invoice, ...others] = await invoicesOf(customer);
      expect(others).toHaveLength(now ? 1 : 0);
      expect(preview.invoices).toHaveLength(1);
      if (!now) {
        // The preview shows the invoice of the period's end, with the usage so far.
        expect(amounts(preview.invoices[0])).toEqual(AT_END[pair.usage]);
        return;
      }
      expect(invoice.amount).toBe(15);
      expect(amounts(invoice)).toEqual([-30, 15, 30]);
      const told = (lines: Line[]) => lines.map(({ name, amount, quantity }) => ({ name, amount, quantity }));
      expect(told(preview.invoices[0].line_items)).toEqual(told(invoice.line_items));
      expect(preview.invoices[0].amount).toBe(invoice.amount);
    },
  );

  it('the old plan and the new one have no gap and no overlap in access', async () => {
    const customer = nameOf(PAIRS[0]!);
    const { body } = await app.request.get(`/api/subscriptions/?customer_id=${customer}&status=active`);
    expect(body.map(({ subscription_id: id }: { subscription_id: string }) => id)).toEqual([
      next[customer]!.subscription_id,
    ]);
  });

  it.each([
    [PAIRS[0]!, [42], 19],
    [PAIRS[1]!, [0, 10], 15],
    [PAIRS[2]!, [-30, 15, 30, 42], 19],
    [PAIRS[3]!, [-30, 0, 10, 15, 30], 15],
  ])('%j: the period end', async (pair, lines, quantity) => {
    const customer = nameOf(pair);
    if (pair === PAIRS[0]) {
      await app.advance('2026-01-20T00:00:00Z');
      for (const one of PAIRS) {
        await shop.use(
          ...times(4, '2026-01-20T00:00:00Z').map((event) => ({ ...event, customer: nameOf(one) })),
        );
      }
      await app.advance('2026-02-01T01:00:00Z');
    }
    const [invoice] = await invoicesOf(customer);
    expect(amounts(invoice)).toEqual(lines);
    expect(invoice.line_items.map((line: Line) => line.quantity)).toContain(quantity);
    for (const id of [old[customer]!.subscription_id, next[customer]!.subscription_id]) {
      expect(await shown(id)).toMatchObject({ fully_billed: true });
    }
  });

  it('the history of both names the other', async () => {
    const customer = nameOf(PAIRS[0]!);
    const { body } = await app.request.get(`/api/subscriptions/${old[customer]!.subscription_id}/history/`);
    expect(body.successor.subscription_id).toBe(next[customer]!.subscription_id);
    expect(body.events.map(({ type }: { type: string }) => type)).toContain('SubscriptionSwitched');
    const { body: after } = await app.request.get(
      `/api/subscriptions/${next[customer]!.subscription_id}/history/`,
    );
    expect(after.predecessor.subscription_id).toBe(old[customer]!.subscription_id);
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(7);
  });
});
