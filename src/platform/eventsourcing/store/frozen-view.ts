import type { RecordedEvent } from '../../../kernel/event.js';
import { type EventStore, type ReadStreamOptions, streamsOf } from './event-store.js';

/** Limit of events in memory, some tens of megabytes. */
const MAX_EVENTS = 10_000;

/** A view of the store in which no stream changes after it was read. */
export interface FrozenView extends EventStore {
  /** Returns all events of a stream: the same array until the stream is dropped and read again. */
  eventsOf(stream: string): Promise<readonly RecordedEvent[]>;
}

export const isFrozen = (store: EventStore): store is FrozenView => 'eventsOf' in store;

/**
 * Returns a view of the store that reads every stream once and answers later reads from memory, so that one computation
 * over many streams sees no newer events. The least recently used streams are dropped and read again when needed.
 */
export function frozenView(store: EventStore): FrozenView {
  const streams = new Map<string, Promise<readonly RecordedEvent[]>>();
  /** Event counts of the streams that were read; the stream used last is at the end. */
  const sizes = new Map<string, number>();
  /** Event counts of the first reads, where later reads of the streams end. */
  const counts = new Map<string, number>();
  let kept = 0;

  function forget(stream: string): void {
    streams.delete(stream);
    kept -= sizes.get(stream) ?? 0;
    sizes.delete(stream);
  }

  async function read(stream: string): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    try {
      const limit = counts.get(stream) ?? Infinity;
      if (limit > 0) for await (const event of store.readStream(stream, { limit })) events.push(event);
    } catch (error) {
      forget(stream);
      throw error;
    }
    counts.set(stream, events.length);
    kept += events.length;
    for (const oldest of sizes.keys()) {
      if (kept <= MAX_EVENTS) break;
      forget(oldest);
    }
    sizes.set(stream, events.length);
    return events;
  }

  function eventsOf(stream: string): Promise<readonly RecordedEvent[]> {
    let events = streams.get(stream);
    if (!events) streams.set(stream, (events = read(stream)));
    const size = sizes.get(stream);
    if (size !== undefined && sizes.delete(stream)) sizes.set(stream, size);
    return events;
  }

  return {
    eventsOf,
    async *readStream(stream: string, { from, direction, limit = Infinity }: ReadStreamOptions = {}) {
      const events = await eventsOf(stream);
      const isForwards = direction !== 'backwards';
      const step = isForwards ? 1 : -1;
      let index = isForwards ? 0 : events.length - 1;
      // Revisions have gaps where another application has written to the stream.
      if (from !== undefined) {
        const before = (event: RecordedEvent) => (isForwards ? event.revision < from : event.revision > from);
        while (index >= 0 && index < events.length && before(events[index]!)) index += step;
      }
      for (let left = limit; left > 0 && index >= 0 && index < events.length; left -= 1) {
        yield events[index]!;
        index += step;
      }
    },
    append: (...args) => store.append(...args),
    readAll: (...args) => store.readAll(...args),
    subscribeAll: (...args) => store.subscribeAll(...args),
    streamsOf: (category) => streamsOf(store, category),
    head: () => store.head(),
    identity: () => store.identity(),
    close: () => store.close(),
  };
}
