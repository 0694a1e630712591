import { describe, expect, it } from '@jest/globals';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  RevisionConflict,
  StoreUnavailable,
  type AppendResult,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import type { Current } from './store-under-test.js';
import { collect, dataOf } from './reading.js';

export const revisionAndPosition = ({ revision, position }: AppendResult) => ({ revision, position });

export function appendRules(current: Current): void {
  describe('append', () => {
    it('numbers the events of a stream from 0 and returns the last revision', async () => {
      const { store } = current();
      const stream = newStream();
      const first = await store.append(stream, 'no_stream', newEvents(3));
      const second = await store.append(stream, 2n, newEvents(1));
      expect([first.revision, second.revision]).toEqual([2n, 3n]);
      const read = await collect(store.readStream(stream));
      expect(read.map((event) => event.revision)).toEqual([0n, 1n, 2n, 3n]);
      expect(read[2]!.position).toEqual(first.position);
      expect(read[3]!.position).toEqual(second.position);
    });

    it('returns an event as it was appended', async () => {
      const { store } = current();
      const stream = newStream();
      const event = newEvent({
        name: 'Łódź — 東京 🧾',
        nested: { list: [1, null, 'x'], empty: {} },
        zero: 0,
      });
      const caused = { ...event, metadata: { ...event.metadata, causationId: newEvent().id, actor: 'ключ' } };
      const { position } = await store.append(stream, 'no_stream', [caused]);
      expect(await collect(store.readStream(stream))).toEqual([
        { ...caused, stream, revision: 0n, position },
      ]);
    });

    it('keeps JSON text that databases may not store, such as NUL', async () => {
      const { store } = current();
      const stream = newStream();
      const data = {
        nul: 'a\u0000b',
        loneSurrogate: '\ud800',
        quotes: `'"\\`,
        digits: '0.1000000000000000055',
        z: 1,
        a: 2,
      };
      await store.append(stream, 'no_stream', [newEvent(data)]);
      const [read] = await collect(store.readStream(stream));
      expect(JSON.stringify(read!.data)).toBe(JSON.stringify(data));
    });

    it('refuses an append at another revision and stores nothing', async () => {
      const { store } = current();
      const stream = newStream();
      await store.append(stream, 'no_stream', newEvents(2));
      for (const expected of ['no_stream', 0n, 2n, 7n] as const) {
        const refused = store.append(stream, expected, newEvents(1));
        await expect(refused).rejects.toThrow(RevisionConflict);
        await expect(refused).rejects.toMatchObject({ stream, expected });
      }
      await expect(store.append(newStream(), 0n, newEvents(1))).rejects.toThrow(RevisionConflict);
      expect(dataOf(await collect(store.readStream(stream)))).toEqual([{ n: 0 }, { n: 1 }]);
    });

    it('answers a repeated append like the first and stores nothing', async () => {
      const { store } = current();
      const stream = newStream();
      const [start, next] = [newEvents(2), newEvents(1)];
      const first = await store.append(stream, 'no_stream', start);
      expect(revisionAndPosition(await store.append(stream, 'no_stream', start))).toEqual(
        revisionAndPosition(first),
      );
      const second = await store.append(stream, 1n, next);
      expect(revisionAndPosition(await store.append(stream, 1n, next))).toEqual(revisionAndPosition(second));
      expect(await collect(store.readStream(stream))).toHaveLength(3);
    });

    it('distinguishes a repeated append from a new one', async () => {
      const { store } = current();
      const stream = newStream();
      const events = newEvents(2);
      const first = await store.append(stream, 'no_stream', events);
      const again = await store.append(stream, 'no_stream', events);
      expect(again.isRepeat).not.toBe(false);
      expect(first.isRepeat).not.toBe(true);
    });

    it('recognizes a repeat after appends to other streams', async () => {
      const { store } = current();
      const stream = newStream();
      const events = newEvents(2);
      const first = await store.append(stream, 'no_stream', events);
      await store.append(newStream(), 'no_stream', newEvents(1));
      await store.append(newStream(), 'no_stream', newEvents(3));
      expect(revisionAndPosition(await store.append(stream, 'no_stream', events))).toEqual(
        revisionAndPosition(first),
      );
    });

    it('recognizes a repeat after later events of its stream', async () => {
      const { store } = current();
      const stream = newStream();
      const [start, middle] = [newEvents(2), newEvents(2)];
      const first = await store.append(stream, 'no_stream', start);
      const second = await store.append(stream, 1n, middle);
      await store.append(stream, 3n, newEvents(3));
      expect(revisionAndPosition(await store.append(stream, 'no_stream', start))).toEqual(
        revisionAndPosition(first),
      );
      expect(revisionAndPosition(await store.append(stream, 1n, middle))).toEqual(
        revisionAndPosition(second),
      );
      expect(await collect(store.readStream(stream))).toHaveLength(7);
    });

    it('refuses an append that equals only a part of an earlier one', async () => {
      const { store } = current();
      const stream = newStream();
      const [a, b] = newEvents(2) as [ReturnType<typeof newEvent>, ReturnType<typeof newEvent>];
      await store.append(stream, 'no_stream', [a, b]);
      for (const other of [
        [a, newEvent()],
        [newEvent(), b],
        [b, a],
        [a, b, newEvent()],
      ]) {
        await expect(store.append(stream, 'no_stream', other)).rejects.toThrow(RevisionConflict);
      }
      // The same events at another revision are another append.
      await expect(store.append(stream, 0n, [a])).rejects.toThrow(RevisionConflict);
      expect(await collect(store.readStream(stream))).toHaveLength(2);
    });

    it('stores an append just under the size limit', async () => {
      const { store } = current();
      const stream = newStream();
      const text = '🧾'.repeat((MAX_APPEND_BYTES - 4096) / 4);
      await store.append(stream, 'no_stream', [newEvent({ text })]);
      const [read] = await collect(store.readStream(stream));
      expect((read!.data as { text: string }).text === text).toBe(true);
    });

    it('refuses an append over the size limit or without events', async () => {
      const { store } = current();
      const stream = newStream();
      const half = newEvent({ text: '🧾'.repeat(MAX_APPEND_BYTES / 8) });
      await expect(store.append(stream, 'no_stream', [half, half])).rejects.toThrow(AppendTooLarge);
      await expect(store.append(stream, 'no_stream', [])).rejects.toThrow(RangeError);
      expect(await collect(store.readStream(stream))).toEqual([]);
    });

    it("has the newest event's position as head and the first event's id as identity", async () => {
      const { store, fresh, connect } = current();
      if (fresh) expect([await store.head(), await store.identity()]).toEqual([undefined, undefined]);
      const events = newEvents(2);
      const { position } = await store.append(newStream(), 'no_stream', events);
      expect(await store.head()).toEqual(position);
      const [oldest] = await collect(store.readAll(undefined, 1));
      if (fresh) expect(oldest!.id).toBe(events[0]!.id);
      await store.append(newStream(), 'no_stream', newEvents(1));
      expect(await store.identity()).toBe(oldest!.id);
      expect(await (await connect()).identity()).toBe(oldest!.id);
    });

    it('is unavailable after it was closed', async () => {
      const { store } = current();
      await store.close();
      await store.close();
      await expect(store.append(newStream(), 'no_stream', newEvents(1))).rejects.toThrow(StoreUnavailable);
      await expect(collect(store.readStream(newStream()))).rejects.toThrow(StoreUnavailable);
      await expect(collect(store.readAll())).rejects.toThrow(StoreUnavailable);
      await expect(store.head()).rejects.toThrow(StoreUnavailable);
    });
  });
}
