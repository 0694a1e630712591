import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { Database } from '../../src/platform/database/open-database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { forgetAnswer, storedKey } from '../support/stored-idempotency-keys.js';
import { until } from '../support/until.js';

let app: TestApp;
/** Returns the position of the newest event. It stays the same when nothing is written. */
const head = () => app.service.app.get<EventStore>(EVENT_STORE).head();

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const post = (key: string, body: object, path = '/api/features/') =>
  app.request.post(path).set('Idempotency-Key', key).send(body);
const feature = (name: string, description = 'x') => ({
  feature_name: name,
  feature_description: description,
});
describe('a POST with an Idempotency-Key', () => {
  it('is answered like the first time, and done once', async () => {
    const first = await post('same', feature('Same')).expect(201);
    const before = await head();
    const second = await post('same', feature('Same')).expect(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['x-recount-position']).toBe(first.headers['x-recount-position']);
    expect(await head()).toEqual(before);
  });

  it('is the same request whatever the order of its keys and its trailing slash', async () => {
    const first = await post('order', { feature_name: 'Order', feature_description: 'y' }).expect(201);
    const second = await post('order', { feature_description: 'y', feature_name: 'Order' }, '/api/features');
    expect(second.body).toEqual(first.body);
  });

  it('with another body or path is refused', async () => {
    await post('reused', feature('Reused')).expect(201);
    for (const other of [
      post('reused', feature('Other')),
      post('reused', feature('Reused'), '/api/metrics/'),
      post('reused', feature('Reused'), '/api/subscriptions/cancel/?customer_id=acme'),
    ]) {
      expect((await other.expect(422)).body.title).toBe('idempotency_key_reused');
    }
  });

  it('answers a refusal again, also when it would be accepted by now', async () => {
    const { body: made } = await post('taken-1', feature('Taken')).expect(201);
    const refused = await post('taken-2', feature('Taken', 'again')).expect(400);
    expect(refused.body.title).toBe('duplicate_resource');
    await app.pool.query(`delete from claims where kind = 'feature_name'`);
    const repeated = await post('taken-2', feature('Taken', 'again')).expect(400);
    expect(repeated.body).toEqual({ ...refused.body, instance: repeated.headers['x-request-id'] });
    expect(made.feature_name).toBe('Taken');
  });

  it('is refused where its recorded answer was changed in the database, and done once', async () => {
    await post('swapped-1', feature('Swapped 1')).expect(201);
    await post('swapped-2', feature('Swapped 2')).expect(201);
    const before = await head();
    for (const answer of [
      `'v1.abc'`,
      `(select answer from idempotency_keys where key <> k.key and answer is not null limit 1)`,
    ]) {
      await app.pool.query(
        `create table kept as table idempotency_keys; update idempotency_keys k set answer = ${answer}`,
      );
      const { body } = await post('swapped-1', feature('Swapped 1')).expect(409);
      expect(body.title).toBe('conflict');
      expect(body.detail).toMatch(/^The request was executed, but the answer .* does not open/);
      await app.pool.query(
        'delete from idempotency_keys; insert into idempotency_keys table kept; drop table kept',
      );
    }
    expect(await head()).toEqual(before);
  });

  it('that was malformed leaves its key free for what was meant', async () => {
    await post('typo', { feature_name: 7 }).expect(400);
    await post('typo', feature('Typo')).expect(201);
  });

  it('that named what there was not yet is done once it is there', async () => {
    const customer_id = 'later';
    const credit = { customer_id, amount: 5, currency_code: 'USD' };
    const refused = await post('early', credit, '/api/credits/').expect(400);
    expect(refused.body.validation_errors).toMatchObject([{ code: 'does_not_exist', attr: 'customer_id' }]);
    await app.request.post('/api/customers/').send({ customer_id }).expect(201);
    await post('early', { ...credit, amount: 0.001 }, '/api/credits/').expect(400);
    await post('early', credit, '/api/credits/').expect(201);
  });

  it('belongs to the organization, not to the caller’s key', async () => {
    const { body: other } = await app.request.post('/api/api_keys/').send({ name: 'other' }).expect(201);
    const first = await post('shared', feature('Shared')).expect(201);
    const second = await request(app.url)
      .post('/api/features/')
      .set('X-API-KEY', other.key)
      .set('Idempotency-Key', 'shared')
      .send(feature('Shared'))
      .expect(201);
    expect(second.body).toEqual(first.body);
  });

  it('runs again under the same id and time when the first died before it answered', async () => {
    const first = await post('died', feature('Died')).expect(201);
    const before = await head();
    await forgetAnswer(app, 'died');
    const second = await post('died', feature('Died')).expect(201);
    expect(second.body).toEqual(first.body);
    expect(await head()).toEqual(before);
    await forgetAnswer(app, 'died');
    await post('died', feature('Somebody else')).expect(422);
  });

  it('runs again after a failure of the service', async () => {
    await app.pool.query('alter table claims rename to lost_claims');
    await post('failed', feature('Failed')).expect(500);
    await app.pool.query('alter table lost_claims rename to claims');
    await post('failed', feature('Failed')).expect(201);
  });

  it('while the first is at work is told to come back', async () => {
    const blocker = await app.pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    try {
      await blocker.query('begin; lock table claims in access exclusive mode');
      const first = post('slow', feature('Slow')).then((answer) => answer);
      const isRunning = async () =>
        (await app.pool.query('select 1 from idempotency_keys where key = $1', [storedKey(app, 'slow')]))
          .rowCount === 1;
      while (!(await isRunning())) await new Promise((resolve) => setTimeout(resolve, 5));
      const second = await post('slow', feature('Slow')).expect(409);
      expect(second.body.title).toBe('conflict');
      expect(second.headers['retry-after']).toMatch(/^\d+$/);
      await blocker.query('commit');
      const { status, body } = await first;
      expect(status).toBe(201);
      expect((await post('slow', feature('Slow')).expect(201)).body).toEqual(body);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  });

  it('keeps its key while other requests hold all connections', async () => {
    const { reserved } = app.service.app.get(Database);
    const runningUntil = async () => {
      const { rows } = await reserved.longReads.query<{ at: string | null }>(
        'select running_until as at from idempotency_keys where key = $1',
        [storedKey(app, 'held')],
      );
      return rows[0]?.at;
    };
    const held = [await app.pool.connect()];
    const [blocker] = held;
    await blocker!.query('set idle_in_transaction_session_timeout = 0');
    try {
      await blocker!.query('begin; lock table claims in access exclusive mode');
      const first = post('held', feature('Held')).then(({ status }) => status);
      const before = await until(runningUntil);
      while (app.pool.totalCount < app.pool.options.max! || app.pool.idleCount > 0)
        held.push(await app.pool.connect());
      await until(async () => (await runningUntil()) !== before);
      await blocker!.query('commit');
      for (const other of held.splice(1)) other.release();
      expect(await first).toBe(201);
    } finally {
      await blocker!.query('rollback');
      for (const one of held) one.release();
    }
  });

  it('sent many times at once is done once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('crowd', feature('Crowd'))));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body.feature_id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { body } = await app.request.get('/api/features/').expect(200);
    expect(body.filter((f: { feature_name: string }) => f.feature_name === 'Crowd')).toHaveLength(1);
  });

  it('has a key of printable characters, at most 255', async () => {
    for (const key of ['two words', 'x'.repeat(256), 'ü']) {
      const { body } = await post(key, feature('Key')).expect(400);
      expect(body.validation_errors).toMatchObject([{ attr: 'Idempotency-Key', code: 'invalid' }]);
    }
    await post('x'.repeat(255), feature('Longest key')).expect(201);
  });

  it('without a key is done as often as it is sent', async () => {
    const send = () => app.request.post('/api/api_keys/').send({ name: 'twice' }).expect(201);
    expect((await send()).body.prefix).not.toBe((await send()).body.prefix);
  });
});
