import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { foldStream } from '../../../src/platform/eventsourcing/store/event-store.js';
import type { ForeignEvent } from '../../../src/platform/eventsourcing/store/eventstoredb/recount-events.js';
import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { frozenView } from '../../../src/platform/eventsourcing/store/frozen-view.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import { collect, idsOf, nextEvents, untilCaughtUp } from './reading.js';

/** Somebody uses the admin page of the node, or another application writes to it. */
describe('EventStoreDB with events of others', () => {
  let node: EsdbDouble;
  let store: EventStoreDbEventStore;
  let told: ForeignEvent[];

  beforeEach(async () => {
    node = await new EsdbDouble().start();
    told = [];
    store = new EventStoreDbEventStore(node.connectionString, undefined, (event) => told.push(event));
  });
  afterEach(async () => {
    await store.close();
    node.stop();
  });

  const addForeign = (stream: string, data = '{}', metadata = '', contentType = 'application/json') =>
    node.log.append(stream, 'any', [
      {
        id: randomUUID(),
        type: 'order-placed',
        contentType,
        data: Buffer.from(data),
        metadata: Buffer.from(metadata),
      },
    ]);
  /** All the ways in which an event is not ours. */
  function addAllKinds(): void {
    addForeign('orders-1');
    addForeign('orders-1', '{}', 'null');
    addForeign('orders-1', 'no JSON', 'no JSON', 'application/octet-stream');
    addForeign('orders-1', 'no JSON', '{"org":"orders","schemaVersion":1}');
    const ours = JSON.stringify(newEvent().metadata);
    addForeign('copies-of-others', '{}', ours);
    addForeign(newStream(), '"text"', ours);
  }
  const KINDS = 6;
  const forEver = (): AbortSignal => new AbortController().signal;

  it('are in no reading of the log, and each is told of once', async () => {
    addAllKinds();
    const [before, after] = [newEvents(2), newEvents(2)];
    await store.append(newStream(), 'no_stream', before);
    addAllKinds();
    await store.append(newStream(), 'no_stream', after);
    addAllKinds();
    const ours = idsOf([...before, ...after]);
    expect(idsOf(await collect(store.readAll()))).toEqual(ours);
    expect(idsOf(await collect(store.readAll(undefined, 3)))).toEqual(ours.slice(0, 3));
    expect(idsOf(await untilCaughtUp(store.subscribeAll(undefined, forEver())))).toEqual(ours);
    expect(told).toHaveLength(3 * KINDS);
    expect(new Set(told.map(({ position }) => position.commit)).size).toBe(3 * KINDS);
  });

  it('are neither the head nor the identity, so that a read model that has ours is up to date', async () => {
    addAllKinds();
    expect([await store.head(), await store.identity()]).toEqual([undefined, undefined]);
    const [event] = newEvents(1);
    const { position } = await store.append(newStream(), 'no_stream', [event!]);
    for (let i = 0; i < 50; i++) addForeign('orders-1');
    expect([await store.head(), await store.identity()]).toEqual([position, event!.id]);
    expect(await untilCaughtUp(store.subscribeAll(position, forEver()))).toEqual([]);
  });

  it('a live subscription goes on behind them', async () => {
    const next = nextEvents(store.subscribeAll(undefined, forEver()), 2);
    const events = newEvents(2);
    const stream = newStream();
    await store.append(stream, 'no_stream', events.slice(0, 1));
    addAllKinds();
    await store.append(stream, 0n, events.slice(1));
    expect(idsOf(await next)).toEqual(idsOf(events));
  });

  describe('in a stream of ours', () => {
    it('are passed over by every read of it, whose pages and limits count our events', async () => {
      const stream = newStream();
      addForeign(stream);
      const events = newEvents(6);
      for (const event of events) {
        await store.append(stream, 'no_stream', [event]).catch(async () => {
          const [last] = await collect(store.readStream(stream, { direction: 'backwards', limit: 1 }));
          await store.append(stream, last!.revision, [event]);
        });
        addForeign(stream);
        addForeign(stream);
      }
      const ids = idsOf(events);
      expect(idsOf(await collect(store.readStream(stream)))).toEqual(ids);
      expect(idsOf(await collect(store.readStream(stream, { limit: 4 })))).toEqual(ids.slice(0, 4));
      const backwards = store.readStream(stream, { direction: 'backwards', limit: 4 });
      expect(idsOf(await collect(backwards))).toEqual(ids.slice(2).reverse());
      const all = await collect(store.readStream(stream));
      for (const from of [all[2]!.revision, all[2]!.revision - 1n]) {
        expect(idsOf(await collect(frozenView(store).readStream(stream, { from, limit: 2 })))).toEqual(
          ids.slice(2, 4),
        );
      }
      const rules = { initial: () => 0, evolve: (count: number) => count + 1 };
      expect((await foldStream(store, stream, rules, all[3]!.revision)).state).toBe(4);
    });

    it('do not end it: the next append goes behind them, once', async () => {
      const stream = newStream();
      addForeign(stream);
      const [first, second] = [newEvents(2), newEvents(1)];
      const appended = await store.append(stream, 'no_stream', first);
      expect(appended.revision).toBe(2n);
      expect(await store.append(stream, 'no_stream', first)).toEqual(appended);
      addForeign(stream);
      addForeign(stream);
      const next = await store.append(stream, 2n, second);
      expect(next.revision).toBe(5n);
      expect(await store.append(stream, 2n, second)).toEqual(next);
      await expect(store.append(stream, 2n, newEvents(1))).rejects.toThrow('is not at revision 2');
      expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf([...first, ...second]));
    });
  });
});
