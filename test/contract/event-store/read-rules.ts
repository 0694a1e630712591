import { describe, expect, it } from '@jest/globals';
import { comparePositions } from '../../../src/kernel/event.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { newEvents, newStream } from '../../support/events.js';
import type { Current } from './store-under-test.js';
import { collect, dataOf, idsOf } from './reading.js';

/** Length of a stream that exceeds the page size of every driver. */
const LONG = 1200;

async function appendLong(store: EventStore, stream: string): Promise<void> {
  await store.append(stream, 'no_stream', newEvents(LONG));
}

const numbers = (from: number, to: number): { n: number }[] => {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => ({ n: from + i * step }));
};

export function readRules(current: Current): void {
  describe('read', () => {
    it('reads a missing stream as empty', async () => {
      const { store } = current();
      expect(await collect(store.readStream(newStream()))).toEqual([]);
      expect(await collect(store.readStream(newStream(), { direction: 'backwards' }))).toEqual([]);
      expect(await collect(store.readStream(newStream(), { from: 3n, limit: 2 }))).toEqual([]);
    });

    it('reads a stream of several pages completely in both directions', async () => {
      const { store } = current();
      const stream = newStream();
      await appendLong(store, stream);
      expect(dataOf(await collect(store.readStream(stream)))).toEqual(numbers(0, LONG - 1));
      expect(dataOf(await collect(store.readStream(stream, { direction: 'backwards' })))).toEqual(
        numbers(LONG - 1, 0),
      );
    });

    it('starts at the given revision and stops at the limit', async () => {
      const { store } = current();
      const stream = newStream();
      await appendLong(store, stream);
      const read = async (options: Parameters<EventStore['readStream']>[1]): Promise<unknown[]> =>
        dataOf(await collect(store.readStream(stream, options)));
      expect(await read({ from: 1195n })).toEqual(numbers(1195, 1199));
      expect(await read({ from: 3n, limit: 2 })).toEqual(numbers(3, 4));
      expect(await read({ from: 2n, limit: 1100 })).toEqual(numbers(2, 1101));
      expect(await read({ limit: 0 })).toEqual([]);
      expect(await read({ from: 1200n })).toEqual([]);
      expect(await read({ from: 3n, direction: 'backwards' })).toEqual(numbers(3, 0));
      expect(await read({ from: 1150n, direction: 'backwards', limit: 1100 })).toEqual(numbers(1150, 51));
      expect(await read({ from: 5000n, direction: 'backwards', limit: 2 })).toEqual(numbers(1199, 1198));
      expect(await read({ direction: 'backwards', limit: 1 })).toEqual(numbers(1199, 1199));
    });

    it('allows a reader to stop early', async () => {
      const { store } = current();
      const stream = newStream();
      await appendLong(store, stream);
      expect(dataOf(await collect(store.readStream(stream), 3))).toEqual(numbers(0, 2));
      expect(await collect(store.readAll(), 2)).toHaveLength(2);
      expect((await store.append(stream, BigInt(LONG - 1), newEvents(1))).revision).toBe(BigInt(LONG));
    });

    it('reads all streams in one order with increasing positions', async () => {
      const { store } = current();
      const before = await store.head();
      const [a, b] = [newStream(), newStream()];
      const [a1, b1, a2] = [newEvents(2), newEvents(1), newEvents(1)];
      await store.append(a, 'no_stream', a1);
      await store.append(b, 'no_stream', b1);
      await store.append(a, 1n, a2);
      const all = await collect(store.readAll(before));
      expect(idsOf(all)).toEqual(idsOf([...a1, ...b1, ...a2]));
      expect(all.map((event) => [event.stream, event.revision])).toEqual([
        [a, 0n],
        [a, 1n],
        [b, 0n],
        [a, 2n],
      ]);
      for (let i = 1; i < all.length; i++) {
        expect(comparePositions(all[i - 1]!.position, all[i]!.position)).toBeLessThan(0);
      }
      expect(await collect(store.readStream(a))).toEqual(all.filter((event) => event.stream === a));
    });

    it('reads all events after a given position, page by page', async () => {
      const { store } = current();
      const before = await store.head();
      await appendLong(store, newStream());
      await store.append(newStream(), 'no_stream', newEvents(2));
      const all = await collect(store.readAll(before));
      expect(all).toHaveLength(LONG + 2);
      for (const last of [0, 499, 500, LONG, LONG + 1]) {
        expect(idsOf(await collect(store.readAll(all[last]!.position)))).toEqual(idsOf(all.slice(last + 1)));
      }
      expect(idsOf(await collect(store.readAll(all[10]!.position, 3)))).toEqual(idsOf(all.slice(11, 14)));
      expect(await collect(store.readAll(before, LONG + 1))).toHaveLength(LONG + 1);
      expect(await collect(store.readAll(before, 0))).toEqual([]);
    });
  });
}
