import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { CAUGHT_UP, StoreUnavailable } from '../../../src/platform/eventsourcing/store/event-store.js';
import { newEvents, newStream } from '../../support/events.js';
import { PATIENCE_MS } from '../../support/until.js';
import type { Current } from './store-under-test.js';
import { collect, idsOf, nextEvents, untilCaughtUp } from './reading.js';

export function subscriptionRules(current: Current): void {
  describe('subscribe', () => {
    const forEver = (): AbortSignal => new AbortController().signal;

    it('delivers stored events, then CAUGHT_UP, then new events', async () => {
      const { store } = current();
      const before = await store.head();
      const [stream, old, live] = [newStream(), newEvents(700), newEvents(2)];
      await store.append(stream, 'no_stream', old);
      const subscription = store.subscribeAll(before, forEver())[Symbol.asyncIterator]();
      for (const event of old) expect((await subscription.next()).value).toMatchObject({ id: event.id });
      expect((await subscription.next()).value).toBe(CAUGHT_UP);
      const next = subscription.next();
      await store.append(stream, 699n, live);
      expect((await next).value).toMatchObject({ id: live[0]!.id, stream, revision: 700n });
      expect((await subscription.next()).value).toMatchObject({ id: live[1]!.id });
      await subscription.return?.(undefined);
    });

    it('delivers CAUGHT_UP at once when there is nothing to catch up on', async () => {
      const { store } = current();
      expect(await untilCaughtUp(store.subscribeAll(await store.head(), forEver()))).toEqual([]);
      const { position } = await store.append(newStream(), 'no_stream', newEvents(3));
      expect(await untilCaughtUp(store.subscribeAll(position, forEver()))).toEqual([]);
    });

    it('starts after the given position', async () => {
      const { store } = current();
      const before = await store.head();
      for (let i = 0; i < 5; i++) await store.append(newStream(), 'no_stream', newEvents(4));
      const all = await collect(store.readAll(before));
      for (let last = 0; last < all.length; last++) {
        const rest = await untilCaughtUp(store.subscribeAll(all[last]!.position, forEver()));
        expect(idsOf(rest)).toEqual(idsOf(all.slice(last + 1)));
      }
    });

    it('delivers events that another process appends', async () => {
      const { store, connect } = current();
      const other = await connect();
      const events = newEvents(3);
      const next = nextEvents(store.subscribeAll(await store.head(), forEver()), 3);
      await other.append(newStream(), 'no_stream', events);
      expect(idsOf(await next)).toEqual(idsOf(events));
    });

    it('delivers all events to each of several subscriptions', async () => {
      const { store } = current();
      const before = await store.head();
      const events = newEvents(40);
      await store.append(newStream(), 'no_stream', events.slice(0, 20));
      const readers = [0, 1, 2].map(() => nextEvents(store.subscribeAll(before, forEver()), 40));
      await store.append(newStream(), 'no_stream', events.slice(20));
      for (const read of await Promise.all(readers)) expect(idsOf(read)).toEqual(idsOf(events));
    });

    it('ends a waiting subscription promptly on abort', async () => {
      const { store } = current();
      /**
       * Measures how long an abort takes. Readers also poll every half second, so on a busy machine only one abort in
       * ten may be prompt.
       */
      const abort = async (): Promise<number> => {
        const stop = new AbortController();
        let abortedAt = Infinity;
        for await (const item of store.subscribeAll(await store.head(), stop.signal)) {
          expect(item).toBe(CAUGHT_UP);
          setTimeout(() => {
            abortedAt = performance.now();
            stop.abort();
          }, 20);
        }
        return performance.now() - abortedAt;
      };
      let took = await abort();
      for (let tries = 1; took >= 400 && tries < 10; tries++) took = await abort();
      expect(took).toBeLessThan(400);
    });

    it('ends an idle subscription that is aborted at CAUGHT_UP', async () => {
      const { store } = current();
      const { position } = await store.append(newStream(), 'no_stream', newEvents(1));
      const stop = new AbortController();
      const follow = async () => {
        for await (const _ of store.subscribeAll(position, stop.signal)) stop.abort();
        return 'ended';
      };
      expect(await Promise.race([follow(), sleep(PATIENCE_MS, 'waits', { ref: false })])).toBe('ended');
    });

    it('ends a subscription that is aborted before it has caught up', async () => {
      const { store } = current();
      const before = await store.head();
      await store.append(newStream(), 'no_stream', newEvents(1200));
      const stop = new AbortController();
      let seen = 0;
      for await (const item of store.subscribeAll(before, stop.signal)) {
        if (item !== CAUGHT_UP && ++seen === 5) stop.abort();
      }
      expect(seen).toBe(5);
    });

    it('delivers nothing when the signal was aborted before', async () => {
      const { store } = current();
      await store.append(newStream(), 'no_stream', newEvents(1));
      expect(await collect(store.subscribeAll(undefined, AbortSignal.abort()))).toEqual([]);
    });

    it('ends its subscriptions when the store is closed', async () => {
      const { store } = current();
      let closing: Promise<void> | undefined;
      for await (const item of store.subscribeAll(await store.head(), forEver())) {
        expect(item).toBe(CAUGHT_UP);
        setTimeout(() => {
          closing = store.close();
        }, 20);
      }
      await closing;
      await expect(collect(store.subscribeAll(undefined, forEver()))).rejects.toThrow(StoreUnavailable);
    });
  });
}
