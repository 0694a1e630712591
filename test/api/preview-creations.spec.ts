import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  aChargeBody,
  aComponentBody,
  anAddonBody,
  perUnitTiers,
} from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const NOW = '2026-03-11T00:00:00Z';
const PER_UNIT = perUnitTiers();

interface Invoice {
  readonly invoice_id: string;
  readonly issue_date: string;
  readonly payment_status: string;
  readonly amount: number;
  readonly line_items: readonly {
    readonly name: string;
    readonly amount: number;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
}

/** Tests docs/contract.md#previews: the invoice of a preview is the invoice that the operation makes. */
describe('a preview of a new subscription', () => {
  let app: TestApp;
  let shop: Shop;
  let metric: string;
  const plans: Record<string, string> = {};

  /** Customer, plan, request, and number of lines that are invoiced at once. */
  const CASES: readonly (readonly [string, string, object, number])[] = [
    ['from now on', 'in advance', { start_date: NOW }, 1],
    ['from the middle of a period', 'in advance', { start_date: '2026-03-05T00:00:00Z' }, 1],
    ['with renewals up to now', 'in advance', { start_date: '2026-01-01T00:00:00Z' }, 5],
    ['renewed after usage', 'in arrears', { start_date: '2026-02-01T00:00:00Z' }, 2],
    ['in arrears', 'in arrears', { start_date: NOW }, 0],
    ['later', 'in advance', { start_date: '2026-04-01T00:00:00Z' }, 0],
    ['to a set end', 'full', { start_date: '2026-03-01T00:00:00Z', end_date: '2026-03-21T00:00:00Z' }, 1],
    ['without renewal', 'full', { start_date: '2026-03-01T00:00:00Z', auto_renew: false }, 1],
  ];
  const seen = ({ amount, line_items, issue_date }: Invoice) => ({ amount, line_items, issue_date });

  const subscribe = (customer: string, plan: string, body: object, query = '') =>
    app.request
      .post(`/api/subscriptions/${query}`)
      .send({ customer_id: customer, plan_id: plans[plan], ...body });

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-02-25T00:00:00Z' });
    shop = shopOf(app);
    metric = await shop.metric();
    const components = [aComponentBody(metric, { tiers: PER_UNIT })];
    for (const [name, charge] of [
      ['in advance', { charge_timing: 'in_advance', charge_behavior: 'prorate' }],
      ['in arrears', { charge_timing: 'in_arrears', charge_behavior: 'prorate' }],
      ['full', { charge_timing: 'in_advance', charge_behavior: 'full' }],
    ] as const) {
      plans[name] = await shop.plan(name, { recurring_charges: [aChargeBody(charge)], components });
    }
    const prepaid = { prepaid_charge: { units: 5, charge_behavior: 'prorate' } };
    plans['prepaid'] = await shop.plan('prepaid', {
      recurring_charges: [],
      components: [aComponentBody(metric, { tiers: PER_UNIT, ...prepaid })],
    });
    for (const [customer] of CASES) {
      await shop.customer(customer);
      await shop.use(...times(3, '2026-02-24T00:00:00Z').map((event) => ({ ...event, customer })));
    }
    await app.advance(NOW);
  });
  afterAll(() => app.stop());

  it.each(CASES)('%s is the invoice of its creation', async (customer, plan, body, lines) => {
    const { rows: log } = await app.pool.query('select count(*) from events');
    const preview = await subscribe(customer, plan, body, '?preview=true').expect(201);
    expect(Object.keys(preview.body)).toEqual(['invoices']);
    expect((await app.pool.query('select count(*) from events')).rows).toEqual(log);

    await subscribe(customer, plan, body).expect(201);
    const issued = await shop.invoices(`?customer_id=${encodeURIComponent(customer)}`);
    expect(preview.body.invoices.map(seen)).toEqual(issued.map(seen));
    expect(issued.flatMap(({ line_items }: Invoice) => line_items)).toHaveLength(lines);
    for (const draft of preview.body.invoices) expect(draft).toMatchObject({ payment_status: 'draft' });
  });

  it('has what else the account owes, and prepaid units', async () => {
    const [customer] = CASES[0]!;
    const [running] = (
      await app.request.get(`/api/subscriptions/?customer_id=${encodeURIComponent(customer)}`)
    ).body;
    await app.advance('2026-03-21T00:00:00Z');
    const body = { flat_fee_behavior: 'charge_full', invoicing_behavior: 'add_to_next_invoice' };
    await app.request.post(`/api/subscriptions/${running.subscription_id}/cancel/`).send(body).expect(200);
    await app.request.post('/api/credits/').send({
      customer_id: customer,
      amount: 2,
      currency_code: 'USD',
      description: 'welcome',
    });
    const asked = {
      start_date: '2026-03-21T00:00:00Z',
      component_fixed_charges_initial_units: [{ metric_id: metric, units: 7 }],
    };
    const had = await shop.invoices(`?customer_id=${encodeURIComponent(customer)}`);
    const preview = await subscribe(customer, 'prepaid', asked, '?preview=true').expect(201);
    await subscribe(customer, 'prepaid', asked).expect(201);
    const [issued, ...others] = await shop.invoices(`?customer_id=${encodeURIComponent(customer)}`);
    expect(others).toEqual(had);
    expect(preview.body.invoices.map(seen)).toEqual([seen(issued)]);
    expect(issued.line_items.length).toBeGreaterThan(1);
  });

  it('is refused as the creation would be', async () => {
    const refusals = async (customer: string, plan: string, body: object) =>
      Promise.all(
        ['', '?preview=true'].map(async (query) => {
          const { body: answer } = await subscribe(customer, plan, body, query).expect(400);
          return { ...answer, instance: undefined, request_id: undefined };
        }),
      );
    for (const [customer, body] of [
      ['nobody', { start_date: NOW }],
      ['renewed after usage', { start_date: NOW }],
      ['in arrears', { start_date: NOW, end_date: '2026-03-01T00:00:00Z' }],
    ] as const) {
      const [refused, previewed] = await refusals(customer, 'in arrears', body);
      expect(previewed).toEqual(refused);
    }
  });

  it('changes nothing that a recomputation finds', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(CASES.length - 3);
  });
});

describe('a preview of an operation on existing resources', () => {
  let app: TestApp;
  let shop: Shop;
  const subscriptions = new Map<string, string>();
  const addons = new Map<string, string>();

  /** Each attachment of an add-on gets a new id, so the comparison leaves it out. */
  const seen = ({ amount, line_items }: Invoice) => ({
    amount,
    line_items: line_items.map(({ metadata: { addon_subscription_id: _, ...metadata }, ...line }) => ({
      ...line,
      metadata,
    })),
  });
  const invoicesOf = (customer: string) => shop.invoices(`?customer_id=${encodeURIComponent(customer)}`);
  const attach = (customer: string, addon: string, query = '') =>
    app.request
      .post(`/api/subscriptions/${subscriptions.get(customer)}/addons/attach/${query}`)
      .send({ addon_id: addons.get(addon), quantity: 2 });
  const voided = (invoice: Invoice, rebill: boolean, query = '') =>
    app.request.post(`/api/invoices/${invoice.invoice_id}/void/${query}`).send({ rebill });

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const metric = await shop.metric();
    const plan = await shop.plan('Plan', {
      components: [aComponentBody(metric, { tiers: PER_UNIT })],
    });
    for (const customer of ['at once', 'every month', 'at the end', 'void', 'void settled', 'void later']) {
      await shop.customer(customer);
      subscriptions.set(customer, (await shop.subscribe(customer, plan, '2026-01-01')).subscription_id);
    }
    for (const [name, version] of [
      ['at once', { invoice_when: 'invoice_on_attach' }],
      ['every month', { invoice_when: 'invoice_on_attach', billing_frequency: 'recurring' }],
      ['at the end', { invoice_when: 'invoice_on_subscription_end', billing_frequency: 'recurring' }],
    ] as const) {
      const { body } = await app.request.post('/api/addons/').send(anAddonBody(name, version)).expect(201);
      addons.set(name, body.addon_id);
    }
    await app.advance('2026-01-11T00:00:00Z');
    for (const customer of subscriptions.keys()) {
      await shop.use(...times(3, '2026-01-05T00:00:00Z').map((event) => ({ ...event, customer })));
    }
  });
  afterAll(() => app.stop());

  it.each(['at once', 'every month'])('an add-on invoiced on attachment, %s', async (name) => {
    const had = await invoicesOf(name);
    const preview = await attach(name, name, '?preview=true').expect(201);
    expect(await invoicesOf(name)).toEqual(had);
    await attach(name, name).expect(201);
    const [issued, ...others] = await invoicesOf(name);
    expect(others).toEqual(had);
    expect(preview.body.invoices.map(seen)).toEqual([seen(issued)]);
    expect((await attach(name, name, '?preview=true').expect(400)).body.title).toBe('overlapping_plans');
  });

  it('an add-on that the next invoice has', async () => {
    const preview = await attach('at the end', 'at the end', '?preview=true').expect(201);
    await attach('at the end', 'at the end').expect(201);
    expect((await shop.drafts('at the end')).map(seen)).toEqual(preview.body.invoices.map(seen));
    expect(preview.body.invoices).toHaveLength(1);
  });

  it('a void that bills again at once, also of a settled term and with a credit since', async () => {
    const settled = subscriptions.get('void settled');
    const ending = { flat_fee_behavior: 'charge_full', usage_behavior: 'bill_full' };
    await app.request.post(`/api/subscriptions/${settled}/cancel/`).send(ending).expect(200);
    for (const customer of ['void', 'void settled']) {
      const credit = { customer_id: customer, amount: 4, currency_code: 'USD' };
      await app.request.post('/api/credits/').send(credit).expect(201);
      const had = await invoicesOf(customer);
      const [last] = had;
      const { rows: log } = await app.pool.query('select count(*) from events');
      const preview = await voided(last, true, '?preview=true').expect(200);
      expect(Object.keys(preview.body)).toEqual(['invoices']);
      expect((await app.pool.query('select count(*) from events')).rows).toEqual(log);
      await voided(last, true).expect(200);
      const ids = new Set(had.map(({ invoice_id }: Invoice) => invoice_id));
      const issued = (await invoicesOf(customer)).filter(({ invoice_id }: Invoice) => !ids.has(invoice_id));
      expect(preview.body.invoices.map(seen)).toEqual(issued.map(seen));
      expect(issued).toHaveLength(1);
      expect((await voided(last, true, '?preview=true').expect(400)).body.title).toBe('invalid_state');
    }
  });

  it('a void whose amounts wait for the next invoice', async () => {
    const [last] = await invoicesOf('void later');
    const preview = await voided(last, false, '?preview=true').expect(200);
    await voided(last, false).expect(200);
    expect((await shop.drafts('void later')).map(seen)).toEqual(preview.body.invoices.map(seen));
    expect(preview.body.invoices).toHaveLength(1);
    await app.request.post('/api/invoices/none/void/?preview=true').send({}).expect(404);
  });

  it('changes nothing that a recomputation finds', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(6);
  });
});
