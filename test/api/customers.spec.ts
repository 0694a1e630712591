import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
let counter = 0;
const newId = () => `customer-${(counter += 1)}`;

const create = (body: object) => app.request.post('/api/customers/').send(body);
const get = (customerId: string) => app.request.get(`/api/customers/${encodeURIComponent(customerId)}/`);

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const ADDRESS = {
  city: 'Łódź',
  country: 'PL',
  line1: 'Piotrkowska 1',
  line2: null,
  postal_code: '90-001',
  state: null,
};

describe('POST /api/customers/', () => {
  it('answers the whole customer, and so does GET at once', async () => {
    const customer_id = newId();
    const sent = {
      customer_id,
      customer_name: 'Zofia Łącka',
      email: 'zofia@example.com',
      billing_address: { ...ADDRESS, country: 'pl' },
      shipping_address: { city: 'Warszawa' },
      default_currency_code: 'PLN',
      tax_rate: 23.5,
      timezone: 'Europe/Warsaw',
      payment_provider: 'provider_a',
      payment_provider_id: 'cus_123',
      invoice_locale: 'pl',
      tax_ids: [{ type: 'vat', value: 'PL5250001122' }],
      properties: { tier: 'gold', seats: 3, nested: { nothing: null } },
    };
    const { body } = await create(sent).expect(201);
    expect(body).toEqual({
      customer_id,
      customer_key: expect.stringMatching(/^[0-9a-f]{8}-/),
      customer_name: 'Zofia Łącka',
      email: 'zofia@example.com',
      address: ADDRESS,
      billing_address: ADDRESS,
      shipping_address: {
        city: 'Warszawa',
        country: null,
        line1: null,
        line2: null,
        postal_code: null,
        state: null,
      },
      default_currency_code: 'PLN',
      default_currency: { code: 'PLN', name: expect.any(String), symbol: expect.any(String) },
      tax_rate: 23.5,
      timezone: 'Europe/Warsaw',
      subscriptions: [],
      invoices: [],
      amounts_due: [],
      total_amount_due: 0,
      payment_provider: 'provider_a',
      payment_provider_id: 'cus_123',
      invoice_locale: 'pl',
      tax_ids: [{ type: 'vat', value: 'PL5250001122' }],
      reverse_charge: false,
      properties: sent.properties,
    });
    expect((await get(customer_id).expect(200)).body).toEqual(body);
  });

  it('takes a customer_id alone, and nulls as if they were left out', async () => {
    const customer_key = expect.stringMatching(/^[0-9a-f]{8}-/);
    const nothing = {
      customer_name: null,
      email: null,
      address: null,
      billing_address: null,
      shipping_address: null,
      default_currency_code: null,
      tax_rate: null,
      payment_provider: null,
      payment_provider_id: null,
      invoice_locale: null,
      tax_ids: [],
      reverse_charge: false,
      properties: {},
    };
    const derived = {
      customer_key,
      default_currency: { code: 'USD', name: 'US Dollar', symbol: '$' },
      timezone: 'UTC',
      subscriptions: [],
      invoices: [],
      amounts_due: [],
      total_amount_due: 0,
    };
    const [bare, nulls] = [newId(), newId()];
    expect((await create({ customer_id: bare }).expect(201)).body).toEqual({
      customer_id: bare,
      ...derived,
      ...nothing,
    });
    const sent = { ...nothing, timezone: null, properties: null, customer_id: nulls, something_else: [1] };
    expect((await create(sent).expect(201)).body).toEqual({ customer_id: nulls, ...derived, ...nothing });
  });

  it('takes reverse charge with a rate of 0 and a VAT number, and keeps all three together', async () => {
    const customer_id = newId();
    const owes = { tax_rate: 0, tax_ids: [{ type: 'vat', value: 'PL5250001122' }], reverse_charge: true };
    expect((await create({ customer_id, ...owes }).expect(201)).body).toMatchObject(owes);
    const change = (sent: object) => app.request.patch(`/api/customers/${customer_id}/`).send(sent);
    expect(fieldErrorsOf((await change({ tax_rate: null }).expect(400)).body)).toEqual({
      tax_rate: 'invalid',
    });
    expect(fieldErrorsOf((await change({ tax_ids: [] }).expect(400)).body)).toEqual({ tax_ids: 'required' });
    expect((await change({ customer_name: 'Acme' }).expect(200)).body).toMatchObject(owes);
    const taxed = { tax_rate: 19, reverse_charge: false };
    expect((await change(taxed).expect(200)).body).toMatchObject(taxed);
  });

  it('reads address for billing_address, and blank parts as not given', async () => {
    const blank = { city: '', country: '', line1: '', line2: '', postal_code: '', state: '' };
    const { body } = await create({ customer_id: newId(), address: { ...blank, city: 'Oslo' } }).expect(201);
    expect(body.billing_address).toEqual({ ...nullsOf(blank), city: 'Oslo' });
  });

  it('takes any text as customer_id', async () => {
    for (const customer_id of [
      `a/b?c#${newId()}`,
      `ünï🧾-${newId()}`,
      `' or 1=1; -- ${newId()}`,
      'x'.repeat(200),
    ]) {
      await create({ customer_id }).expect(201);
      expect((await get(customer_id).expect(200)).body.customer_id).toBe(customer_id);
    }
  });

  it('names every wrong field, and makes nothing', async () => {
    const { body } = await create({
      customer_id: 'y'.repeat(201),
      customer_name: 7,
      email: 'nobody',
      billing_address: { city: 5, country: 'Poland' },
      shipping_address: 'at home',
      default_currency_code: 'ABC',
      tax_rate: 1000,
      timezone: 'Mars/Olympus',
      payment_provider: 'cash',
      payment_provider_id: {},
      properties: ['gold'],
    }).expect(400);
    expect(fieldErrorsOf(body)).toEqual({
      customer_id: 'max_length',
      customer_name: 'invalid',
      email: 'invalid',
      'billing_address.city': 'invalid',
      'billing_address.country': 'invalid_choice',
      shipping_address: 'invalid',
      default_currency_code: 'invalid_choice',
      tax_rate: 'max_value',
      timezone: 'invalid_choice',
      payment_provider: 'invalid_choice',
      payment_provider_id: 'invalid',
      properties: 'invalid',
    });
    expect(body.type).toMatch(/#validation-error$/);
    await get('y'.repeat(201)).expect(404);
  });

  it.each<[object, object]>([
    [{}, { customer_id: 'required' }],
    [{ customer_id: null }, { customer_id: 'null' }],
    [{ customer_id: '' }, { customer_id: 'blank' }],
    [{ customer_id: 12 }, { customer_id: 'invalid' }],
    [{ customer_id: 'a', email: '' }, { email: 'blank' }],
    [{ customer_id: 'a', tax_rate: -0.01 }, { tax_rate: 'min_value' }],
    [{ customer_id: 'a', tax_rate: 'much' }, { tax_rate: 'invalid' }],
    [{ customer_id: 'a', address: [] }, { address: 'invalid' }],
    [{ customer_id: 'a', address: { country: 'YY' } }, { 'address.country': 'invalid_choice' }],
    [{ customer_id: 'a', invoice_locale: 'xx-YY' }, { invoice_locale: 'invalid_choice' }],
    [{ customer_id: 'a', tax_ids: [{ type: 'vat' }] }, { 'tax_ids.0.value': 'required' }],
    [{ customer_id: 'a', reverse_charge: 'yes' }, { reverse_charge: 'invalid' }],
    [
      { customer_id: 'a', reverse_charge: true, tax_rate: 19 },
      { tax_rate: 'invalid', tax_ids: 'required' },
    ],
    [{ customer_id: 'a', properties: { text: 'x'.repeat(70_000) } }, { properties: 'max_length' }],
    [{ customer_id: 'a', properties: nestedTo(40) }, { properties: 'invalid' }],
  ])('refuses case %# with every field named', async (sent, errors) => {
    expect(fieldErrorsOf((await create(sent).expect(400)).body)).toEqual(errors);
  });

  it('a customer_id is taken once, whatever else is different', async () => {
    const customer_id = newId();
    await create({ customer_id }).expect(201);
    const email = `${newId()}@example.com`;
    const { body } = await create({ customer_id, email }).expect(400);
    expect([body.title, body.detail]).toEqual(['duplicate_resource', expect.stringContaining('customer_id')]);
    // The refused request did not claim the e-mail address.
    await create({ customer_id: newId(), email }).expect(201);
  });

  it('an e-mail address is taken once, in whatever case', async () => {
    const email = `${newId()}@example.com`;
    await create({ customer_id: newId(), email }).expect(201);
    const second = newId();
    const { body } = await create({ customer_id: second, email: email.toUpperCase() }).expect(400);
    expect([body.title, body.detail]).toEqual(['duplicate_resource', expect.stringContaining('email')]);
    await get(second).expect(404);
    await create({ customer_id: second, email: `other-${email}` }).expect(201);
  });

  it('of many at once with one customer_id or one address, one is made', async () => {
    const customer_id = newId();
    const sameId = await Promise.all(
      [1, 2, 3, 4].map((n) => create({ customer_id, email: `${customer_id}-${n}@example.com` })),
    );
    expect(sameId.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400]);
    // The refused requests did not claim their e-mail addresses.
    const winner = sameId.findIndex((answer) => answer.status === 201) + 1;
    for (const n of [1, 2, 3, 4]) {
      const taken = n === winner ? 400 : 201;
      await create({ customer_id: newId(), email: `${customer_id}-${n}@example.com` }).expect(taken);
    }
    const email = `${newId()}@example.com`;
    const sameEmail = await Promise.all([1, 2, 3, 4].map(() => create({ customer_id: newId(), email })));
    expect(sameEmail.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400]);
  });

  it('a repeat under the same Idempotency-Key is answered like the first time', async () => {
    const sent = { customer_id: newId(), email: `${newId()}@example.com` };
    const first = await create(sent).set('Idempotency-Key', sent.customer_id).expect(201);
    const again = await create(sent).set('Idempotency-Key', sent.customer_id).expect(201);
    expect(again.body).toEqual(first.body);
  });
});

function nestedTo(depth: number): object {
  return depth === 0 ? {} : { deeper: nestedTo(depth - 1) };
}

const nullsOf = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
