import { describe, expect, it } from '@jest/globals';
import type { EventStore, ReadStreamOptions } from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { frozenView } from '../../../src/platform/eventsourcing/store/frozen-view.js';
import { newEvents, newStream } from '../../support/events.js';

class WatchedStore extends InMemoryEventStore {
  readonly reads: string[] = [];

  override readStream(stream: string, options?: ReadStreamOptions) {
    this.reads.push(stream);
    return super.readStream(stream, options);
  }
}

async function collect(store: Pick<EventStore, 'readStream'>, stream: string, options?: ReadStreamOptions) {
  const revisions: bigint[] = [];
  for await (const { revision } of store.readStream(stream, options)) revisions.push(revision);
  return revisions;
}

describe('a log whose streams are read once', () => {
  it.each<ReadStreamOptions>([
    {},
    { from: 2n },
    { from: 9n },
    { limit: 2 },
    { from: 1n, limit: 2 },
    { direction: 'backwards' },
    { direction: 'backwards', from: 2n },
    { direction: 'backwards', from: 9n, limit: 2 },
    { direction: 'backwards', limit: 3 },
  ])('shows of a stream what the log shows: %p', async (options) => {
    const store = new InMemoryEventStore();
    const stream = newStream();
    await store.append(stream, 'no_stream', newEvents(5));
    expect(await collect(frozenView(store), stream, options)).toEqual(await collect(store, stream, options));
    expect(await collect(frozenView(store), newStream(), options)).toEqual([]);
  });

  it('reads a stream once, also for those who ask at the same time, and shows nothing newer', async () => {
    const store = new WatchedStore();
    const stream = newStream();
    await store.append(stream, 'no_stream', newEvents(2));
    const log = frozenView(store);
    await Promise.all([collect(log, stream), collect(log, stream)]);
    await store.append(stream, 1n, newEvents(1));
    expect(await collect(log, stream)).toEqual([0n, 1n]);
    expect(store.reads).toEqual([stream]);
  });

  it('forgets the streams that were used least recently when it holds too much', async () => {
    const store = new WatchedStore();
    const streams = [newStream(), newStream(), newStream()];
    for (const stream of streams) {
      await store.append(stream, 'no_stream', newEvents(2_000));
      await store.append(stream, 1_999n, newEvents(2_000));
    }
    const log = frozenView(store);
    const [a, b, c] = streams as [string, string, string];
    for (const stream of [a, b, a, c, a, b]) await collect(log, stream, { limit: 1 });
    expect(store.reads).toEqual([a, b, c, b]);
    // A stream that is read again shows nothing newer either.
    await store.append(c, 3_999n, newEvents(1));
    for (const stream of [a, b, c]) expect(await collect(log, stream)).toHaveLength(4_000);
    expect(store.reads).toEqual([a, b, c, b, c]);
  });
});
