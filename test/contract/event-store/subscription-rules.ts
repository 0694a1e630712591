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

    it('what is stored comes first, then the mark, then what is appended', async () => {
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

    it('a subscription with nothing to catch up on says so at once', async () => {
      const { store } = current();
      expect(await untilCaughtUp(store.subscribeAll(await store.head(), forEver()))).toEqual([]);
      const { position } = await store.append(newStream(), 'no_stream', newEvents(3));
      expect(await untilCaughtUp(store.subscribeAll(position, forEver()))).toEqual([]);
    });

    it('a subscription goes on after the position it is given', async () => {
      const { store } = current();
      const before = await store.head();
      for (let i = 0; i < 5; i++) await store.append(newStream(), 'no_stream', newEvents(4));
      const all = await collect(store.readAll(before));
      for (let last = 0; last < all.length; last++) {
        const rest = await untilCaughtUp(store.subscribeAll(all[last]!.position, forEver()));
        expect(idsOf(rest)).toEqual(idsOf(all.slice(last + 1)));
      }
    });

    it('what another process appends arrives too', async () => {
      const { store, connect } = current();
      const other = await connect();
      const events = newEvents(3);
      const next = nextEvents(store.subscribeAll(await store.head(), forEver()), 3);
      await other.append(newStream(), 'no_stream', events);
      expect(idsOf(await next)).toEqual(idsOf(events));
    });

    it('several subscriptions each get everything, at their own pace', async () => {
      const { store } = current();
      const before = await store.head();
      const events = newEvents(40);
      await store.append(newStream(), 'no_stream', events.slice(0, 20));
      const readers = [0, 1, 2].map(() => nextEvents(store.subscribeAll(before, forEver()), 40));
      await store.append(newStream(), 'no_stream', events.slice(20));
      for (const read of await Promise.all(readers)) expect(idsOf(read)).toEqual(idsOf(events));
    });

    it('an abort ends a waiting subscription promptly', async () => {
      const { store } = current();
      /** A reader looks by itself every half a second. On a busy machine one end in ten is prompt. */
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

    it('an abort at the mark ends a subscription to which nothing comes any more', async () => {
      const { store } = current();
      const { position } = await store.append(newStream(), 'no_stream', newEvents(1));
      const stop = new AbortController();
      const follow = async () => {
        for await (const _ of store.subscribeAll(position, stop.signal)) stop.abort();
        return 'ended';
      };
      expect(await Promise.race([follow(), sleep(PATIENCE_MS, 'waits', { ref: false })])).toBe('ended');
    });

    it('an abort ends a subscription that has not caught up', async () => {
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

    it('a signal that was aborted before gives an empty subscription', async () => {
      const { store } = current();
      await store.append(newStream(), 'no_stream', newEvents(1));
      expect(await collect(store.subscribeAll(undefined, AbortSignal.abort()))).toEqual([]);
    });

    it('closing the store ends its subscriptions', async () => {
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
