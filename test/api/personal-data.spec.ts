import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { formsOf } from '../support/readable.js';

let app: TestApp;
const log: string[] = [];

const create = (body: object) => app.request.post('/api/customers/').send(body);
const get = (customerId: string) => app.request.get(`/api/customers/${customerId}/`);
const patch = (customerId: string, body: object) =>
  app.request.patch(`/api/customers/${customerId}/`).send(body);

beforeAll(async () => {
  app = await startTestApp({ log: { write: (line) => log.push(line) }, env: { LOG_LEVEL: 'debug' } });
});
afterAll(() => app.stop());

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
    const credit = {
      customer_id: 'SECRET-id-4711',
      amount: 1,
      currency_code: 'USD',
      description: 'SECRET-a',
    };
    const granted = await app.request
      .post('/api/credits/')
      .send(credit)
      .set('Idempotency-Key', 'no-words')
      .expect(201);
    const changed = `/api/credits/${granted.body.credit_id}/update/`;
    await app.request.post(changed).send({ description: 'SECRET-b' }).expect(200);
    const list = await app.request.get('/api/credits/?customer_id=SECRET-id-4711').expect(200);
    expect(list.body).toMatchObject([{ description: 'SECRET-b' }]);

    expect(log.length).toBeGreaterThan(10);
    expect(log.join('\n')).not.toMatch(/secret-/i);

    const { rows: tables } = await app.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(8);
    const key = customerKeyOf(app.org, 'SECRET-id-4711');
    let mentions = 0;
    for (const { name } of tables) {
      const { rows } = await app.pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const { row } of rows) {
        if (row.includes(key)) mentions += 1;
        for (const form of formsOf(row)) expect(form.match(/.{0,40}secret-.{0,40}/i)?.[0]).toBeUndefined();
      }
    }
    // The search looked where the customer is: event, key, claim and read model.
    expect(mentions).toBeGreaterThanOrEqual(4);
  });
});

describe('a customer whose key was destroyed', () => {
  it('is not found by name, is nobody where others show it, and keeps its customer_id taken', async () => {
    await create({ customer_id: 'forgotten', customer_name: 'Ola', tax_rate: 5 }).expect(201);
    const { body: before } = await app.request.get('/api/customers/').expect(200);
    await app.pool.query('update customer_keys set wrapped_key = null where customer_key = $1', [
      customerKeyOf(app.org, 'forgotten'),
    ]);
    await get('forgotten').expect(404);
    await patch('forgotten', { tax_rate: 6 }).expect(404);
    expect((await create({ customer_id: 'forgotten' }).expect(400)).body.title).toBe('duplicate_resource');
    const { body: after } = await app.request.get('/api/customers/').expect(200);
    expect(after).toHaveLength(before.length);
    expect(after.filter((shown: { customer_id: unknown }) => shown.customer_id === null)).toMatchObject([
      { customer_name: null, email: null, tax_rate: 5 },
    ]);
  });
});
