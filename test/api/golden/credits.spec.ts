import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden } from './golden.js';

const MARCH = '2026-03-01T00:00:00Z';
const EXPIRY = '2026-01-10T00:00:00Z';

describe('golden: credits', () => {
  let app: TestApp;
  let shop: Shop;
  let plan: string;
  let expiring: { credit_id: string };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    plan = await shop.plan('Fee', { recurring_charges: [aChargeBody({ amount: 25 })] });
    for (const customer of ['c1', 'c2', 'listed', 'expired', 'euros']) await shop.customer(customer);
    expiring = await grant({ customer_id: 'expired', expires_at: EXPIRY });
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  const credit = (changes: object = {}) => ({
    customer_id: 'c1',
    amount: 100,
    currency_code: 'USD',
    description: 'promo',
    expires_at: MARCH,
    ...changes,
  });
  const ask = (body: object) => app.request.post('/api/credits/').send(body);
  const grant = async (changes: object = {}) => (await ask(credit(changes)).expect(201)).body;
  const read = async (id: string) => (await app.request.get(`/api/credits/${id}/`).expect(200)).body;
  const update = (id: string, body: object) => app.request.post(`/api/credits/${id}/update/`).send(body);
  const voidIt = (id: string) => app.request.post(`/api/credits/${id}/void/`).send({});
  const countOf = async (customer: string): Promise<number> =>
    (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body.length;
  /** Requests a credit, expects a refusal and returns its errors by field. */
  const refused = async (changes: object): Promise<Record<string, string>> => {
    const before = await countOf('c1');
    const { body } = await ask(credit(changes)).expect(400);
    expect(await countOf('c1')).toBe(before);
    return fieldErrorsOf(body);
  };
  /** Returns the amount due and the payment status of a new subscription's first invoice. */
  const invoiced = async (customer: string, start: string) => {
    await shop.subscribe(customer, plan, start);
    const [invoice] = await shop.invoices(`?customer_id=${customer}`);
    return { due: invoice.cost_due.toFixed(2), status: invoice.payment_status };
  };

  golden('credit-create', async ({ expect: wanted }) => {
    expect(await grant()).toMatchObject({
      credit_id: expect.stringMatching(/^credit_[0-9a-f]{32}$/),
      amount: Number(wanted!.amount),
      amount_remaining: Number(wanted!.amount_remaining),
      currency: { code: 'USD' },
      description: 'promo',
      effective_at: '2026-01-01T00:00:00Z',
      expires_at: MARCH,
      status: wanted!.status_field,
      amount_paid: Number(wanted!.amount_paid),
      amount_paid_currency: null,
      drawdowns: [],
    });
    expect(await shop.invoices('?customer_id=c1')).toEqual([]);
  });

  golden('credit-create-not-positive', async () => {
    for (const amount of [0, -5]) expect(await refused({ amount })).toEqual({ amount: 'min_value' });
  });

  golden('credit-create-unknown-currency', async () => {
    expect(await refused({ currency_code: 'ZZZ' })).toEqual({ currency_code: 'does_not_exist' });
  });

  golden('credit-paid-without-currency', async () => {
    const sold = { amount: 10, amount_paid: 5 };
    expect(await refused(sold)).toEqual({ amount_paid_currency_code: 'required' });
  });

  golden('credit-update-description', async () => {
    const granted = await grant();
    const { body } = await update(granted.credit_id, { description: 'new' }).expect(200);
    expect(body).toEqual({ ...granted, description: 'new' });
    expect(await read(granted.credit_id)).toEqual(body);
  });

  golden('credit-update-expiry', async () => {
    const { credit_id: id } = await grant();
    for (const expires_at of ['2026-06-01T00:00:00Z', null]) {
      expect((await update(id, { expires_at }).expect(200)).body).toMatchObject({ expires_at });
    }
  });

  golden('credit-update-inactive', async ({ expect: wanted }) => {
    const { credit_id: id } = await grant();
    await voidIt(id).expect(200);
    const { body } = await update(id, { description: 'new' }).expect(400);
    expect(body).toMatchObject({ title: wanted!.title, detail: 'Only active credits can be updated' });
  });

  golden('ref-credit-update', async () => {
    const { credit_id: id } = await grant();
    const { body: past } = await update(id, { expires_at: '2025-12-31T00:00:00Z' }).expect(400);
    expect(fieldErrorsOf(past)).toEqual({ expires_at: 'invalid' });
    await voidIt(id).expect(200);
    const { body: inactive } = await update(id, { expires_at: MARCH }).expect(400);
    expect(inactive.detail).toBe('Only active credits can be updated');
  });

  golden('credit-update-unknown', async ({ expect: wanted }) => {
    await update(`credit_${'a'.repeat(32)}`, { description: 'new' }).expect(wanted!.unknown as number);
    expect(wanted!.malformed_in).toContain((await update('x', { description: 'new' })).status);
  });

  golden('credit-void', async ({ expect: wanted }) => {
    const { credit_id: id } = await grant();
    const { body } = await voidIt(id).expect(wanted!.first as number);
    expect(body).toMatchObject({ status: 'inactive', amount_remaining: Number(wanted!.remaining) });
    await voidIt(id).expect(wanted!.second as number);
    expect(await read(id)).toEqual(body);
  });

  golden('credit-list-needs-customer', async ({ expect: wanted }) => {
    const { credit_id: own } = await grant({ customer_id: 'listed' });
    await grant({ customer_id: 'c2' });
    const { body } = await app.request.get('/api/credits/?customer_id=listed').expect(200);
    expect(body).toHaveLength(wanted!.count as number);
    expect(body[0].credit_id).toBe(own);
  });

  golden('credit-other-currency', async ({ expect: wanted }) => {
    await grant({ customer_id: 'euros', currency_code: 'EUR' });
    expect(await invoiced('euros', '2026-01-01')).toEqual({ due: wanted!.invoice, status: 'unpaid' });
  });

  golden('credit-expiry', async ({ expect: wanted }) => {
    await app.advance('2026-01-11T00:00:00Z');
    const { status, amount_remaining: left } = await read(expiring.credit_id);
    expect({ status, left }).toEqual({ status: wanted!.status, left: Number(wanted!.remaining) });
  });

  golden('credit-expired-not-used', async ({ expect: wanted }) => {
    await app.advance('2026-01-11T00:00:00Z');
    expect(await invoiced('expired', '2026-01-11')).toEqual({ due: wanted!.invoice, status: 'unpaid' });
    expect((await read(expiring.credit_id)).drawdowns).toEqual([]);
  });
});
