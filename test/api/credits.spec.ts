import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const USD = { code: 'USD', name: 'US Dollar', symbol: '$' };

describe('credits', () => {
  let app: TestApp;
  let shop: Shop;
  let planId: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    planId = await shop.plan('Basic', { recurring_charges: [aChargeBody({ amount: 25 })] });
    await shop.customer('acme');
  });
  afterAll(() => app.stop());

  const aCredit = (changes: object = {}) => ({
    customer_id: 'acme',
    amount: 100,
    currency_code: 'USD',
    description: 'promo',
    expires_at: '2026-03-01T00:00:00Z',
    ...changes,
  });
  const grant = async (changes: object = {}) =>
    (await app.request.post('/api/credits/').send(aCredit(changes)).expect(201)).body;
  const refused = async (changes: object) =>
    (await app.request.post('/api/credits/').send(aCredit(changes)).expect(400)).body;
  const read = async (id: string) => (await app.request.get(`/api/credits/${id}/`).expect(200)).body;
  const list = async (query: string) => (await app.request.get(`/api/credits/?${query}`).expect(200)).body;

  it('show every field of the contract, and a free one makes no invoice', async () => {
    const credit = await grant();
    expect(credit).toEqual({
      credit_id: expect.stringMatching(/^credit_[0-9a-f]{32}$/),
      customer: { customer_id: 'acme', customer_name: 'acme Inc', email: null },
      amount: 100,
      amount_remaining: 100,
      currency: USD,
      description: 'promo',
      effective_at: '2026-01-01T00:00:00Z',
      expires_at: '2026-03-01T00:00:00Z',
      status: 'active',
      amount_paid: 0,
      amount_paid_currency: null,
      drawdowns: [],
    });
    expect(await read(credit.credit_id)).toEqual(credit);
    expect(await shop.invoices()).toEqual([]);
    await app.request.post(`/api/credits/${credit.credit_id}/void/`).expect(200);
  });

  it('are refused with the field at fault', async () => {
    const before = await list('customer_id=acme');
    const faults: [object, string, string][] = [
      [{ amount: 0 }, 'min_value', 'amount'],
      [{ amount: -5 }, 'min_value', 'amount'],
      [{ amount: 1.001 }, 'invalid', 'amount'],
      [{ amount: 10_000_000_000 }, 'max_value', 'amount'],
      [{ amount: 9_999_999_999.99999 }, 'invalid', 'amount'],
      [{ currency_code: 'ZZZ' }, 'does_not_exist', 'currency_code'],
      [{ customer_id: 'nobody' }, 'does_not_exist', 'customer_id'],
      [{ expires_at: '2026-01-01T00:00:00Z' }, 'invalid', 'expires_at'],
      [{ effective_at: '2026-04-01' }, 'invalid', 'expires_at'],
      [{ amount_paid: 5 }, 'required', 'amount_paid_currency_code'],
      [{ amount_paid: -5, amount_paid_currency_code: 'USD' }, 'min_value', 'amount_paid'],
    ];
    for (const [changes, code, attr] of faults) {
      const { title, validation_errors: errors } = await refused(changes);
      expect({ title, errors }).toMatchObject({ title: code, errors: [{ code, attr }] });
    }
    // No double is between this amount and the limit.
    expect(await refused({ amount: '9999999999.9999999' })).toMatchObject({
      validation_errors: [
        {
          code: 'max_value',
          detail:
            'The number is too large, or has too many decimals so near to the limit. Give at most 9999999999.999999.',
        },
      ],
    });
    expect(await refused({ amount_paid: 5, amount_paid_currency_code: 'EUR' })).toMatchObject({
      title: 'invalid_operation',
    });
    expect(await list('customer_id=acme')).toEqual(before);
  });

  it('that are sold are on an unpaid invoice of their own, to which nothing else applies', async () => {
    await shop.customer('buyer', { tax_rate: 10 });
    await grant({ customer_id: 'buyer', amount: 7 });
    const sold = await grant({
      customer_id: 'buyer',
      amount_paid: 50,
      amount_paid_currency_code: 'usd',
      expires_at: null,
    });
    expect(sold).toMatchObject({
      amount: 100,
      amount_remaining: 100,
      amount_paid: 50,
      amount_paid_currency: USD,
      expires_at: null,
    });
    const [invoice, ...others] = await shop.invoices('?customer_id=buyer');
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      amount: 50,
      cost_due: 50,
      payment_status: 'unpaid',
      start_date: '2026-01-01',
      end_date: '2026-01-01',
      line_items: [
        {
          name: 'Credit purchase',
          billing_type: 'one_time',
          base: 50,
          adjustments: [],
          amount: 50,
          plan: null,
        },
      ],
    });
  });

  it('are drawn by invoices, with the drawdown on the credit and a line on the invoice', async () => {
    await shop.customer('saver');
    const { credit_id: id } = await grant({ customer_id: 'saver' });
    await shop.subscribe('saver', planId, '2026-01-01');
    const [invoice] = await shop.invoices('?customer_id=saver');
    expect(invoice).toMatchObject({ amount: 0, cost_due: 0, payment_status: 'paid' });
    expect(invoice.line_items[1]).toMatchObject({
      name: 'Applied Credit',
      quantity: null,
      plan: null,
      subscription_filters: null,
      amount: -25,
      adjustments: [{ amount: '-25.00', adjustment_type: 'credit' }],
    });
    expect(await read(id)).toMatchObject({
      amount: 100,
      amount_remaining: 75,
      status: 'active',
      drawdowns: [
        {
          credit_id: id,
          amount: -25,
          applied_at: '2026-01-01T00:00:00Z',
          description: `Applied to ${invoice.invoice_id}`,
        },
      ],
    });
    const [draft] = await shop.drafts('saver');
    expect(draft).toMatchObject({ amount: 0, issue_date: '2026-02-01T00:30:00Z' });
  });

  it('of another currency are not drawn', async () => {
    await shop.customer('euro');
    await grant({ customer_id: 'euro', currency_code: 'EUR' });
    await shop.subscribe('euro', planId, '2026-01-01');
    expect(await shop.invoices('?customer_id=euro')).toMatchObject([
      { amount: 25, payment_status: 'unpaid' },
    ]);
  });

  it('change their words and their expiry, also from a form; null clears the expiry', async () => {
    const credit = await grant();
    const update = (body: object) => app.request.post(`/api/credits/${credit.credit_id}/update/`).send(body);
    expect((await update({ description: 'new' }).expect(200)).body).toEqual({
      ...credit,
      description: 'new',
    });
    const later = await update({ expires_at: '2026-06-01T00:00:00Z' }).type('form').expect(200);
    expect(later.body).toMatchObject({ description: 'new', expires_at: '2026-06-01T00:00:00Z' });
    expect((await update({ expires_at: null }).expect(200)).body.expires_at).toBeNull();
    const form = await app.request
      .post(`/api/credits/${credit.credit_id}/update/`)
      .field('description', 'of parts')
      .expect(200);
    expect(form.body).toEqual({ ...credit, description: 'of parts', expires_at: null });
    expect((await update({ expires_at: '2025-06-01' }).expect(400)).body).toMatchObject({
      title: 'invalid',
      detail: 'Expiration date must be in the future',
    });
    expect(await read(credit.credit_id)).toEqual(form.body);
  });

  it('are voided once, and a voided one is not updated', async () => {
    const { credit_id: id } = await grant();
    const { body } = await app.request.post(`/api/credits/${id}/void/`).expect(200);
    expect(body).toMatchObject({ status: 'inactive', amount: 100, amount_remaining: 0 });
    expect(await read(id)).toEqual(body);
    expect((await app.request.post(`/api/credits/${id}/void/`).expect(400)).body.title).toBe('invalid_state');
    expect(
      (await app.request.post(`/api/credits/${id}/update/`).send({ description: 'x' }).expect(400)).body,
    ).toMatchObject({ title: 'invalid_state', detail: 'Only active credits can be updated' });
  });

  it('nobody has are not found, nor those of another tenant', async () => {
    const { credit_id: mine } = await grant();
    const other = await anotherTenant(app);
    await other.request.get(`/api/credits/${mine}/`).expect(404);
    await other.request.post(`/api/credits/${mine}/void/`).expect(404);
    for (const id of ['credit_00000000000040008000000000000000', 'x']) {
      await app.request.get(`/api/credits/${id}/`).expect(404);
      for (const act of ['update', 'void']) {
        const { body } = await app.request.post(`/api/credits/${id}/${act}/`).send({}).expect(404);
        expect(body.title).toBe('not_found');
      }
    }
  });

  it('are listed for a customer, newest first, by state, currency and time', async () => {
    await shop.customer('lister');
    const of = { customer_id: 'lister', description: undefined };
    await grant({ ...of, description: 'usd' });
    await grant({ ...of, description: 'eur', currency_code: 'EUR', expires_at: null });
    await grant({ ...of, description: 'later', effective_at: '2026-02-01' });
    const gone = await grant({ ...of, description: 'gone' });
    await app.request.post(`/api/credits/${gone.credit_id}/void/`).expect(200);
    const names = async (query: string) =>
      (await list(`customer_id=lister&${query}`)).map((c: { description: string }) => c.description).sort();
    expect(await names('')).toEqual(['eur', 'gone', 'later', 'usd']);
    expect(await names('status=active')).toEqual(['eur', 'later', 'usd']);
    expect(await names('status=inactive')).toEqual(['gone']);
    expect(await names('status=active,inactive')).toHaveLength(4);
    expect(await names('currency_code=eur')).toEqual(['eur']);
    expect(await names('expires_before=2026-03-01')).toEqual(['gone', 'later', 'usd']);
    expect(await names('expires_after=2026-03-02')).toEqual(['eur']);
    expect(await names('effective_after=2026-01-02')).toEqual(['later']);
    expect(await names('effective_before=2026-01-31')).toEqual(['eur', 'gone', 'usd']);
    expect(await names('issued_after=2026-01-02')).toEqual([]);
    expect(await names('issued_before=2026-01-01')).toHaveLength(4);
    const page = await app.request.get('/api/credits/?customer_id=lister&limit=3').expect(200);
    const next = /^<(.+)>; rel="next"$/.exec(page.headers['link']!)![1]!.replace(app.url, '');
    expect((await app.request.get(next).expect(200)).body).toHaveLength(1);
    for (const [query, code] of [
      ['', 'required'],
      ['customer_id=nobody', 'does_not_exist'],
      ['customer_id=acme&status=used', 'invalid_choice'],
      ['customer_id=acme&currency_code=ZZZ', 'does_not_exist'],
    ]) {
      expect((await app.request.get(`/api/credits/?${query}`).expect(400)).body.title).toBe(code);
    }
  });

  it('expire by time: then nothing is left and nothing is drawn', async () => {
    await shop.customer('late');
    const { credit_id: id } = await grant({ customer_id: 'late', expires_at: '2026-01-10T00:00:00Z' });
    await app.advance('2026-01-11T00:00:00Z');
    expect(await read(id)).toMatchObject({ status: 'inactive', amount: 100, amount_remaining: 0 });
    expect(await list('customer_id=late&status=active')).toEqual([]);
    await shop.subscribe('late', planId, '2026-01-11');
    expect(await shop.invoices('?customer_id=late')).toMatchObject([
      { amount: 25, payment_status: 'unpaid' },
    ]);
    await app.request.post(`/api/credits/${id}/update/`).send({ description: 'x' }).expect(400);
  });

  it('on invoices are computed again from the log, and come out the same', async () => {
    await app.advance('2026-02-11T00:30:00Z');
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(7);
  });
});
