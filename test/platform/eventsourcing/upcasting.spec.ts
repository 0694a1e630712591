import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent, Upcasters } from '../../../src/kernel/event.js';
import { CAUGHT_UP, type EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { withUpcasters } from '../../../src/platform/eventsourcing/store/upcasting-event-store.js';
import { newEvents, newStream } from '../../support/events.js';

const [sample] = newEvents(1);
const TYPE = sample!.type;

/** Upcasters of data that was first `{n}`, then `{count}`, and is now `{count, unit}`. */
const UPCASTERS: Upcasters = {
  [TYPE]: [({ n }) => ({ count: n }), ({ count }) => ({ count, unit: 'pieces' })],
};

async function reading(store: EventStore, stream: string): Promise<Record<string, RecordedEvent[]>> {
  const [ofStream, ofAll, live]: RecordedEvent[][] = [[], [], []];
  for await (const event of store.readStream(stream)) ofStream!.push(event);
  for await (const event of store.readAll()) ofAll!.push(event);
  const stop = new AbortController();
  for await (const item of store.subscribeAll(undefined, stop.signal)) {
    if (item === CAUGHT_UP) break;
    live!.push(item);
  }
  stop.abort();
  return { ofStream: ofStream!, ofAll: ofAll!, live: live! };
}

describe('events of former releases', () => {
  it('are read in their newest shape, whichever version they were written in and however they are read', async () => {
    const store = new InMemoryEventStore();
    const stream = newStream();
    const [first, second] = newEvents(2).map((event, place) => ({
      ...event,
      data: place === 0 ? { n: 1 } : { count: 2 },
      metadata: { ...event.metadata, schemaVersion: place + 1 },
    }));
    await store.append(stream, 'no_stream', [first!, second!]);
    const upcast = withUpcasters(store, UPCASTERS);
    const [third] = newEvents(1).map((event) => ({ ...event, data: { count: 3, unit: 'pieces' } }));
    await upcast.append(stream, 1n, [third!]);

    for (const events of Object.values(await reading(upcast, stream))) {
      expect(events.map(({ data }) => data)).toEqual([1, 2, 3].map((count) => ({ count, unit: 'pieces' })));
      expect(events.map(({ metadata }) => metadata.schemaVersion)).toEqual([3, 3, 3]);
    }
    const stored = await reading(store, stream);
    expect(stored['ofStream']!.map(({ metadata }) => metadata.schemaVersion)).toEqual([1, 2, 3]);
  });

  it('of newer code are refused, and never read as something they are not', async () => {
    const store = new InMemoryEventStore();
    const stream = newStream();
    const [event] = newEvents(1);
    await store.append(stream, 'no_stream', [
      { ...event!, metadata: { ...event!.metadata, schemaVersion: 4 } },
    ]);
    await expect(reading(withUpcasters(store, UPCASTERS), stream)).rejects.toThrow(
      /of version 4, but this code knows version 3 only/,
    );
  });

  it('cost nothing while there are none', () => {
    const store = new InMemoryEventStore();
    expect(withUpcasters(store, {})).toBe(store);
  });
});
