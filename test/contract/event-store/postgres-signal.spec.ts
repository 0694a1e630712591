import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { CAUGHT_UP } from '../../../src/platform/eventsourcing/store/event-store.js';
import { AppendSignal } from '../../../src/platform/eventsourcing/store/postgres/append-signal.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { newEvents, newStream } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { idsOf } from './reading.js';

/** Application name of the reader's connections, so that only these can be broken. */
const READER = 'reader';

describe('what Postgres readers hear of appends', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let store: PostgresEventStore;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => {
    const separator = database.url.includes('?') ? '&' : '?';
    pool = createPool(`${database.url}${separator}application_name=${READER}`, () => {});
    store = new PostgresEventStore(pool);
  });
  afterEach(async () => {
    await store.close();
    await pool.end();
  });
  afterAll(() => database.drop());

  /** Breaks every connection of the reader; answers how many. One of the test's pool would be met by its next query. */
  const breakConnections = async () =>
    (
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = $1`,
        [READER],
      )
    ).rowCount;

  it('other processes are notified after the commit, and not once per append', async () => {
    const listener = await database.pool.connect();
    let notifications = 0;
    try {
      listener.on('notification', () => notifications++);
      await listener.query('listen recount_events_appended');
      const began = performance.now();
      for (let round = 0; round < 5; round++) {
        await Promise.all([1, 2, 3, 4].map(() => store.append(newStream(), 'no_stream', newEvents(1))));
      }
      await store.close();
      // One at once, and then one every 20 ms.
      const most = 1 + Math.ceil((performance.now() - began) / 20);
      await listener.query('select 1');
      expect(notifications).toBeGreaterThan(0);
      expect(notifications).toBeLessThanOrEqual(most);
    } finally {
      listener.release(true);
    }
  });

  it('a process is not woken by its own notification, which would make it notify again for ever', async () => {
    const stop = new AbortController();
    const iterator = store.subscribeAll(await store.head(), stop.signal)[Symbol.asyncIterator]();
    await iterator.next();
    const listener = await database.pool.connect();
    let notifications = 0;
    try {
      listener.on('notification', () => notifications++);
      await listener.query('listen recount_events_appended');
      await store.append(newStream(), 'no_stream', newEvents(1));
      await iterator.next();
      await until(() => notifications > 0);
      await sleep(200);
      await listener.query('select 1');
      expect(notifications).toBe(1);
    } finally {
      stop.abort();
      listener.release(true);
    }
  });

  it('a subscription outlives its connections without loss or repeat', async () => {
    const other = new PostgresEventStore(database.pool);
    const stop = new AbortController();
    const seen: RecordedEvent[] = [];
    let caughtUp = 0;
    const before = await store.head();
    const following = (async () => {
      for await (const item of store.subscribeAll(before, stop.signal)) {
        if (item === CAUGHT_UP) caughtUp++;
        else seen.push(item);
      }
    })();
    const appended: string[] = [];
    for (let round = 0; round < 3; round++) {
      const events = newEvents(20);
      await other.append(newStream(), 'no_stream', events);
      appended.push(...idsOf(events));
      while (round < 2 && (await breakConnections()) === 0) await sleep(5);
    }
    while (seen.length < appended.length) await sleep(5);
    stop.abort();
    await following;
    expect(idsOf(seen)).toEqual(appended);
    expect(caughtUp).toBeGreaterThan(0);
    await other.close();
  });

  it('what is appended during a read is not slept over', async () => {
    const signal = new AppendSignal(pool);
    const never = new AbortController().signal;
    const beforeTheRead = signal.count;
    signal.appended();
    const woken = signal.next(beforeTheRead, never).then(() => 'at once');
    expect(await Promise.race([woken, sleep(50, 'at the next poll')])).toBe('at once');
    const asleep = signal.next(signal.count, never).then(() => 'at once');
    expect(await Promise.race([asleep, sleep(50, 'at the next poll')])).toBe('at the next poll');
    await signal.close();
    await asleep;
  });

  it('a reader that hears nothing looks by itself', async () => {
    const stop = new AbortController();
    const iterator = store.subscribeAll(await store.head(), stop.signal)[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe(CAUGHT_UP);
    const next = iterator.next();
    // Written behind the store's back: nobody notifies.
    const insert = `insert into events
      select coalesce(max(position), 0) + 1, 'plan-x.y', 0, gen_random_uuid(), 'AddonAttached', '{}', '{}' from events`;
    await database.pool.query(insert);
    expect((await next).value).toMatchObject({ stream: 'plan-x.y' });
    stop.abort();
  });
});
