import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Found {
  readonly ok: boolean;
  readonly fingerprint: string | null;
  readonly result_hash: string | null;
  readonly differences: string[];
}

const HASH = /^[0-9a-f]{64}$/;
const USED = '2026-01-01T00:00:00Z';
/** One customer for each test that tampers with stored data. */
const CUSTOMERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

describe('verifying an invoice', () => {
  let app: TestApp;
  let shop: Shop;
  let database: TestDatabase;

  /** Bills every customer for January: a fee and the sum of three events. */
  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z', databaseUrl: database.url });
    shop = shopOf(app);
    const metricId = await shop.metric({ aggregation_type: 'sum', property_name: 'bytes' });
    const planId = await shop.plan('Basic', {
      recurring_charges: [aChargeBody()],
      components: [aComponentBody(metricId)],
    });
    for (const customer of CUSTOMERS) {
      await shop.customer(customer, { tax_rate: 10 });
      const filters = [{ property_name: 'region', value: 'eu' }];
      await shop.subscribe(customer, planId, '2026-01-01', { subscription_filters: filters });
      const properties = { bytes: 600, region: 'eu' };
      await shop.use(...[1, 2, 3].map((n) => ({ customer, at: USED, id: `${customer}-${n}`, properties })));
    }
    await app.advance('2026-02-01T00:30:00Z');
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  /** Returns the invoice that bills a customer's January. */
  const january = async (customer: string) => (await shop.invoices(`?customer_id=${customer}`)).at(-2);
  const verify = async (customer: string): Promise<Found> =>
    shop.verify((await january(customer)).invoice_number);

  const tamper = async (statement: string, ...values: unknown[]): Promise<void> => {
    const { rowCount } = await database.pool.query(statement, values);
    expect(rowCount).toBe(1);
  };

  /** Changes one value in the last event of a type in the streams of a customer. */
  const rewrite = (customer: string, type: string, path: string, value: string): Promise<void> =>
    tamper(
      `update events set data = jsonb_set(data::jsonb, $3::text[], $4::jsonb)::json
       where position = (select max(position) from events where stream like $1 and type = $2)`,
      `%-${app.org}.${customerKeyOf(app.org, customer)}%`,
      type,
      path,
      value,
    );

  it('finds the same hashes when nothing was touched, by id and by number', async () => {
    const found = await verify('a');
    expect(found).toEqual({
      ok: true,
      fingerprint: expect.stringMatching(HASH),
      result_hash: expect.stringMatching(HASH),
      differences: [],
    });
    expect(await shop.verify((await january('a')).invoice_id)).toEqual(found);
    expect(await verifyAll(app)).toBe(18);
  });

  it('is reading: a key that may not write is enough', async () => {
    const { body } = await app.request
      .post('/api/api_keys/')
      .send({ name: 'auditor', scope: 'read' })
      .expect(201);
    const { invoice_number: number } = await january('a');
    const path = `/api/invoices/${number}/verify/`;
    const { body: found } = await request(app.url).post(path).set('X-API-KEY', body.key).expect(200);
    expect(found.ok).toBe(true);
  });

  it('names the usage event whose content was changed', async () => {
    await tamper(
      `update usage_events set properties = '{"bytes": 6000, "region": "eu"}' where idempotency_id = 'b-2'`,
    );
    const { ok, differences } = await verify('b');
    expect(ok).toBe(false);
    expect(differences).toEqual([
      expect.stringMatching(/^usage of "requests" from .*: quantity stored 1800, counted 7200$/),
      'usage event "b-2" is not as it was received',
    ]);
  });

  it('names the usage event that was moved out of the period', async () => {
    await tamper(`update usage_events set event_time = '2025-12-31T23:00:00Z' where idempotency_id = 'c-3'`);
    const { ok, differences } = await verify('c');
    expect(ok).toBe(false);
    expect(differences).toContain('usage event "c-3" is not as it was received');
    await tamper(`update usage_events set event_time = $1 where idempotency_id = 'c-3'`, USED);
    expect(await verify('c')).toMatchObject({ ok: true });
  });

  it('names the batch that lost an event', async () => {
    await tamper(`delete from usage_events where idempotency_id = 'd-1'`);
    const { ok, differences } = await verify('d');
    expect(ok).toBe(false);
    expect(differences).toEqual([
      expect.stringContaining('quantity stored 1800, counted 1200'),
      expect.stringContaining('eventCount stored 3, counted 2'),
      expect.stringMatching(/digest stored [0-9a-f]{64}, counted [0-9a-f]{64}$/),
      'usage batch 4 does not hold the events it was received with',
    ]);
  });

  it('names the line whose amount was changed in the log', async () => {
    await rewrite('e', 'InvoiceComputed', '{lines,0,amount,amount}', '"1"');
    const { ok, differences } = await verify('e');
    expect(ok).toBe(false);
    expect(differences).toEqual([expect.stringMatching(/^line 1: stored .*, recomputed /)]);
  });

  it('a changed count in the log is found by the usage, the closed usage period and its line', async () => {
    await rewrite('f', 'UsagePeriodClosed', '{quantity}', '"100"');
    const { ok, differences } = await verify('f');
    expect(ok).toBe(false);
    expect(differences.join('\n')).toMatch(/quantity stored 100, counted 1800[^]*line 1: stored/);
  });

  it('names the field of the invoice that was changed in the log', async () => {
    await rewrite('g', 'InvoiceComputed', '{dueAt}', '"2027-01-01T00:00:00.000000Z"');
    const { ok, differences } = await verify('g');
    expect(ok).toBe(false);
    expect(differences).toEqual([expect.stringMatching(/^dueAt: stored "2027-/)]);
  });

  it('a tax rate changed behind its back is told by every line', async () => {
    await rewrite('h', 'CustomerRegistered', '{taxRate}', '"5"');
    const { ok, differences } = await verify('h');
    expect(ok).toBe(false);
    expect(differences.join('\n')).toMatch(/line 1: [^]*line 2: /);
  });

  it('an inconsistent record is a finding, not a failure', async () => {
    await rewrite('i', 'UsagePeriodClosed', '{window,end}', '"2026-01-30T00:00:00.000000Z"');
    const { ok, differences } = await verify('i');
    expect(ok).toBe(false);
    expect(differences.join('\n')).toContain('The invoice cannot be computed again: ');
  });

  it('what happens later changes nothing: settings, customer, usage that comes late', async () => {
    const before = await verify('a');
    await app.request.patch('/api/organization/').send({ tax_rate: 25 }).expect(200);
    await app.request.patch('/api/customers/a/').send({ tax_rate: 20 }).expect(200);
    const late = { bytes: 9, region: 'eu' };
    await shop.use({ customer: 'a', at: '2026-01-31T00:00:00Z', id: 'late', properties: late });
    await app.advance('2026-03-01T00:30:00Z');
    expect(await shop.invoices('?customer_id=a')).toHaveLength(3);
    expect(await verify('a')).toEqual(before);
    expect(before.ok).toBe(true);
  });

  it('prices changed behind its back are told by their hash', async () => {
    const content = '{version,content,recurringCharges,0,amount}';
    await tamper(
      `update events set data = jsonb_set(data::jsonb, $1::text[], '"1"')::json
       where type = 'PlanVersionPublished'`,
      content,
    );
    await app.stop(); // A running service caches the prices that it has read.
    app = await startTestApp({ databaseUrl: database.url });
    shop = shopOf(app);
    const { ok, differences } = await verify('a');
    expect(ok).toBe(false);
    expect(differences[0]).toMatch(/^prices of plan version .*: recorded with hash/);
  });
});
