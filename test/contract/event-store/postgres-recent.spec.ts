import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { CAUGHT_UP, StoreUnavailable } from '../../../src/platform/eventsourcing/store/event-store.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { collect } from './reading.js';

describe('what a process has appended and follows', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  let other: PostgresEventStore;
  const stop = new AbortController();
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => {
    store = new PostgresEventStore(database.pool);
    other = new PostgresEventStore(database.pool);
  });
  afterEach(async () => {
    await store.close();
    await other.close();
  });
  afterAll(async () => {
    stop.abort();
    await database.drop();
  });

  /** The next so many events of a subscription. */
  const next = async (subscription: AsyncIterator<RecordedEvent | typeof CAUGHT_UP>, count: number) => {
    const events: RecordedEvent[] = [];
    while (events.length < count) {
      const { value } = await subscription.next();
      if (value !== CAUGHT_UP) events.push(value as RecordedEvent);
    }
    return events;
  };
  const follow = (from?: RecordedEvent) =>
    store.subscribeAll(from?.position, stop.signal)[Symbol.asyncIterator]();

  it('is handed to it as the log has it, with what others append in between, in order and once', async () => {
    await other.append(newStream(), 'no_stream', newEvents(2));
    const subscription = follow();
    await next(subscription, (await collect(other.readAll())).length);
    for (let round = 0; round < 10; round += 1) {
      const started = [store, other, store, other, store].map((writer, i) =>
        writer.append(newStream(), 'no_stream', [newEvent({ round, left: undefined }), ...newEvents(i)]),
      );
      await Promise.all(round % 2 ? started : started.slice(0, 1));
      await Promise.all(started);
    }
    const all = await collect(other.readAll());
    const last = all.at(-150)!;
    expect(await next(follow(last), 149)).toEqual(all.slice(-149));
    expect(await next(subscription, 150)).toEqual(all.slice(-150));
    expect(await collect(store.readAll(last.position))).toEqual(all.slice(-149));
    expect(await collect(store.readAll())).toEqual(all);
    expect(await collect(store.readAll(last.position, 7))).toEqual(all.slice(-149, -142));
  });

  it('is not read back: a repeat and a conflict leave no trace in it', async () => {
    const subscription = follow((await collect(store.readAll())).at(-1));
    expect(await subscription.next()).toEqual({ done: false, value: CAUGHT_UP });
    const stream = newStream();
    const events = newEvents(2);
    await store.append(stream, 'no_stream', events);
    await store.append(stream, 'no_stream', events);
    await store.append(stream, 'no_stream', newEvents(1)).catch(() => undefined);
    await store.append(stream, 1n, newEvents(1));
    const all = await collect(other.readStream(stream));
    expect(await next(subscription, 3)).toEqual(all);
  });

  it('is not to be had of a store that is closed', async () => {
    await next(follow(), 1);
    await store.append(newStream(), 'no_stream', newEvents(1));
    await store.close();
    await expect(collect(store.readAll())).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
