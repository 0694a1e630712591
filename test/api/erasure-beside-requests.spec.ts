import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { streamName } from '../../src/kernel/event.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { IdempotencyKeys } from '../../src/platform/http/idempotency/idempotency-keys.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { pdfText } from '../support/pdf-text.js';
import { shopOf } from '../support/shop.js';
import { storedKey } from '../support/stored-idempotency-keys.js';
import { until } from '../support/until.js';

/** Advisory lock that the answer waits for. */
const LOCK = 4_711;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.pool.query(`
    create function wait_for_lock() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${LOCK}); return null; end $$;
    create trigger answers_wait before update of answer on idempotency_keys
      for each statement execute function wait_for_lock()`);
});
afterAll(() => app.stop());

const post = (path: string, body: object) => app.request.post(`/api/${path}`).send(body);

/** Runs work while no answer can be recorded. */
async function withoutAnswers(work: () => Promise<void>): Promise<void> {
  const client = await app.pool.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`);
    await work();
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`);
    client.release();
  }
}

const isAnswerWaiting = async (): Promise<boolean> => {
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`;
  return (await app.pool.query(waiting)).rowCount === 1;
};

describe('an erasure while a request about the person is under way', () => {
  it('reaches the answer that is recorded after it, which is never stored with the person', async () => {
    await post('customers/', { customer_id: 'zofia', customer_name: 'Zofia' }).expect(201);
    const grant = { customer_id: 'zofia', amount: 5, currency_code: 'USD', description: 'For Zofia' };
    const send = () => post('credits/', grant).set('Idempotency-Key', 'under-way');
    // A process that stores the answer has died before it changes it.
    await app.pool.query(`
      create function die() returns trigger language plpgsql as $$ begin raise 'the process died here'; end $$;
      create trigger answers_stay before update of answer on idempotency_keys
        for each row when (old.answer is not null) execute function die()`);
    let first: Promise<{ body: object; status: number }> | undefined;
    await withoutAnswers(async () => {
      first = send().then((answer) => answer);
      await until(isAnswerWaiting);
      await post('customers/zofia/erase/', {}).expect(200);
    });
    const { status } = (await first)!;
    const { body } = await send().expect(201);
    await app.pool.query('drop trigger answers_stay on idempotency_keys');
    expect(body).toMatchObject({ amount: 5, customer: { customer_id: null, email: null } });
    expect(JSON.stringify(body)).not.toContain('ofia');
    expect(await first).toMatchObject({ body: { customer: { customer_name: 'Zofia' } } });
    expect(status).toBe(201);
  });

  it('takes two people out of one answer at the same moment', async () => {
    const keys = app.service.app.get(IdempotencyKeys, { strict: false });
    const begun = () => keys.begin(app.org, 'both', 'hash', instant('2026-01-01T00:00:00Z'));
    const both = ['ada', 'bob'].map((customer_id) => ({
      customer_id,
      customer_name: `name of ${customer_id}`,
    }));
    const first = await begun();
    if (first.status !== 'acquired') throw new Error('The key is not new.');
    await keys.record(first.lease, { body: both }, undefined);

    const client = await app.pool.connect();
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query(`begin; select from idempotency_keys where key = 'both' for update`);
    const erasures = ['ada', 'bob'].map((id) => keys.redact(app.org, customerKeyOf(app.org, id)));
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await until(async () => (await app.pool.query(waiting)).rowCount === 2);
    await client.query('commit');
    client.release(true);
    await Promise.all(erasures);
    const nobody = { customer_id: null, customer_name: null };
    expect(await begun()).toMatchObject({ status: 'answered', answer: { body: [nobody, nobody] } });
  });

  it('makes a change that comes too late one of an unknown customer, and keeps no hash of its address', async () => {
    await post('customers/', { customer_id: 'dana', customer_name: 'Dana' }).expect(201);
    const client = await app.pool.connect();
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin; lock table claims in access exclusive mode');
    const waiting = `select from pg_locks where relation = 'claims'::regclass and not granted`;
    const waitFor = (count: number) => until(async () => (await app.pool.query(waiting)).rowCount === count);
    const change = app.request.patch('/api/customers/dana/').send({ email: 'dana@example.com' });
    const changed = change.then((answer) => answer);
    await waitFor(1);
    const erased = post('customers/dana/erase/', {}).then((answer) => answer);
    await waitFor(2);
    await client.query('commit');
    client.release(true);
    expect([(await changed).status, (await erased).status]).toEqual([404, 200]);
    const { rows } = await app.pool.query(`select from claims where owner_stream = $1`, [
      streamName('customer', app.org, customerKeyOf(app.org, 'dana')),
    ]);
    expect(rows).toHaveLength(0);
  });

  it('is not kept by an answer that was changed in the database', async () => {
    await post('customers/', { customer_id: 'carla', customer_name: 'Carla' }).expect(201);
    const grant = { customer_id: 'carla', amount: 5, currency_code: 'USD' };
    const send = (key: string) => post('credits/', grant).set('Idempotency-Key', key);
    await send('changed').expect(201);
    await send('unchanged').expect(201);
    await app.pool.query(`update idempotency_keys set answer = 'v1.abc' where key = $1`, [
      storedKey(app, 'changed'),
    ]);
    await post('customers/carla/erase/', {}).expect(200);
    await send('changed').expect(409);
    expect((await send('unchanged').expect(201)).body).toMatchObject({ customer: { customer_name: null } });
  });

  it('makes a document that is under way one that names nobody', async () => {
    const shop = shopOf(app);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('eva', { customer_name: 'Eva Nowak' });
    await shop.subscribe('eva', plan, '2026-01-01');
    const [{ invoice_id: invoice }] = await shop.invoices('?customer_id=eva');
    const open = () => app.request.get(`/api/invoices/${invoice}/pdf/`).responseType('blob');

    const client = await app.pool.connect();
    // Keys can be read and not be added: the document waits where it is to be stored.
    await client.query('begin; lock table customer_keys in share row exclusive mode');
    const first = open().then((answer) => answer);
    const waiting = `select from pg_locks where relation = 'customer_keys'::regclass and not granted`;
    await until(async () => (await app.pool.query(waiting)).rowCount === 1);
    await client.query('update customer_keys set wrapped_key = null where org = $1 and customer_key = $2', [
      app.org,
      customerKeyOf(app.org, 'eva'),
    ]);
    await client.query('commit');
    client.release();

    const { status, body } = await first;
    expect(status).toBe(200);
    expect(pdfText(body as Buffer)).toContain('Personal data erased');
    expect(pdfText(body as Buffer)).not.toContain('Nowak');
    expect((await open().expect(200)).body).toEqual(body);
  });
});
