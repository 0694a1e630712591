import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

/** Advisory lock that the answer waits for. */
const LOCK = 4_711;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.pool.query(`
    create function wait_for_lock() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
    create trigger answers_wait before update of answer on idempotency_keys
      for each row when (new.answer is not null) execute function wait_for_lock()`);
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
  it('reaches the answer that is recorded after it', async () => {
    await post('customers/', { customer_id: 'zofia', customer_name: 'Zofia' }).expect(201);
    const grant = { customer_id: 'zofia', amount: 5, currency_code: 'USD', description: 'For Zofia' };
    const send = () => post('credits/', grant).set('Idempotency-Key', 'under-way');
    let first: Promise<{ body: object; status: number }> | undefined;
    await withoutAnswers(async () => {
      first = send().then((answer) => answer);
      await until(isAnswerWaiting);
      await post('customers/zofia/erase/', {}).expect(200);
    });
    expect(await first).toMatchObject({ status: 201, body: { customer: { customer_name: 'Zofia' } } });
    const { body } = await send().expect(201);
    expect(body).toMatchObject({ amount: 5, customer: { customer_id: null, email: null } });
    expect(JSON.stringify(body)).not.toContain('ofia');
  });
});
