import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const FEES = [null, 'refund', 'charge_prorated', 'charge_full'] as const;
const USAGES = ['bill_full', 'bill_none'] as const;
const INVOICINGS = ['invoice_now', 'add_to_next_invoice'] as const;

interface Case {
  readonly customer: string;
  readonly plan: string;
  readonly body: object;
  readonly invoicing: (typeof INVOICINGS)[number];
}

/** Every timing and behavior of a fee with every way to cancel (docs/billing.md#cancellation). */
const MATRIX = (['in_advance', 'in_arrears'] as const).flatMap((timing) =>
  (['prorate', 'full'] as const).flatMap((behavior) =>
    FEES.flatMap((flat_fee_behavior) =>
      USAGES.flatMap((usage_behavior) =>
        INVOICINGS.map((invoicing): Case => ({
          customer: [timing, behavior, flat_fee_behavior, usage_behavior, invoicing].join('-'),
          plan: `${timing} ${behavior}`,
          body: {
            ...(flat_fee_behavior === null ? {} : { flat_fee_behavior }),
            usage_behavior,
            invoicing_behavior: invoicing,
          },
          invoicing,
        })),
      ),
    ),
  ),
);
/** The jest project `long` tests all 64 cases; `npm test` tests 16 of them, which contain every pair of values. */
const CASES = MATRIX.filter((_, n) => globalThis.eventLog !== undefined || isInPairs(n));

/** Selects each combination of timing, behavior and fee, with usage and invoicing so that each pair of values occurs. */
function isInPairs(n: number): boolean {
  const [invoicing, usage, fee, otherFee, behavior, timing] = [0, 1, 2, 3, 4, 5].map((bit) => (n >> bit) & 1);
  return usage === (timing! ^ behavior! ^ fee!) && invoicing === (timing! ^ fee! ^ otherFee!);
}

interface Invoice {
  readonly invoice_id: string;
  readonly issue_date: string;
  readonly payment_status: string;
  readonly amount: number;
  readonly line_items: readonly object[];
}

describe('a preview of a cancellation', () => {
  let app: TestApp;
  let shop: Shop;
  const subscriptions = new Map<string, string>();
  const previews = new Map<string, Invoice[]>();

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const metricId = await shop.metric();
    const tiers = perUnitTiers();
    const plans = new Map<string, string>();
    for (const { plan } of CASES) {
      if (plans.has(plan)) continue;
      const [charge_timing, charge_behavior] = plan.split(' ');
      const version = {
        recurring_charges: [aChargeBody({ charge_timing, charge_behavior })],
        components: [aComponentBody(metricId, { tiers })],
      };
      plans.set(plan, await shop.plan(plan, version));
    }
    for (const { customer, plan } of CASES) {
      await shop.customer(customer);
      const { subscription_id: id } = await shop.subscribe(customer, plans.get(plan)!, '2026-01-01');
      subscriptions.set(customer, id);
    }
    await app.advance('2026-01-11T00:00:00Z');
    for (const { customer } of CASES) {
      await shop.use(...times(10, '2026-01-05T00:00:00Z').map((event) => ({ ...event, customer })));
    }
  });
  afterAll(() => app.stop());

  const cancel = ({ customer, body }: Case, query = '') =>
    app.request.post(`/api/subscriptions/${subscriptions.get(customer)}/cancel/${query}`).send(body);

  it('stores nothing', async () => {
    const before = await shop.invoices('?limit=1000');
    const [{ rows: log }] = await Promise.all([app.pool.query('select count(*) from events')]);
    for (const one of CASES) {
      const { body } = await cancel(one, '?preview=true').expect(200);
      expect(Object.keys(body)).toEqual(['invoices']);
      previews.set(one.customer, body.invoices);
    }
    expect(await shop.invoices('?limit=1000')).toEqual(before);
    expect((await app.pool.query('select count(*) from events')).rows).toEqual(log);
    const one = await app.request.get(`/api/subscriptions/${[...subscriptions.values()][0]}/`).expect(200);
    expect(one.body).toMatchObject({ auto_renew: true });
  });

  it('shows the lines that cancelling brings, in the whole matrix', async () => {
    const had = new Set((await shop.invoices('?limit=1000')).map(({ invoice_id: id }: Invoice) => id));
    for (const one of CASES) await cancel(one).expect(200);
    await app.advance('2026-02-01T00:30:00Z');
    for (const { customer, invoicing } of CASES) {
      const issued = (await shop.invoices(`?customer_id=${customer}`)).filter(
        ({ invoice_id: id }: Invoice) => !had.has(id),
      );
      const previewed = previews.get(customer)!;
      const seen = ({ amount, line_items, issue_date }: Invoice) => ({ amount, line_items, issue_date });
      expect({ customer, invoices: previewed.map(seen) }).toEqual({ customer, invoices: issued.map(seen) });
      for (const { payment_status: status } of previewed) expect(status).toBe('draft');
      const at = invoicing === 'invoice_now' ? '2026-01-11T00:00:00Z' : '2026-02-01T00:30:00Z';
      for (const { issue_date: date } of previewed) expect(date).toBe(at);
    }
  });

  it('is refused as the cancellation would be', async () => {
    const over = await cancel(CASES[0]!, '?preview=true').expect(400);
    expect(over.body).toMatchObject({ title: 'invalid_state', detail: 'Subscription already ended' });
    const unknown = `/api/subscriptions/sub_${'0'.repeat(32)}/cancel/?preview=true`;
    expect((await app.request.post(unknown).send({}).expect(404)).body.title).toBe('resource_not_found');
    expect((await cancel(CASES[0]!, '?preview=soon').expect(400)).body.validation_errors).toMatchObject([
      { attr: 'preview', code: 'invalid' },
    ]);
  });

  it('changes nothing that a recomputation finds', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(CASES.length);
  });
});
