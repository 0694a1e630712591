import {
  type Position,
  type RecordedEvent,
  upcastEvent,
  newestVersion,
  type Upcasters,
  type StreamCategory,
} from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { ClaimsToTake } from '../claims/claim.js';
import {
  CAUGHT_UP,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadStreamOptions,
  streamsOf,
} from './event-store.js';
import { UnreadableEvent } from './unreadable-event.js';

/** Returns a store that upcasts events; the store itself if no type has a second version. */
export const withUpcasters = (store: EventStore, upcasters: Upcasters): EventStore =>
  Object.keys(upcasters).length === 0 ? store : new UpcastingEventStore(store, upcasters);

/** Converts each read event to the newest version of its type, and stamps each appended event with that version. */
class UpcastingEventStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly upcasters: Upcasters,
  ) {}

  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    claims?: ClaimsToTake,
  ): Promise<AppendResult> {
    const versioned = events.map((event) => {
      const schemaVersion = newestVersion(this.upcasters, event.type);
      if (event.metadata.schemaVersion === schemaVersion) return event;
      return { ...event, metadata: { ...event.metadata, schemaVersion } };
    });
    return this.store.append(stream, expected, versioned, claims);
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncGenerator<RecordedEvent> {
    for await (const event of this.store.readStream(stream, options)) yield this.upcast(event);
  }

  knownEvents(stream: string, from: bigint, since: number): readonly RecordedEvent[] | undefined {
    return this.store.knownEvents?.(stream, from, since)?.map((event) => this.upcast(event));
  }

  async *readAll(after?: Position, limit?: number): AsyncGenerator<RecordedEvent> {
    for await (const event of this.store.readAll(after, limit)) yield this.upcast(event);
  }

  async *subscribeAll(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<RecordedEvent | typeof CAUGHT_UP> {
    for await (const item of this.store.subscribeAll(after, signal)) {
      yield item === CAUGHT_UP ? item : this.upcast(item);
    }
  }

  streamsOf(category: StreamCategory): AsyncIterable<string> {
    return streamsOf(this.store, category);
  }

  head(): Promise<Position | undefined> {
    return this.store.head();
  }

  identity(): Promise<Uuid | undefined> {
    return this.store.identity();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** @throws UnreadableEvent */
  private upcast(event: RecordedEvent): RecordedEvent {
    try {
      return upcastEvent(this.upcasters, event);
    } catch (error) {
      throw new UnreadableEvent(event, error);
    }
  }
}
