import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inBackground } from '../../../src/platform/concurrency/long-work.js';
import { CommandSession } from '../../../src/platform/eventsourcing/command-runner/command-context.js';
import { StreamStateCache } from '../../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { LogTail } from '../../../src/platform/eventsourcing/store/eventstoredb/log-tail.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import { PATIENCE_MS } from '../../support/until.js';
import { collect, idsOf } from './reading.js';

/** Concurrent queries share a read of the end of the log, whose result is never older than the query. */
describe('EventStoreDB, the end of the log', () => {
  let node: EsdbDouble;
  let store: EventStoreDbEventStore;
  let other: EventStoreDbEventStore;

  beforeEach(async () => {
    node = await new EsdbDouble().start();
    [store, other] = [0, 1].map(() => new EventStoreDbEventStore(node.connectionString, PATIENCE_MS)) as [
      EventStoreDbEventStore,
      EventStoreDbEventStore,
    ];
  });
  afterEach(async () => {
    await store.close();
    await other.close();
    node.stop();
  });

  /** As the node stores them, without a wire between. */
  function storeAtOnce(stream: string, count: number): void {
    const events = Array.from({ length: count }, () => {
      const { id, type, data, metadata } = newEvent();
      const bytes = {
        data: Buffer.from(JSON.stringify(data)),
        metadata: Buffer.from(JSON.stringify(metadata)),
      };
      return { id, type, contentType: 'application/json', ...bytes };
    });
    while (events.length > 0) node.log.append(stream, 'any', events.splice(0, 500));
  }

  it('is read by one call for all who look at streams that were appended to here', async () => {
    await store.append(newStream(), 'no_stream', newEvents(1));
    await store.head();
    const streams = Array.from({ length: 100 }, newStream);
    await Promise.all(streams.map((stream) => store.append(stream, 'no_stream', newEvents(1))));
    const before = node.reader.calls;
    const ends = await Promise.all(streams.map((stream) => collect(store.readStream(stream, { from: 1n }))));
    expect(ends.flat()).toEqual([]);
    expect(node.reader.calls - before).toBeLessThanOrEqual(2);
  });

  it('has what anybody else has appended since', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', newEvents(1));
    await collect(store.readStream(stream));
    const events = newEvents(3);
    await other.append(stream, 0n, events);
    expect(idsOf(await collect(store.readStream(stream, { from: 1n })))).toEqual(idsOf(events));
    expect(await collect(store.readStream(newStream()))).toEqual([]);
  });

  it('is known without a call once it was read since an instant, and never as it was before', async () => {
    await store.append(newStream(), 'no_stream', newEvents(1));
    await store.head();
    const [stream, another] = [newStream(), newStream()];
    await store.append(stream, 'no_stream', newEvents(1));
    await store.append(another, 'no_stream', newEvents(1));
    const events = newEvents(1);
    await other.append(another, 0n, events);
    const since = performance.now();
    expect(store.knownEvents(another, 1n, since)).toBeUndefined();
    await collect(store.readStream(stream, { from: 1n }));
    const { calls } = node.reader;
    expect(idsOf(store.knownEvents(another, 1n, since)!)).toEqual(idsOf(events));
    expect(store.knownEvents(newStream(), 0n, since)).toBeUndefined();
    expect(node.reader.calls).toBe(calls);
  });

  it('is read once by a command for all its streams, and again after it has written', async () => {
    const [cache, session] = [StreamStateCache.of(store), new CommandSession()];
    const rules = { initial: () => 0, evolve: (count: number) => count + 1 };
    const streams = Array.from({ length: 5 }, newStream) as [string, ...string[]];
    for (const stream of streams) {
      await store.append(stream, 'no_stream', newEvents(1));
      await cache.load(stream, rules);
    }
    session.restart();
    const { calls } = node.reader;
    for (const stream of streams) await cache.load(stream, rules, session);
    expect(node.reader.calls - calls).toBe(1);
    await other.append(streams[0], 0n, newEvents(1));
    session.forget(streams[0]);
    expect(await cache.load(streams[0], rules, session)).toMatchObject({ state: 2 });
  });

  it('is read once at a time, also where requests and background work look at it', async () => {
    let [underWay, most] = [0, 0];
    const tail = new LogTail({
      newest: async () => ({ commit: 0n, prepare: 0n }),
      readOn: async () => {
        most = Math.max(most, (underWay += 1));
        await new Promise(setImmediate);
        underWay -= 1;
        return true;
      },
    });
    const look = () => tail.since('plan-1', 0n);
    await look();
    await Promise.all([look(), inBackground(look), look()]);
    expect(most).toBe(1);
  });

  it('is the log itself, whoever appends and however it is read', async () => {
    const streams = Array.from({ length: 4 }, newStream);
    const step = fc.record({
      act: fc.constantFrom(
        'append',
        'appended elsewhere',
        'by another application',
        'forwards',
        'backwards',
        'known',
        'all',
      ),
      stream: fc.constantFrom(...streams),
      from: fc.option(fc.integer({ min: 0, max: 12 })),
      limit: fc.option(fc.integer({ min: 1, max: 4 })),
    });
    const own = (stream: string) =>
      (node.log.streams.get(stream) ?? []).filter(({ type }) => type !== 'order-placed');
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      for (const { act, stream, from, limit } of steps) {
        const bounds = {
          ...(from === null ? {} : { from: BigInt(from) }),
          ...(limit === null ? {} : { limit }),
        };
        const [most, first] = [limit ?? Infinity, BigInt(from ?? 0)];
        if (act === 'append' || act === 'appended elsewhere') {
          const revision = own(stream).at(-1)?.revision;
          await (act === 'append' ? store : other).append(stream, revision ?? 'no_stream', newEvents(2));
        } else if (act === 'by another application') {
          const event = { id: randomUUID(), type: 'order-placed', contentType: 'application/json' };
          node.log.append(stream, 'any', [{ ...event, data: Buffer.from('{}'), metadata: Buffer.from('') }]);
        } else if (act === 'known') {
          const since = performance.now();
          await collect(store.readStream(streams[0]!));
          const known = store.knownEvents(stream, first, since);
          if (known)
            expect(idsOf(known)).toEqual(idsOf(own(stream).filter(({ revision }) => revision >= first)));
        } else if (act === 'all') {
          const all = await collect(store.readAll());
          const behind = all[from ?? 0];
          if (!behind) continue;
          const rest = await collect(store.readAll(behind.position, most));
          expect(idsOf(rest)).toEqual(idsOf(all.slice((from ?? 0) + 1).slice(0, most)));
        } else if (act === 'forwards') {
          const expected = own(stream).filter(({ revision }) => revision >= first);
          const read = await collect(store.readStream(stream, bounds));
          expect(idsOf(read)).toEqual(idsOf(expected.slice(0, most)));
        } else {
          const expected = own(stream).filter(({ revision }) => from === null || revision <= first);
          const read = await collect(store.readStream(stream, { ...bounds, direction: 'backwards' }));
          expect(idsOf(read)).toEqual(idsOf(expected.reverse().slice(0, most)));
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), run), { numRuns: 4 });
  });

  it('goes on behind thousands of events, which it lets go of, or begins anew behind', async () => {
    const [stream, busy] = [newStream(), newStream()];
    await store.append(stream, 'no_stream', newEvents(2));
    await collect(store.readStream(stream));
    for (const count of [1_500, 3_000, 4_500]) {
      storeAtOnce(busy, count);
      const all = node.log.streams.get(busy)!;
      expect(idsOf(await collect(store.readStream(stream, { from: 2n })))).toEqual([]);
      const from = BigInt(all.length - 5);
      expect(idsOf(await collect(store.readStream(busy, { from })))).toEqual(idsOf(all.slice(-5)));
    }
    expect(await collect(store.readStream(stream))).toHaveLength(2);
  });

  it('is read again where an append has met more than was thought', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', newEvents(1));
    await collect(store.readStream(stream));
    await other.append(stream, 0n, newEvents(1));
    await expect(store.append(stream, 0n, newEvents(1))).rejects.toThrow('is not at revision 0');
    expect(await collect(store.readStream(stream, { from: 1n }))).toHaveLength(1);
  });
});
