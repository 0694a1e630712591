import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PersonalDataAudit } from '../../src/audit/doctor/personal-data-audit.js';
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
  it('is in no table, event or log, in plain or as bytes, and GET shows it', async () => {
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
    // The search covers the tables that contain the customer's key: event, key, claim and read model.
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

describe('doctor compares the keys of personal data with the customers', () => {
  const differences = () => app.service.app.get(PersonalDataAudit, { strict: false }).differences(0);
  const keyed = (sql: string, ...names: string[]) =>
    app.pool.query(sql, [app.org, ...names.map((name) => customerKeyOf(app.org, name))]);
  const sentence = (customerId: string, fault: string) =>
    `customer ${customerKeyOf(app.org, customerId)} of organization ${app.org}: ${fault}`;
  beforeAll(async () => {
    for (const name of ['keyed', 'also keyed', 'erased']) await create({ customer_id: name }).expect(201);
    await app.request.post('/api/customers/erased/delete/').expect(200);
    await app.pool.query('create table kept_keys as table customer_keys');
    await app.request.post('/api/customers/erased/erase/').expect(200);
    // An earlier test destroyed this key without an event.
    await keyed('delete from kept_keys where org = $1 and customer_key = $2', 'forgotten');
    await app.request.get('/api/customers/').expect(200);
  });
  const restore = () =>
    keyed(
      `insert into customer_keys select k.* from kept_keys k where org = $1 and customer_key <> $2
         on conflict (org, customer_key) do update set wrapped_key = excluded.wrapped_key`,
      'erased',
    );
  const lost = () => sentence('forgotten', 'no event erased it, and its key is gone');

  it('and finds nothing of customers whose keys open their data, or who were erased', async () => {
    expect(await differences()).toEqual([lost()]);
  });

  it('and finds a key that was deleted, exchanged, changed, or moved to another customer', async () => {
    await keyed('delete from customer_keys where org = $1 and customer_key = $2', 'keyed');
    expect(await differences()).toContain(sentence('keyed', 'no event erased it, and its key is gone'));
    await restore();
    await keyed(
      `update customer_keys a set wrapped_key = b.wrapped_key from customer_keys b
         where a.org = $1 and b.org = $1 and a.customer_key = $2 and b.customer_key = $3`,
      ...['keyed', 'also keyed'],
    );
    expect(await differences()).toContain(sentence('keyed', 'its key does not open its personal data'));
    await keyed(
      'update customer_keys set wrapped_key = sha256(wrapped_key) where org = $1 and customer_key = $2',
      'keyed',
    );
    expect(await differences()).toContain(sentence('keyed', 'its key does not open its personal data'));
    await restore();
    expect(await differences()).toEqual([lost()]);
  });

  it('and finds a key of an erased customer that came back', async () => {
    await keyed(
      `update customer_keys k set wrapped_key = b.wrapped_key from kept_keys b
         where k.org = $1 and b.org = $1 and k.customer_key = $2 and b.customer_key = $2`,
      'erased',
    );
    expect(await differences()).toContain(
      sentence('erased', 'it was erased, and its key is there: run recount erasures repeat'),
    );
  });
});
