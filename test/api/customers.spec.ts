import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
let counter = 0;
const newId = () => `customer-${(counter += 1)}`;

const create = (body: object) => app.request.post('/api/customers/').send(body);
const get = (customerId: string) => app.request.get(`/api/customers/${encodeURIComponent(customerId)}/`);
const patch = (customerId: string, body: object) =>
  app.request.patch(`/api/customers/${encodeURIComponent(customerId)}/`).send(body);
const errorsOf = (body: { validation_errors?: { attr: string; code: string }[] }) =>
  Object.fromEntries((body.validation_errors ?? []).map(({ attr, code }) => [attr, code]));

const log: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ log: { write: (line) => log.push(line) }, env: { LOG_LEVEL: 'debug' } });
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
      properties: { tier: 'gold', seats: 3, nested: { nothing: null } },
    };
    const { body } = await create(sent).expect(201);
    expect(body).toEqual({
      customer_id,
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
      payment_provider: 'provider_a',
      payment_provider_id: 'cus_123',
      properties: sent.properties,
    });
    expect((await get(customer_id).expect(200)).body).toEqual(body);
  });

  it('takes a customer_id alone, and nulls as if they were left out', async () => {
    const nothing = {
      customer_name: null,
      email: null,
      address: null,
      billing_address: null,
      shipping_address: null,
      default_currency_code: null,
      default_currency: null,
      tax_rate: null,
      timezone: null,
      payment_provider: null,
      payment_provider_id: null,
      properties: {},
    };
    const [bare, nulls] = [newId(), newId()];
    expect((await create({ customer_id: bare }).expect(201)).body).toEqual({ customer_id: bare, ...nothing });
    const sent = { ...nothing, properties: null, customer_id: nulls, something_else: [1] };
    expect((await create(sent).expect(201)).body).toEqual({ customer_id: nulls, ...nothing });
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
    expect(errorsOf(body)).toEqual({
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
    [{ customer_id: 'a', properties: { text: 'x'.repeat(70_000) } }, { properties: 'max_length' }],
    [{ customer_id: 'a', properties: nestedTo(40) }, { properties: 'invalid' }],
  ])('refuses case %# with every field named', async (sent, errors) => {
    expect(errorsOf((await create(sent).expect(400)).body)).toEqual(errors);
  });

  it('a customer_id is taken once, whatever else is different', async () => {
    const customer_id = newId();
    await create({ customer_id }).expect(201);
    const email = `${newId()}@example.com`;
    const { body } = await create({ customer_id, email }).expect(400);
    expect([body.title, body.detail]).toEqual(['duplicate_resource', expect.stringContaining('customer_id')]);
    // The address of the refused one is not taken by it.
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
    // The addresses of those that lost are free.
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

describe('PATCH /api/customers/{customer_id}/', () => {
  it('changes what is named, clears what is null, and GET shows it at once', async () => {
    const customer_id = newId();
    const { body: before } = await create({
      customer_id,
      customer_name: 'Before',
      email: `${customer_id}@example.com`,
      address: { city: 'Oslo' },
      tax_rate: 25,
      properties: { a: 1 },
    }).expect(201);
    const change = { customer_name: 'After', tax_rate: null, timezone: 'Europe/Oslo', properties: { b: 2 } };
    const { body } = await patch(customer_id, change).expect(200);
    expect(body).toEqual({ ...before, ...change });
    expect((await get(customer_id)).body).toEqual(body);
    const cleared = await patch(customer_id, { email: null, address: null, customer_name: null }).expect(200);
    expect(cleared.body).toMatchObject({ email: null, billing_address: null, customer_name: null });
  });

  it('an empty change and an unchanged one are fine, and the customer_id stays', async () => {
    const customer_id = newId();
    const { body: before } = await create({ customer_id, tax_rate: 5 }).expect(201);
    expect((await patch(customer_id, {}).expect(200)).body).toEqual(before);
    expect((await patch(customer_id, { tax_rate: 5, customer_id: 'other' }).expect(200)).body).toEqual(
      before,
    );
    await get('other').expect(404);
  });

  it("another's e-mail address is refused, and the former one is free", async () => {
    const [one, two, three] = [newId(), newId(), newId()];
    await create({ customer_id: one, email: `${one}@example.com` }).expect(201);
    await create({ customer_id: two, email: `${two}@example.com` }).expect(201);
    const refused = await patch(two, { email: `${one}@example.com` }).expect(400);
    expect(refused.body.title).toBe('duplicate_resource');
    await patch(one, { email: `new-${one}@example.com` }).expect(200);
    await create({ customer_id: three, email: `${one}@example.com` }).expect(201);
    await patch(one, { email: `${one}@example.com` }).expect(400);
  });

  it('changes at once all hold', async () => {
    const customer_id = newId();
    await create({ customer_id }).expect(201);
    const answers = await Promise.all([
      patch(customer_id, { customer_name: 'Zofia' }),
      patch(customer_id, { tax_rate: 8 }),
      patch(customer_id, { timezone: 'Asia/Tokyo' }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await get(customer_id)).body).toMatchObject({
      customer_name: 'Zofia',
      tax_rate: 8,
      timezone: 'Asia/Tokyo',
    });
  });

  it('wrong fields are named and nothing changes; nobody unknown is changed', async () => {
    const customer_id = newId();
    const { body: before } = await create({ customer_id }).expect(201);
    const { body } = await patch(customer_id, { tax_rate: -1, email: 'x', timezone: 3 }).expect(400);
    expect(errorsOf(body)).toEqual({ tax_rate: 'min_value', email: 'invalid', timezone: 'invalid_choice' });
    expect((await get(customer_id)).body).toEqual(before);
    expect((await patch('nobody', { tax_rate: 1 }).expect(404)).body.title).toBe('not_found');
  });
});

describe('GET /api/customers/', () => {
  it('pages through every customer once, the newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      const customer_id = newId();
      await create({ customer_id }).expect(201);
      made.push(customer_id);
    }
    const { body: all } = await app.request.get('/api/customers/?limit=1000').expect(200);
    const seen: string[] = [];
    let next: string | undefined = `${app.url}/api/customers/?limit=2`;
    while (next) {
      const page: { body: unknown[]; headers: Record<string, string> } = await app.request
        .get(next.slice(app.url.length))
        .expect(200);
      expect(page.body.length).toBeLessThanOrEqual(2);
      seen.push(...(page.body as { customer_id: string }[]).map((customer) => customer.customer_id));
      next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
    }
    expect(seen).toEqual((all as { customer_id: string }[]).map((customer) => customer.customer_id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  it.each(['limit=0', 'limit=1001', 'limit=many', 'cursor=nonsense', 'cursor=%00'])(
    'refuses ?%s',
    async (query) => {
      const { body } = await app.request.get(`/api/customers/?${query}`).expect(400);
      expect(Object.keys(errorsOf(body))).toEqual([query.split('=')[0]]);
    },
  );

  it('an unknown customer_id is not found', async () => {
    expect((await get('nobody').expect(404)).body.title).toBe('not_found');
  });
});

describe('personal data', () => {
  it('stands in no table, event or log, in plain or as bytes, and GET shows it', async () => {
    const secrets = {
      customer_id: 'SECRET-id-4711',
      customer_name: 'SECRET-Zofia',
      email: 'secret-mail@example.com',
      payment_provider_id: 'SECRET-cus',
      address: {
        city: 'SECRET-city',
        line1: 'SECRET-street',
        postal_code: 'SECRET-zip',
        state: 'SECRET-state',
      },
      shipping_address: { city: 'SECRET-elsewhere' },
      properties: { note: 'SECRET-note' },
    };
    await create(secrets).set('Idempotency-Key', 'nothing-personal').expect(201);
    await create({ customer_id: 'SECRET-late' }).expect(201);
    await patch('SECRET-late', { email: 'secret-second@example.com' }).expect(200);
    await create({ customer_id: 'SECRET-third', email: 'secret-mail@example.com' }).expect(400);
    expect((await get('SECRET-id-4711').expect(200)).body).toMatchObject(secrets);

    expect(log.length).toBeGreaterThan(10);
    expect(log.join('\n')).not.toMatch(/secret-/i);

    const database = new pg.Client(app.databaseUrl);
    await database.connect();
    try {
      const { rows: tables } = await database.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
      );
      expect(tables.length).toBeGreaterThan(8);
      const key = customerKeyOf(app.org, 'SECRET-id-4711');
      let mentions = 0;
      for (const { name } of tables) {
        const { rows } = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
        for (const { row } of rows) {
          if (row.includes(key)) mentions += 1;
          for (const form of formsOf(row)) expect(form.match(/.{0,40}secret-.{0,40}/i)?.[0]).toBeUndefined();
        }
      }
      // The search looked where the customer is: event, key, claim and read model.
      expect(mentions).toBeGreaterThanOrEqual(4);
    } finally {
      await database.end();
    }
  });
});

/** A row's text, and what is readable of the bytes and base64 in it. */
function formsOf(row: string): string[] {
  const bytes = [...row.matchAll(/\\+x([0-9a-f]{16,})/g)].map(([, hex]) =>
    Buffer.from(hex!, 'hex').toString('latin1'),
  );
  const encoded = [...row.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].map(([text]) =>
    Buffer.from(text, 'base64').toString('latin1'),
  );
  return [row, ...bytes, ...encoded];
}

function nestedTo(depth: number): object {
  return depth === 0 ? {} : { deeper: nestedTo(depth - 1) };
}

const nullsOf = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
