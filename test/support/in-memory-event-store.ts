import { EventEmitter, once } from 'node:events';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import {
  serializeAppend,
  type AppendResult,
  CAUGHT_UP,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadStreamOptions,
  RevisionConflict,
  StoreUnavailable,
} from '../../src/platform/eventsourcing/store/event-store.js';

/** An event store in memory, for domain specs and the simulation: deterministic, without timers or I/O. */
export class InMemoryEventStore implements EventStore {
  readonly #log: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #closed = false;

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    this.#refuseWhenClosed();
    const serialized = serializeAppend(stream, events);
    const recorded = this.#streams.get(stream) ?? [];
    const first = expected === 'no_stream' ? 0 : Number(expected) + 1;
    if (first !== recorded.length) {
      const isRepeat = serialized.every((event, i) => recorded[first + i]?.id === event.id);
      if (!isRepeat) throw new RevisionConflict(stream, expected);
      return { ...lastOf(recorded[first + events.length - 1]!), isRepeat: true };
    }
    for (const { id, type, data, metadata } of serialized) {
      const position = BigInt(this.#log.length + 1);
      const event: RecordedEvent = {
        id,
        stream,
        revision: BigInt(recorded.length),
        position: { commit: position, prepare: position },
        type,
        data: JSON.parse(data),
        metadata: JSON.parse(metadata),
      };
      recorded.push(event);
      this.#log.push(event);
    }
    this.#streams.set(stream, recorded);
    this.#changes.emit('change');
    return { ...lastOf(recorded[recorded.length - 1]!), isRepeat: false };
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    this.#refuseWhenClosed();
    const { direction = 'forwards', limit = Infinity } = options;
    const recorded = this.#streams.get(stream) ?? [];
    const newest = recorded.length - 1;
    const from = Number(options.from ?? (direction === 'forwards' ? 0 : newest));
    const step = direction === 'forwards' ? 1 : -1;
    let left = limit;
    for (let i = Math.min(from, direction === 'forwards' ? from : newest); i >= 0 && i <= newest; i += step) {
      if (left-- <= 0) return;
      yield recorded[i]!;
    }
  }

  async *readAll(after?: Position, limit = Infinity): AsyncGenerator<RecordedEvent> {
    this.#refuseWhenClosed();
    const first = indexAfter(after);
    // The end is fixed at the start, so that a caller may append while it reads.
    const end = Math.min(this.#log.length, first + limit);
    for (let i = first; i < end; i++) yield this.#log[i]!;
  }

  async *subscribeAll(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<RecordedEvent | typeof CAUGHT_UP> {
    this.#refuseWhenClosed();
    let next = indexAfter(after);
    let live = false;
    while (!signal.aborted && !this.#closed) {
      if (next < this.#log.length) {
        yield this.#log[next++]!;
      } else if (!live) {
        live = true;
        yield CAUGHT_UP;
      } else {
        await once(this.#changes, 'change', { signal }).catch(() => undefined);
      }
    }
  }

  async head(): Promise<Position | undefined> {
    this.#refuseWhenClosed();
    return this.#log.at(-1)?.position;
  }

  async identity(): Promise<Uuid | undefined> {
    this.#refuseWhenClosed();
    return this.#log[0]?.id;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#changes.emit('change');
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new StoreUnavailable('the event store is closed');
  }
}

const lastOf = ({ revision, position }: RecordedEvent): AppendResult => ({ revision, position });

/** Positions are 1, 2, 3 …, so a position equals the index of the next event. */
const indexAfter = (position: Position | undefined): number => Number(position?.commit ?? 0n);
