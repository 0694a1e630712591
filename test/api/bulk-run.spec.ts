import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingPolicies } from '../../src/billing/runs/billing-policies.js';
import { BillingSweep } from '../../src/billing/scheduler/billing-sweep.js';
import { instant } from '../../src/kernel/instant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

/** Pause before the invoice of a bulk change, until `goOn` is called. */
interface Halt {
  readonly reached: Promise<void>;
  goOn(): void;
}

let app: TestApp;
let shop: Shop;
const plans = {} as Record<'kept' | 'ending' | 'next', string>;
let customer: string;

function haltBeforeTheirInvoice(): Halt {
  const billing = app.service.app.get(BillingPolicies);
  const bill = billing.billBulkChange.bind(billing);
  let goOn = () => {};
  const reached = new Promise<void>((isReached) => {
    const released = new Promise<void>((release) => (goOn = release));
    billing.billBulkChange = async (event, policy) => {
      isReached();
      await released;
      await bill(event, policy);
    };
  });
  return {
    reached,
    goOn: () => {
      billing.billBulkChange = bill;
      goOn();
    },
  };
}

/** Returns the amounts of the lines of each invoice. */
const charged = async (): Promise<string[]> =>
  (await shop.invoices(`?customer_id=${customer}`))
    .map(({ line_items: lines }: { line_items: { amount: number }[] }) =>
      lines.map(({ amount }) => amount).join(' + '),
    )
    .sort();

const cancel = (id: string) => app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
  // A day on the three plans costs 1.00, 2.00 and 3.00.
  const aPlan = async (name: string, amount: number) =>
    shop.plan(name, {
      recurring_charges: [{ name, amount, charge_timing: 'in_arrears', charge_behavior: 'prorate' }],
    });
  plans.kept = await aPlan('kept', 31);
  plans.ending = await aPlan('ending', 62);
  plans.next = await aPlan('next', 93);
});
afterAll(() => app.stop());
let count = 0;
beforeEach(async () => {
  customer = `customer-${(count += 1)}`;
  await shop.customer(customer);
});

describe('a bulk change makes one invoice, also where another run bills meanwhile', () => {
  it('another invoice has no line of the change', async () => {
    const { subscription_id: kept } = await shop.subscribe(customer, plans.kept, '2026-01-01');
    const filters = (value: string) => ({ subscription_filters: [{ property_name: 'region', value }] });
    await shop.subscribe(customer, plans.ending, '2026-01-01', filters('west'));
    await shop.subscribe(customer, plans.ending, '2026-01-01', filters('east'));
    const halt = haltBeforeTheirInvoice();
    const all = app.request
      .post(`/api/subscriptions/cancel/?customer_id=${customer}&plan_id=${plans.ending}`)
      .send({})
      .expect(200)
      .then(() => undefined);
    await halt.reached;
    await cancel(kept);
    expect(await charged()).toEqual(['10']);
    await app.service.app.get(BillingSweep).sweep(instant('2026-01-11'));
    expect(await charged()).toEqual(['10']);
    halt.goOn();
    await all;
    expect(await charged()).toEqual(['10', '20 + 20']);
    await verifyAll(app);
  });

  it('another invoice has no line of the terms that it starts by a switch', async () => {
    const { subscription_id: kept } = await shop.subscribe(customer, plans.kept, '2026-01-01');
    await shop.subscribe(customer, plans.ending, '2026-01-01');
    const halt = haltBeforeTheirInvoice();
    const all = app.request
      .post(`/api/subscriptions/update/?customer_id=${customer}&plan_id=${plans.ending}`)
      .send({ replace_plan_id: plans.next })
      .expect(200)
      .then(() => undefined);
    await halt.reached;
    await cancel(kept);
    halt.goOn();
    await all;
    expect(await charged()).toEqual(['10', '20']);
    await app.advance('2026-02-01T00:31:00Z');
    expect(await charged()).toEqual(['10', '20', '63']);
    await verifyAll(app);
  });
});
