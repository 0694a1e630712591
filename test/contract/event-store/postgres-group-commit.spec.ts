import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import {
  AppendOutcomeUnknown,
  RevisionConflict,
  StoreUnavailable,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { collect, dataOf, idsOf } from './reading.js';

describe('group commit', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let pool: pg.Pool;
  let store: PostgresEventStore;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    proxy = await startPostgresProxy(database.url);
    pool = createPool(proxy.url, () => {});
    store = new PostgresEventStore(pool);
  });
  afterEach(async () => {
    await store.close();
    await pool.end();
    await proxy.close();
  });
  afterAll(() => database.drop());

  /** Returns the number of transactions that wrote the events of these streams. */
  const transactionsOf = async (streams: readonly string[]): Promise<number> => {
    const count = 'select count(distinct xmin::text) as transactions from events where stream = any($1)';
    const { rows } = await database.pool.query<{ transactions: string }>(count, [streams]);
    return Number(rows[0]!.transactions);
  };

  it('appends that arrive together share one commit', async () => {
    const streams = Array.from({ length: 40 }, newStream);
    await Promise.all(streams.map((stream) => store.append(stream, 'no_stream', newEvents(2))));
    expect(await transactionsOf(streams)).toBe(1);
    for (const stream of streams)
      expect(dataOf(await collect(store.readStream(stream)))).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('a commit has 4 MB of appends at most, counted as they are sent', async () => {
    const streams = Array.from({ length: 8 }, newStream);
    // 300,000 characters of three bytes each: four of them are in a commit.
    const data = { text: '中'.repeat(300_000) };
    await Promise.all(streams.map((stream) => store.append(stream, 'no_stream', [newEvent(data)])));
    expect(await transactionsOf(streams)).toBe(2);
  });

  it('appends of one stream keep their order and never share a commit', async () => {
    const stream = newStream();
    const appends = Array.from({ length: 5 }, (_, i) =>
      store.append(stream, i === 0 ? 'no_stream' : BigInt(i - 1), [newEvent({ i })]),
    );
    expect((await Promise.all(appends)).map((answer) => answer.revision)).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(await transactionsOf([stream])).toBe(5);
  });

  it('a conflict in a group does not hurt the others', async () => {
    const taken = newStream();
    await store.append(taken, 'no_stream', newEvents(1));
    const [a, b] = [newStream(), newStream()];
    const [first, refused, second] = await Promise.allSettled([
      store.append(a, 'no_stream', newEvents(1)),
      store.append(taken, 'no_stream', newEvents(1)),
      store.append(b, 'no_stream', newEvents(3)),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { revision: 0n } });
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(RevisionConflict) });
    expect(second).toMatchObject({ status: 'fulfilled', value: { revision: 2n } });
    expect(await collect(store.readStream(taken))).toHaveLength(1);
    expect(await transactionsOf([a, b])).toBe(1);
  });

  it('a repeat in a group is answered like the first time, beside what is new', async () => {
    const [repeated, fresh] = [newStream(), newStream()];
    const events = newEvents(2);
    const first = await store.append(repeated, 'no_stream', events);
    const [again, other] = await Promise.all([
      store.append(repeated, 'no_stream', events),
      store.append(fresh, 'no_stream', newEvents(1)),
    ]);
    expect(again).toEqual({ ...first, isRepeat: true });
    expect(other).toMatchObject({ revision: 0n, isRepeat: false });
  });

  it('a member that the database refuses does not hurt the others and leaves no gap', async () => {
    const [a, b] = [newStream(), newStream()];
    const before = (await store.head())?.commit ?? 0n;
    const [first, refused, second] = await Promise.allSettled([
      store.append(a, 'no_stream', newEvents(1)),
      store.append(newStream(), 'no_stream', [newEvent({}, 'not-a-uuid')]),
      store.append(b, 'no_stream', newEvents(1)),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { position: { commit: before + 1n } } });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22P02' } });
    expect(second).toMatchObject({ status: 'fulfilled', value: { position: { commit: before + 2n } } });
  });

  it.each(['lose the append', 'lose its answer', 'answer like a pooler that lost its server'] as const)(
    'a connection lost at the append (%s) leaves every member unknown, and a repeat finds out',
    async (fault) => {
      const members = Array.from({ length: 3 }, () => ({ stream: newStream(), events: newEvents(2) }));
      const appendAll = () =>
        Promise.allSettled(members.map(({ stream, events }) => store.append(stream, 'no_stream', events)));
      proxy.fault = fault;
      for (const outcome of await appendAll()) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(AppendOutcomeUnknown) });
      }
      const stored = await collect(store.readStream(members[0]!.stream));
      expect(stored).toHaveLength(fault === 'lose the append' ? 0 : 2);
      for (const outcome of await appendAll()) {
        expect(outcome).toMatchObject({ status: 'fulfilled', value: { revision: 1n } });
      }
      for (const { stream, events } of members) {
        expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf(events));
      }
    },
  );

  it('a session that is ended before the commit leaves the outcome unknown; nothing is stored, and a repeat goes through', async () => {
    const blocker = await database.pool.connect();
    const stream = newStream();
    const events = newEvents(1);
    try {
      await blocker.query('begin; lock table events in exclusive mode');
      const append = store.append(stream, 'no_stream', events);
      const terminate = `select pg_terminate_backend(pid) as done from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`;
      await Promise.all([
        expect(append).rejects.toThrow(AppendOutcomeUnknown),
        (async () => {
          while ((await database.pool.query(terminate)).rowCount === 0);
        })(),
      ]);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect(await collect(store.readStream(stream))).toEqual([]);
    expect((await store.append(stream, 'no_stream', events)).revision).toBe(0n);
  });

  it('appends wait for one another over processes, so that positions become visible in order', async () => {
    const [early, late] = [newStream(), newStream()];
    const blocker = await database.pool.connect();
    const otherPool = createPool(database.url, () => {});
    const other = new PostgresEventStore(otherPool);
    try {
      // The first append holds the append lock and cannot commit while its stream name is locked by another insert.
      await blocker.query('begin');
      await blocker.query(
        `insert into events values (-1, $1, 0, gen_random_uuid(), 'AddonAttached', '{}', '{}')`,
        [early],
      );
      let isLateDone = false;
      const first = store.append(early, 'no_stream', newEvents(1));
      while ((await waitingOnLocks()) < 1);
      const second = other.append(late, 'no_stream', newEvents(1)).finally(() => (isLateDone = true));
      while ((await waitingOnLocks()) < 2);
      expect(isLateDone).toBe(false);
      await blocker.query('rollback');
      const [a, b] = await Promise.all([first, second]);
      expect(b.position.commit).toBe(a.position.commit + 1n);
    } finally {
      blocker.release(true);
      await other.close();
      await otherPool.end();
    }
  });

  const waitingOnLocks = async (): Promise<number> => {
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return (await database.pool.query(waiting)).rowCount ?? 0;
  };

  it('an unreachable database means unavailable', async () => {
    await proxy.close();
    await expect(store.append(newStream(), 'no_stream', newEvents(1))).rejects.toThrow(StoreUnavailable);
    await expect(collect(store.readStream(newStream()))).rejects.toThrow(StoreUnavailable);
    await expect(store.head()).rejects.toThrow(StoreUnavailable);
    await expect(store.identity()).rejects.toThrow(StoreUnavailable);
  });

  it('closing lets the group under way finish and refuses what waits', async () => {
    const stream = newStream();
    const first = store.append(stream, 'no_stream', newEvents(1));
    await new Promise(setImmediate);
    const waiting = store.append(stream, 0n, newEvents(1));
    const refused = expect(waiting).rejects.toThrow(StoreUnavailable);
    await store.close();
    await refused;
    expect((await first).revision).toBe(0n);
  });
});
