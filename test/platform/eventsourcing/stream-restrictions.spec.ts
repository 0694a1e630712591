import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/open-database.js';
import {
  isRestrictedSince,
  StreamRestrictions,
  tryUse,
} from '../../../src/platform/eventsourcing/stream-restrictions.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { ORG } from '../../support/counter.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

describe('restrictions of streams', () => {
  let database: TestDatabase;
  let restrictions: StreamRestrictions;
  let streams = 0;
  const newStream = (): string => `plan-${(streams += 1)}`;

  beforeAll(async () => {
    database = await createTestDatabase();
    restrictions = new StreamRestrictions(new Database(database.pool, database.url, async () => {}));
  });
  afterAll(() => database.drop());

  const restrictTo = (stream: string, revision: bigint) =>
    restrictions.restrict(ORG, stream, async () => ({ revision, events: [{}] }));
  const isRestricted = async (stream: string, revision: bigint): Promise<boolean> => {
    const sql = `select ${isRestrictedSince('$1', '$2', '0')} as answer`;
    return (await database.pool.query(sql, [stream, revision])).rows[0].answer;
  };
  const isUsable = async (stream: string): Promise<boolean> =>
    (await database.pool.query(`select ${tryUse('$1')} as answer`, [stream])).rows[0].answer;

  /** Begins a restriction, whose command runs until `end` is called. */
  async function begun(stream: string, over = restrictions) {
    let end: (error?: Error) => void = () => {};
    let begin = (): void => {};
    const beginning = new Promise<void>((resolve) => (begin = resolve));
    const ended = over.restrict(
      ORG,
      stream,
      () =>
        new Promise<{ revision: bigint; events: object[] }>((resolve, reject) => {
          end = (error) => (error ? reject(error) : resolve({ revision: 1n, events: [{}] }));
          begin();
        }),
    );
    await beginning;
    return { end, ended };
  }

  it('let a use of another stream go on, and make one of the same stream wait', async () => {
    const stream = newStream();
    const order: string[] = [];
    const { end, ended } = await begun(stream);
    expect(await isUsable(stream)).toBe(false);
    expect(await isUsable(newStream())).toBe(true);
    await restrictions.use(ORG, [newStream()], async () => order.push('other use'));
    const use = restrictions.use(ORG, [newStream(), stream], async () => order.push('use'));
    order.push('restriction');
    end();
    await Promise.all([ended, use]);
    expect(order).toEqual(['other use', 'restriction', 'use']);
    expect(await isUsable(stream)).toBe(true);
  });

  it('wait for uses, which do not wait for one another', async () => {
    const stream = newStream();
    const order: string[] = [];
    const { restricted } = await restrictions.use(ORG, [stream], async () => {
      await restrictions.use('1b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e11', [stream], async () => order.push('use'));
      const restricted = restrictTo(stream, 1n).then(() => order.push('restriction'));
      while (await isUsable(stream));
      order.push('end of the other use');
      return { restricted };
    });
    await restricted;
    expect(order).toEqual(['use', 'end of the other use', 'restriction']);
  });

  it('outdate what was decided on an older revision, for a minute', async () => {
    const stream = newStream();
    await restrictTo(stream, 4n);
    await restrictTo(stream, 7n);
    expect([await isRestricted(stream, 6n), await isRestricted(stream, 7n)]).toEqual([true, false]);
    await database.pool.query(`update restricted_streams set restricted_at = now() - interval '2 minutes'`);
    expect(await isRestricted(stream, 6n)).toBe(false);
  });

  it('leave nothing behind when the command is refused', async () => {
    const stream = newStream();
    const { end, ended } = await begun(stream);
    end(new Error('refused'));
    await expect(ended).rejects.toThrow('refused');
    expect([await isUsable(stream), await isRestricted(stream, 0n)]).toEqual([true, false]);
  });

  it('keep the lock while their command takes longer than a session may be idle in a transaction', async () => {
    const stream = newStream();
    const { url } = database;
    const pool = createPool(url, () => {}, 2, { idleInTransactionMs: 8_000 });
    const limited = new StreamRestrictions(new Database(pool, url, async () => {}));
    const { end, ended } = await begun(stream, limited);
    await sleep(10_000);
    expect(await isUsable(stream)).toBe(false);
    end();
    await ended;
    expect(await isRestricted(stream, 0n)).toBe(true);
    await pool.end();
  });

  it('leave nothing behind when their connection breaks', async () => {
    const stream = newStream();
    const { end, ended } = await begun(stream);
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`,
    );
    while (!(await isUsable(stream)));
    end();
    await expect(ended).rejects.toThrow();
    expect(await isRestricted(stream, 0n)).toBe(false);
  });
});
