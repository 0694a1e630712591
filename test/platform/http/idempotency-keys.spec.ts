import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { customerKeys } from '../../../src/customer/customer-directory.js';
import { instant } from '../../../src/kernel/instant.js';
import { AnswerPrivacy, IdempotencyKeys } from '../../../src/platform/http/idempotency/idempotency-keys.js';
import { Vault } from '../../../src/platform/privacy/vault.js';
import { ORG } from '../../support/counter.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const RECEIVED_AT = instant('2026-01-15T12:00:00Z');

describe('a run whose key another run has taken over', () => {
  let database: TestDatabase;
  let keys: IdempotencyKeys;
  const begin = (hash = 'request') => keys.begin(ORG, 'key', hash, RECEIVED_AT);
  const acquire = async () => {
    const begun = await begin();
    if (begun.status !== 'acquired') throw new Error(`The key is ${begun.status}.`);
    return begun.lease;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    const vault = new Vault(Buffer.alloc(32), customerKeys(database.pool));
    keys = new IdempotencyKeys(database.pool, vault, new AnswerPrivacy());
  });
  beforeEach(() => database.pool.query('truncate idempotency_keys'));
  afterAll(() => database.drop());

  /** Lets the lease of the first run end, and begins a second one. */
  async function takenOver() {
    const slow = await acquire();
    await database.pool.query(`update idempotency_keys set running_until = now() - interval '1 second'`);
    return { slow, current: await acquire() };
  }

  it('does not forget the key, so no other request can have it', async () => {
    const { slow, current } = await takenOver();
    await keys.forget(slow);
    expect(await begin('another request')).toEqual({ status: 'other_request' });
    await keys.record(current, { body: 'done' }, undefined);
    expect(await begin()).toMatchObject({ status: 'answered', answer: { body: 'done' } });
  });

  it('does not let a third run begin', async () => {
    const { slow } = await takenOver();
    await keys.allowRetry(slow);
    expect(await begin()).toEqual({ status: 'running' });
  });

  it('does not record its refusal, as the other run may succeed', async () => {
    const { slow, current } = await takenOver();
    await keys.record(slow, { refusal: { code: 'not_found', detail: 'There was none.' } }, undefined);
    await keys.record(current, { body: 'done' }, undefined);
    expect(await begin()).toMatchObject({ status: 'answered', answer: { body: 'done' } });
  });

  it('does not renew the lease of the other run, which may have died', async () => {
    const { slow } = await takenOver();
    await database.pool.query(`update idempotency_keys set running_until = now() - interval '1 second'`);
    await keys.renew(slow);
    expect(await begin()).toMatchObject({ status: 'acquired' });
  });

  it('has the key as long as nobody took it over, also after its lease has ended', async () => {
    const slow = await acquire();
    await database.pool.query(`update idempotency_keys set running_until = now() - interval '1 second'`);
    await keys.record(slow, { body: 'done' }, undefined);
    expect(await begin()).toMatchObject({ status: 'answered', answer: { body: 'done' } });
  });
});
