import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { addonFixtureOf, addonFee, type AddonFixture } from '../support/addon-fixture.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

describe('voiding invoices', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;
  let fixture: AddonFixture;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    fixture = addonFixtureOf(app);
    const metricId = await shop.metric();
    const tiers = perUnitTiers();
    planId = await shop.plan('Basic', {
      recurring_charges: [aChargeBody()],
      components: [aComponentBody(metricId, { tiers })],
    });
  });
  afterAll(() => app.stop());

  const billed = async (customer: string) => {
    await shop.customer(customer);
    const subscription = await shop.subscribe(customer, planId, '2026-01-01');
    const [invoice] = await shop.invoices(`?customer_id=${customer}`);
    return { invoice, subscriptionId: subscription.subscription_id as string };
  };
  const voided = (name: string, body: object = {}) =>
    app.request.post(`/api/invoices/${name}/void/`).send(body);
  const creditsOf = async (customer: string) =>
    (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body;
  const names = (invoice: { line_items: { name: string; amount: number }[] }) =>
    invoice.line_items.map(({ name, amount }) => [name, amount]);

  it('keeps the number and what was said, is in no list, and is owed nothing', async () => {
    const { invoice, subscriptionId } = await billed('keeper');
    const { body } = await voided(invoice.invoice_number).expect(200);
    expect(body).toEqual({ ...invoice, payment_status: 'voided', cost_due: 0 });
    expect(await shop.invoices('?customer_id=keeper')).toEqual([]);
    const one = await app.request.get(`/api/invoices/${invoice.invoice_id}/`).expect(200);
    expect(one.body).toEqual(body);
    expect(await shop.verify(invoice.invoice_id)).toMatchObject({ ok: true, differences: [] });
    const explained = await app.request.get(`/api/invoices/${invoice.invoice_id}/explain/`).expect(200);
    expect(explained.body.lines).toHaveLength(1);
    const history = await app.request.get(`/api/subscriptions/${subscriptionId}/history/`).expect(200);
    expect(history.body.events.at(-1)).toMatchObject({ type: 'InvoiceVoided' });
    expect((await voided(invoice.invoice_id).expect(400)).body.title).toBe('invalid_state');
    const patch = app.request.patch(`/api/invoices/${invoice.invoice_id}/`);
    expect((await patch.send({ payment_status: 'paid' }).expect(400)).body.title).toBe('invalid_state');
  });

  it('is billed again with the next boundary, once', async () => {
    const { invoice } = await billed('waiter');
    await voided(invoice.invoice_id).expect(200);
    const [draft] = await shop.drafts('waiter');
    expect(names(draft)).toEqual([
      ['platform fee', 30],
      ['requests', 0],
      ['platform fee', 30],
    ]);
  });

  it('is billed again at once with rebill, and not with the next boundary', async () => {
    const { invoice } = await billed('hasty');
    expect((await voided(invoice.invoice_id, { rebill: true }).expect(200)).body.payment_status).toBe(
      'voided',
    );
    const [again, ...others] = await shop.invoices('?customer_id=hasty');
    expect(others).toEqual([]);
    const own = { invoice_id: '', invoice_number: '', invoice_pdf: '' };
    expect({ ...again, ...own }).toEqual({ ...invoice, ...own });
    expect(again.invoice_number).not.toBe(invoice.invoice_number);
  });

  it('is refused for what is paid, and for what nobody knows', async () => {
    const { invoice } = await billed('payer');
    await app.request
      .patch(`/api/invoices/${invoice.invoice_id}/`)
      .send({ payment_status: 'paid' })
      .expect(200);
    expect((await voided(invoice.invoice_id).expect(400)).body.title).toBe('invalid_state');
    await voided('260101-000999').expect(404);
    await voided('x').expect(404);
    expect((await voided(invoice.invoice_id, { rebill: 'soon' }).expect(400)).body.title).toBe('invalid');
  });

  it('returns to credits what it drew from them', async () => {
    await shop.customer('creditor');
    const credit = { customer_id: 'creditor', amount: 12, currency_code: 'USD' };
    await app.request.post('/api/credits/').send(credit).expect(201);
    await shop.subscribe('creditor', planId, '2026-01-01');
    const [invoice] = await shop.invoices('?customer_id=creditor');
    expect(invoice).toMatchObject({ amount: 18, cost_due: 18 });
    expect(await creditsOf('creditor')).toMatchObject([
      { amount_remaining: 0, drawdowns: [{ amount: -12 }] },
    ]);
    await voided(invoice.invoice_id).expect(200);
    expect(await creditsOf('creditor')).toMatchObject([
      { amount_remaining: 12, status: 'active', drawdowns: [] },
    ]);
  });

  it('returns nothing to a credit whose purchase was voided after all of it was drawn', async () => {
    await shop.customer('returner');
    const bought = {
      customer_id: 'returner',
      amount: 12,
      currency_code: 'USD',
      amount_paid: 9,
      amount_paid_currency_code: 'USD',
    };
    await app.request.post('/api/credits/').send(bought).expect(201);
    await shop.subscribe('returner', planId, '2026-01-01');
    const issued = await shop.invoices('?customer_id=returner');
    const [fee, purchase] = [18, 9].map((amount) =>
      issued.find((one: { amount: number }) => one.amount === amount)!,
    );
    await voided(purchase!.invoice_id).expect(200);
    await voided(fee!.invoice_id, { rebill: true }).expect(200);
    expect(await creditsOf('returner')).toMatchObject([
      { amount: 12, amount_remaining: 0, status: 'inactive' },
    ]);
    const [again] = await shop.invoices('?customer_id=returner');
    expect(again).toMatchObject({ amount: 30 });
    expect(await shop.verify(again!.invoice_id)).toMatchObject({ ok: true, differences: [] });
  });

  it('that sold a credit voids what is left of it', async () => {
    await shop.customer('buyer');
    const bought = {
      customer_id: 'buyer',
      amount: 40,
      currency_code: 'USD',
      amount_paid: 35,
      amount_paid_currency_code: 'USD',
    };
    await app.request.post('/api/credits/').send(bought).expect(201);
    const [sale] = await shop.invoices('?customer_id=buyer');
    await shop.subscribe('buyer', planId, '2026-01-01');
    await voided(sale.invoice_id).expect(200);
    expect(await creditsOf('buyer')).toMatchObject([
      { amount_remaining: 0, status: 'inactive', drawdowns: [{ amount: -30 }] },
    ]);
  });

  it('of an add-on is billed again too', async () => {
    const addonId = await fixture.addon({ recurring_charges: addonFee() });
    await fixture.subscribed('void', planId, '2026-01-01');
    await fixture.attach(addonId);
    const ofAddon = async () =>
      (await fixture.invoices()).filter(({ line_items: [line] }) => line.name === 'support');
    const [attached] = await ofAddon();
    await voided(attached.invoice_id, { rebill: true }).expect(200);
    const [again, ...others] = await ofAddon();
    expect(others).toEqual([]);
    expect(again.invoice_id).not.toBe(attached.invoice_id);
    expect(names(again)).toEqual([['support', 10]]);
  });

  it('of a cancelled subscription is billed again within the hour', async () => {
    const { invoice, subscriptionId } = await billed('leaver');
    await app.advance('2026-01-01T12:00:00Z');
    await app.request
      .post(`/api/subscriptions/${subscriptionId}/cancel/`)
      .send({ flat_fee_behavior: 'charge_full' })
      .expect(200);
    await voided(invoice.invoice_id).expect(200);
    const one = () => app.request.get(`/api/subscriptions/${subscriptionId}/`).expect(200);
    expect((await one()).body.fully_billed).toBe(false);
    await app.advance('2026-01-01T13:00:00Z');
    expect(await shop.invoices('?customer_id=leaver')).toMatchObject([{ amount: 30 }]);
    expect((await one()).body.fully_billed).toBe(true);
  });

  it('waits for the end of its term, also where nothing else falls due', async () => {
    const feeOnly = await shop.plan('Fee only');
    await shop.customer('patient');
    await shop.subscribe('patient', feeOnly, '2026-01-01');
    const [invoice] = await shop.invoices('?customer_id=patient');
    await voided(invoice.invoice_id).expect(200);
    await app.advance('2026-01-01T15:00:00Z');
    expect(await shop.invoices('?customer_id=patient')).toEqual([]);
    expect(names((await shop.drafts('patient'))[0])).toEqual([
      ['platform fee', 30],
      ['platform fee', 30],
    ]);
  });

  it('comes back with the boundary, and long after its term was settled', async () => {
    await shop.use(...times(5, '2026-01-01T12:30:00Z').map((event) => ({ ...event, customer: 'waiter' })));
    await app.advance('2026-02-01T00:30:00Z');
    const [february] = await shop.invoices('?customer_id=waiter');
    expect(names(february)).toEqual([
      ['platform fee', 30],
      ['requests', 5],
      ['platform fee', 30],
    ]);
    await app.advance('2026-04-01T00:30:00Z');
    await voided(february.invoice_id).expect(200);
    await app.advance('2026-05-01T00:30:00Z');
    const [may, april, march, ...others] = await shop.invoices('?customer_id=waiter');
    expect(others).toEqual([]);
    expect([march, april].map(({ amount }) => amount)).toEqual([30, 30]);
    expect(names(may).filter(([, amount]) => amount !== 0)).toEqual([
      ['platform fee', 30],
      ['requests', 5],
      ['platform fee', 30],
      ['platform fee', 30],
    ]);
    await app.advance('2026-06-01T00:30:00Z');
    expect((await shop.invoices('?customer_id=waiter'))[0]).toMatchObject({ amount: 30 });
  });

  it('of a settled term is billed again alone: usage that another invoice counted gets no second count and no line', async () => {
    await shop.customer('counted');
    const { subscription_id: id } = await shop.subscribe('counted', planId, '2026-06-01');
    await shop.use(...times(5, '2026-06-01T00:20:00Z').map((event) => ({ ...event, customer: 'counted' })));
    await app.advance('2026-08-01T00:30:00Z');
    const june = (await shop.invoices('?customer_id=counted')).at(-1);
    await voided(june.invoice_id, { rebill: true }).expect(200);
    const [again] = await shop.invoices('?customer_id=counted');
    expect(names(again)).toEqual([['platform fee', 30]]);
    expect(await shop.verify(again.invoice_id)).toMatchObject({ ok: true, differences: [] });
    const explained = await app.request.get(`/api/invoices/${again.invoice_id}/explain/`).expect(200);
    expect(explained.body.lines).toHaveLength(1);
    const history = await app.request.get(`/api/subscriptions/${id}/history/`).expect(200);
    const types = history.body.events.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'UsagePeriodClosed')).toHaveLength(1);
  });

  it('is billed again by a run that was planned for an end that has moved since', async () => {
    await app.advance('2026-08-01T00:30:00Z');
    await shop.customer('mover');
    const { subscription_id: id } = await shop.subscribe('mover', planId, '2026-08-01', {
      end_date: '2026-08-20T00:00:00Z',
      auto_renew: false,
    });
    const [invoice] = await shop.invoices('?customer_id=mover');
    const later = app.request.post(`/api/subscriptions/${id}/update/`);
    await later.send({ end_date: '2026-09-20T00:00:00Z' }).expect(200);
    await voided(invoice.invoice_id).expect(200);
    await app.advance('2026-08-19T00:30:00Z');
    expect(await shop.invoices('?customer_id=mover')).toEqual([]);
    await app.advance('2026-08-20T00:30:00Z');
    const again = await shop.invoices('?customer_id=mover');
    expect(again.flatMap(names).map(([name]: [string]) => name)).toEqual(['platform fee']);
  });

  it('makes a cancelled add-on that it had billed due again', async () => {
    const addonId = await fixture.addon({ recurring_charges: addonFee() });
    await fixture.subscribed('with an add-on', planId, '2026-08-20');
    await fixture.attach(addonId);
    const { invoice_id: invoiceId } = await fixture.newest();
    await app.advance('2026-08-23T00:30:00Z');
    await fixture.cancel(addonId, { invoicing_behavior: 'invoice_now' });
    expect((await fixture.shown()).addons).toMatchObject([{ fully_billed: true }]);
    await voided(invoiceId).expect(200);
    expect((await fixture.shown()).addons).toMatchObject([{ fully_billed: false }]);
  });

  it('changes nothing that a recomputation finds', async () => {
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(20);
  });
});
