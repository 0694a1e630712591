import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { pagesOf } from '../support/answers.js';
import { aChargeBody, aComponentBody, aPlanBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const ADDRESS = {
  city: 'Gdańsk',
  country: 'PL',
  line1: 'ul. Długa 1',
  line2: null,
  postal_code: '80-001',
  state: null,
};

describe('invoices', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;
  let january: { invoice_id: string; invoice_number: string };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    await app.request
      .patch('/api/organization/')
      .send({
        organization_name: 'Seller',
        address: ADDRESS,
        email: 'billing@seller.test',
        tax_rate: 10,
        payment_grace_period: 14,
      })
      .expect(200);
    const metricId = await shop.metric();
    planId = await shop.plan('Basic', {
      recurring_charges: [aChargeBody()],
      components: [aComponentBody(metricId)],
    });
    await shop.customer('acme', { email: 'acme@example.test', address: ADDRESS });
    await shop.customer('idle');
    await shop.subscribe('acme', planId, '2026-01-01', {
      subscription_filters: [{ property_name: 'region', value: 'eu' }],
    });
    await shop.use(...times(101, '2026-01-01T00:00:00Z', { region: 'eu' }));
    await app.advance('2026-02-01T00:30:00Z');
    january = (await shop.invoices())[0];
  });
  afterAll(() => app.stop());

  it('show every field of the contract', async () => {
    const [closing] = await shop.invoices();
    const plan = {
      plan_name: 'Basic',
      plan_id: planId,
      version_id: expect.stringMatching(/^plan_version_[0-9a-f]{32}$/),
      version: 1,
    };
    const filters = [{ property_name: 'region', value: 'eu' }];
    expect(closing).toEqual({
      invoice_id: expect.stringMatching(/^invoice_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      invoice_number: '260201-000001',
      cost_due: 33.55,
      amount: 33.55,
      currency: { code: 'USD', name: 'US Dollar', symbol: '$' },
      issue_date: '2026-02-01T00:30:00Z',
      due_date: '2026-02-15T00:30:00Z',
      start_date: '2026-01-01',
      end_date: '2026-02-28',
      payment_status: 'unpaid',
      external_payment_obj_id: null,
      external_payment_obj_type: null,
      external_payment_obj_status: null,
      line_items: [
        {
          name: 'requests',
          start_date: '2026-01-01T00:00:00Z',
          end_date: '2026-01-31T23:59:59.999999Z',
          quantity: 101,
          billing_type: 'in_arrears',
          metadata: {},
          plan,
          subscription_filters: filters,
          base: 0.5,
          adjustments: [{ amount: '0.05', account: '41100', adjustment_type: 'sales_tax' }],
          subtotal: 0.5,
          amount: 0.55,
        },
        {
          name: 'platform fee',
          start_date: '2026-02-01T00:00:00Z',
          end_date: '2026-02-28T23:59:59.999999Z',
          quantity: 1,
          billing_type: 'in_advance',
          metadata: {},
          plan,
          subscription_filters: filters,
          base: 30,
          adjustments: [{ amount: '3.00', account: '41100', adjustment_type: 'sales_tax' }],
          subtotal: 30,
          amount: 33,
        },
      ],
      customer: {
        customer_id: 'acme',
        customer_name: 'acme Inc',
        email: 'acme@example.test',
        address: ADDRESS,
      },
      seller: { name: 'Seller', address: ADDRESS, phone: null, email: 'billing@seller.test' },
      invoice_pdf: expect.stringContaining('/pdf/?org=org_'),
    });
  });

  it('name the seller as registered, as their PDF does', async () => {
    await app.request.patch('/api/organization/').send({ legal_name: 'Seller Ltd' }).expect(200);
    const { body } = await app.request.get(`/api/invoices/${january.invoice_id}/`).expect(200);
    expect(body.seller.name).toBe('Seller Ltd');
    await app.request.patch('/api/organization/').send({ legal_name: null }).expect(200);
  });

  it('come newest issue date first', async () => {
    const numbers = (await shop.invoices()).map((invoice: typeof january) => invoice.invoice_number);
    expect(numbers).toEqual(['260201-000001', '260101-000001']);
  });

  it('are read by id and by number', async () => {
    const { body } = await app.request.get(`/api/invoices/${january.invoice_id}/`).expect(200);
    expect(body).toEqual(january);
    const bare = january.invoice_id.replace('invoice_', '');
    for (const name of [bare, bare.replaceAll('-', ''), january.invoice_number]) {
      expect((await app.request.get(`/api/invoices/${name}`).expect(200)).body).toEqual(january);
    }
  });

  it('an unknown id or number, and what can be neither, is not found', async () => {
    for (const name of ['invoice_00000000-0000-4000-8000-000000000000', '260101-000099', 'nonsense']) {
      const { body } = await app.request.get(`/api/invoices/${name}/`).expect(404);
      expect(body.title).toBe('not_found');
      await app.request.post(`/api/invoices/${name}/verify/`).expect(404);
    }
  });

  it("another tenant's invoices are as unknown as those that do not exist", async () => {
    const other = await anotherTenant(app);
    expect((await other.request.get('/api/invoices/').expect(200)).body).toEqual([]);
    for (const name of [january.invoice_id, january.invoice_number]) {
      await other.request.get(`/api/invoices/${name}/`).expect(404);
      await other.request.post(`/api/invoices/${name}/verify/`).expect(404);
    }
  });

  it('are filtered by customer; an unknown one is an error of the query', async () => {
    expect(await shop.invoices('?customer_id=acme')).toHaveLength(2);
    expect(await shop.invoices('?customer_id=idle')).toEqual([]);
    const { body } = await app.request.get('/api/invoices/?customer_id=nobody').expect(400);
    expect(body.validation_errors).toMatchObject([{ code: 'does_not_exist', attr: 'customer_id' }]);
  });

  it('status and payment_status are one filter, in every encoding of a list', async () => {
    const unpaid = ['status=unpaid', 'payment_status=unpaid', 'status[]=unpaid', 'status[0]=unpaid'];
    for (const query of [...unpaid, 'status=unpaid,paid', 'status=paid&payment_status[]=unpaid', '']) {
      expect(await shop.invoices(`?${query}`)).toHaveLength(2);
    }
    expect(await shop.invoices('?status=paid')).toEqual([]);
  });

  it('overdue lists unpaid ones whose due date is past by the clock of the organization', async () => {
    const [overdue, ...others] = await shop.invoices('?overdue=true');
    expect(overdue).toMatchObject({ invoice_number: '260101-000001', due_date: '2026-01-15T00:00:00Z' });
    expect(others).toEqual([]);
    for (const query of ['overdue=true&status=paid', 'overdue=true&as_of=2026-01-10T00:00:00Z'])
      expect(await shop.invoices(`?${query}`)).toEqual([]);
  });

  it('are filtered by issue date, both ends included, by number and by currency', async () => {
    const numbersOf = async (query: string) =>
      (await shop.invoices(`?${query}`)).map((invoice: typeof january) => invoice.invoice_number);
    const [february, first] = ['260201-000001', '260101-000001'];
    expect(await numbersOf('issued_after=2026-02-01T00:30:00Z')).toEqual([february]);
    expect(await numbersOf('issued_after=2026-02-01T00:30:00.000001Z')).toEqual([]);
    expect(await numbersOf('issued_before=2026-02-01T00:30:00Z')).toEqual([february, first]);
    expect(await numbersOf('issued_before=2026-02-01T00:29:59Z')).toEqual([first]);
    expect(await numbersOf('issued_after=2026-01-01&issued_before=2026-01-02')).toEqual([first]);
    expect(await numbersOf(`invoice_number=${first}`)).toEqual([first]);
    expect(await numbersOf('invoice_number=260101-000099')).toEqual([]);
    expect(await numbersOf('currency_code=usd&limit=1')).toEqual([february]);
    expect(await numbersOf('currency_code=EUR')).toEqual([]);
    const { body } = await app.request
      .get('/api/invoices/?issued_after=soon&currency_code=XXQ&invoice_number=')
      .expect(400);
    expect(body.validation_errors).toMatchObject([
      { code: 'does_not_exist', attr: 'currency_code' },
      { code: 'blank', attr: 'invoice_number' },
      { code: 'invalid', attr: 'issued_after' },
    ]);
  });

  it('drafts and voided ones cannot be asked for', async () => {
    for (const query of ['status=draft', 'payment_status=voided', 'status=paid,nonsense']) {
      const { body } = await app.request.get(`/api/invoices/?${query}`).expect(400);
      expect(body.title).toBe('invalid_choice');
    }
  });

  it('are paged by a link', async () => {
    const { body: first, headers } = await app.request.get('/api/invoices/?limit=1').expect(200);
    const next = /^<(.+)>; rel="next"$/.exec(headers['link']!)![1]!.replace(app.url, '');
    const { body: second, headers: last } = await app.request.get(next).expect(200);
    expect([...first, ...second]).toEqual(await shop.invoices());
    expect(last['link']).toBeUndefined();
    await app.request.get('/api/invoices/?limit=1001').expect(400);
  });

  it('of one instant come by number, the highest first, across pages', async () => {
    const other = await anotherTenant(app);
    const ids = ['one', 'two', 'three', 'four', 'five'];
    const flat = await other.request
      .post('/api/plans/')
      .send(aPlanBody('Flat', { recurring_charges: [aChargeBody()] }))
      .expect(201);
    for (const customer_id of ids) {
      await other.request.post('/api/customers/').send({ customer_id }).expect(201);
      const term = { customer_id, plan_id: flat.body.plan_id, start_date: '2026-01-01' };
      await other.request.post('/api/subscriptions/').send(term).expect(201);
    }
    const pages = await pagesOf<typeof january>(other.request, '/api/invoices/?limit=2');
    expect(pages.map((page) => page.map((invoice) => invoice.invoice_number.slice(-1)))).toEqual([
      ['5', '4'],
      ['3', '2'],
      ['1'],
    ]);
  });

  it('an end that somebody set is shown as that instant', async () => {
    await shop.customer('brief');
    await shop.subscribe('brief', planId, '2026-02-01', { end_date: '2026-02-10T12:00:00Z' });
    const [invoice] = await shop.invoices('?customer_id=brief');
    expect(invoice.line_items[0].end_date).toBe('2026-02-10T12:00:00Z');
    expect(invoice.end_date).toBe('2026-02-10');
  });

  it('values that are no numbers, and a negative total, are noted on the line', async () => {
    const metricId = await shop.metric({
      metric_name: 'bytes',
      aggregation_type: 'sum',
      property_name: 'bytes',
    });
    const bytes = await shop.plan('Bytes', { components: [aComponentBody(metricId)] });
    const noteOf = async (customer: string, values: unknown[]) => {
      await shop.customer(customer);
      await shop.subscribe(customer, bytes, '2026-02-01');
      const at = '2026-02-01T00:10:00Z';
      await shop.use(...values.map((value) => ({ customer, at, properties: { bytes: value } })));
      return async () => {
        const [{ line_items: lines }] = await shop.invoices(`?customer_id=${customer}`);
        const [{ quantity, amount, metadata }] = lines;
        return { quantity, amount, metadata };
      };
    };
    const noisy = await noteOf('noisy', [2000, 'many']);
    const negative = await noteOf('negative', [-5]);
    await app.advance('2026-03-01T00:30:00Z');
    expect(await noisy()).toEqual({ quantity: 2000, amount: 1.1, metadata: { absent_values: 1 } });
    expect(await negative()).toEqual({ quantity: -5, amount: 0, metadata: { rated_quantity: 0 } });
  });

  it('an invoice that an adjustment takes to 0 is paid at issue', async () => {
    const adjustment = {
      price_adjustment_name: 'free',
      price_adjustment_type: 'percentage',
      price_adjustment_amount: -100,
    };
    const free = await shop.plan('Free', { price_adjustment: adjustment });
    await shop.customer('guest');
    await shop.subscribe('guest', free, '2026-03-01');
    const [invoice] = await shop.invoices('?status=paid');
    expect(invoice).toMatchObject({
      amount: 0,
      cost_due: 0,
      payment_status: 'paid',
      customer: { customer_id: 'guest' },
    });
    expect(invoice.line_items[0]).toMatchObject({
      base: 30,
      adjustments: [{ amount: '-30.00', account: '21000', adjustment_type: 'plan_adjustment' }],
      subtotal: 0,
    });
    expect(await shop.invoices('?status=unpaid')).not.toContainEqual(invoice);
  });

  it('are computed again from the log, and come out the same', async () => {
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(6);
  });
});
