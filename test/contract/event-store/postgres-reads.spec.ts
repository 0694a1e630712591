import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { collect, dataOf, idsOf } from './reading.js';

describe('streams read at the same moment', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  beforeAll(async () => {
    database = await createTestDatabase();
    store = new PostgresEventStore(database.pool);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('are each read whole and in order, whatever their length', async () => {
    const lengths = [0, 1, 2, 49, 50, 51, 120, 3];
    const streams = lengths.map(() => newStream());
    for (const [place, length] of lengths.entries()) {
      if (length > 0) await store.append(streams[place]!, 'no_stream', newEvents(length));
    }
    const read = await Promise.all(streams.map((stream) => collect(store.readStream(stream))));
    expect(read.map(dataOf)).toEqual(lengths.map((length) => newEvents(length).map(({ data }) => data)));
    expect(read.flatMap((events, place) => events.filter(({ stream }) => stream !== streams[place]))).toEqual(
      [],
    );
  });

  it('are read to their end also where events are as large as they may be', async () => {
    const large = () => [newEvent({ text: 'x'.repeat(400_000) })];
    const streams = [newStream(), newStream(), newStream()];
    for (const stream of streams) {
      await store.append(stream, 'no_stream', large());
      await store.append(stream, 0n, large());
      await store.append(stream, 1n, newEvents(2));
    }
    const read = await Promise.all(streams.map((stream) => collect(store.readStream(stream))));
    expect(read.map((events) => events.length)).toEqual([4, 4, 4]);
  });

  it('start where each asks to and end where it asks to', async () => {
    const stream = newStream();
    const events = newEvents(6);
    await store.append(stream, 'no_stream', events);
    const reads = [0n, 2n, 5n, 6n].map((from) => collect(store.readStream(stream, { from, limit: 3 })));
    const ids = idsOf(events);
    expect((await Promise.all(reads)).map(idsOf)).toEqual([
      ids.slice(0, 3),
      ids.slice(2, 5),
      ids.slice(5),
      [],
    ]);
  });

  it('end backwards with the newest event of a type that they ask for, of each stream its own', async () => {
    const carrying = () => ({ ...newEvent(), type: 'Carried' });
    const [none, one, two] = [newEvents(4), [...newEvents(2), carrying(), ...newEvents(3)], newEvents(2)];
    two.splice(1, 0, carrying(), carrying());
    const streams = [none, one, two].map((events) => ({ events, stream: newStream() }));
    for (const { stream, events } of streams) await store.append(stream, 'no_stream', events);
    const read = ({ stream }: { stream: string }, from?: bigint) =>
      collect(store.readStream(stream, { direction: 'backwards', until: 'Carried', ...(from && { from }) }));
    const wanted = [idsOf(none), idsOf(one).slice(2), idsOf(two).slice(2)].map((ids) => ids.reverse());
    expect((await Promise.all(streams.map((one) => read(one)))).map(idsOf)).toEqual(wanted);
    for (const [place, one] of streams.entries()) expect(idsOf(await read(one))).toEqual(wanted[place]);
    expect(idsOf(await read(streams[2]!, 1n))).toEqual([idsOf(two)[1]]);
    expect(idsOf(await read(streams[1]!, 1n))).toEqual(idsOf(one).slice(0, 2).reverse());
  });

  it('show what was appended before they were asked for', async () => {
    const stream = newStream();
    for (let revision = -1n; revision < 20n; revision++) {
      const busy = Array.from({ length: 5 }, () => collect(store.readStream(newStream())));
      await store.append(stream, revision < 0n ? 'no_stream' : revision, newEvents(1));
      expect(await collect(store.readStream(stream))).toHaveLength(Number(revision) + 2);
      await Promise.all(busy);
    }
  });
});
