import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

describe('paying invoices', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
  });
  afterAll(() => app.stop());

  const billed = async (customer: string) => {
    await shop.customer(customer);
    await shop.subscribe(customer, planId, '2026-01-01');
    return (await shop.invoices(`?customer_id=${customer}`))[0];
  };
  const patch = (name: string, body: object) => app.request.patch(`/api/invoices/${name}/`).send(body);

  it('leaves nothing to pay, and does not go back', async () => {
    const invoice = await billed('payer');
    const { body } = await patch(invoice.invoice_id, { payment_status: 'paid' }).expect(200);
    expect(body).toEqual({ ...invoice, payment_status: 'paid', cost_due: 0 });
    expect(await shop.invoices('?customer_id=payer&status=paid')).toEqual([body]);
    await patch(invoice.invoice_number, { payment_status: 'paid' }).expect(200);
    const back = await patch(invoice.invoice_id, { payment_status: 'unpaid' }).expect(400);
    expect(back.body.title).toBe('invalid_state');
    expect(await shop.invoices('?customer_id=payer')).toEqual([body]);
  });

  it('links the object at the payment provider, by number too; null clears it', async () => {
    const { invoice_number: number } = await billed('linker');
    const link = {
      external_payment_obj_id: 'in_1',
      external_payment_obj_type: 'provider_b',
      external_payment_obj_status: 'open',
    };
    expect((await patch(number, link).expect(200)).body).toMatchObject({ ...link, payment_status: 'unpaid' });
    const { body } = await patch(number, { external_payment_obj_status: null }).expect(200);
    expect(body).toMatchObject({ ...link, external_payment_obj_status: null });
    expect((await shop.invoices('?customer_id=linker'))[0]).toEqual(body);
  });

  it('is refused for what nobody knows, and for states and providers there are not', async () => {
    const { invoice_id: id } = await billed('strict');
    await patch('260101-000999', { payment_status: 'paid' }).expect(404);
    await patch('x', { payment_status: 'paid' }).expect(404);
    for (const body of [{ payment_status: 'draft' }, { external_payment_obj_type: 'provider_z' }]) {
      expect((await patch(id, body).expect(400)).body.title).toBe('invalid_choice');
    }
  });

  it('decides whether a price that becomes lower leaves less to pay or a credit', async () => {
    const metricId = await shop.metric();
    const volume = await shop.plan('Volume', {
      components: [
        aComponentBody(metricId, {
          bulk_pricing_enabled: true,
          invoicing_interval_unit: 'week',
          invoicing_interval_count: 1,
          tiers: [
            { type: 'per_unit', range_start: 0, range_end: 10, cost_per_batch: 1, metric_units_per_batch: 1 },
            { type: 'per_unit', range_start: 10, cost_per_batch: 0.1, metric_units_per_batch: 1 },
          ],
        }),
      ],
    });
    const at = '2026-01-01T00:00:00Z';
    for (const customer of ['debtor', 'creditor']) {
      await shop.customer(customer);
      await shop.subscribe(customer, volume, '2026-01-01');
      await shop.use(...times(10, at).map((event) => ({ ...event, customer })));
    }
    await app.advance('2026-01-08T00:30:00Z');
    const [paid] = await shop.invoices('?customer_id=creditor');
    await patch(paid.invoice_id, { payment_status: 'paid' }).expect(200);
    for (const customer of ['debtor', 'creditor']) {
      await shop.use(...times(10, '2026-01-08T00:30:00Z').map((event) => ({ ...event, customer })));
    }
    await app.advance('2026-01-15T00:30:00Z');

    const [reduction, reduced] = await shop.invoices('?customer_id=debtor');
    expect(reduction).toMatchObject({ amount: 0, cost_due: 0, payment_status: 'paid' });
    expect(reduction.line_items).toMatchObject([
      { amount: -8 },
      { name: `Applied to ${reduced.invoice_number}`, amount: 8, billing_type: 'one_time' },
    ]);
    expect(reduced).toMatchObject({ amount: 10, cost_due: 2, payment_status: 'unpaid' });
    expect((await app.request.get('/api/credits/?customer_id=debtor').expect(200)).body).toEqual([]);

    const [given] = await shop.invoices('?customer_id=creditor');
    expect(given.line_items[1]).toMatchObject({ name: 'Granted Credit', amount: 8 });
    expect((await app.request.get('/api/credits/?customer_id=creditor').expect(200)).body).toMatchObject([
      { amount: 8, amount_remaining: 8, expires_at: null, status: 'active', description: 'Granted Credit' },
    ]);
  });

  it('a refund reduces unpaid invoices, also the one of a reversed fee that was netted, before it becomes a credit', async () => {
    const planOf = (name: string, amount: number) =>
      shop.plan(name, { recurring_charges: [aChargeBody({ amount, charge_behavior: 'prorate' })] });
    const [small, large] = [await planOf('Small', 30), await planOf('Large', 60)];
    await shop.customer('switcher');
    const { subscription_id: old } = await shop.subscribe('switcher', small, '2026-01-15');
    const switched = await app.request
      .post(`/api/subscriptions/${old}/switch_plan/`)
      .send({ switch_plan_id: large })
      .expect(200);
    const id = switched.body.subscription_id;
    await app.request
      .post(`/api/subscriptions/${id}/cancel/`)
      .send({ flat_fee_behavior: 'refund' })
      .expect(200);

    const invoices = await shop.invoices('?customer_id=switcher');
    const due = invoices.map(({ amount, cost_due: left }: Record<string, number>) => `${amount} ${left}`);
    expect(due.sort()).toEqual(['0 0', '29.98 0', '30 0.02']);
    expect((await app.request.get('/api/credits/?customer_id=switcher').expect(200)).body).toEqual([]);
    const refund = invoices.find(({ amount }: { amount: number }) => amount === 0);
    const numbers = invoices.map(({ invoice_number: number }: { invoice_number: string }) => number).sort();
    const { body: explained } = await app.request
      .get(`/api/invoices/${refund.invoice_id}/explain/`)
      .expect(200);
    expect(explained.lines.slice(-2)).toMatchObject([
      { rule: 'invoice_reduction', name: `Applied to ${numbers[1]}` },
      { rule: 'invoice_reduction', name: `Applied to ${numbers[0]}` },
    ]);
  });

  it('changes nothing that a recomputation finds', async () => {
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(7);
  });
});
