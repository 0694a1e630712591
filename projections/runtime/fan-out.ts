import {
  BEFORE_ALL,
  comparePositions,
  type Position,
  type RecordedEvent,
  categoryOf,
  type StreamCategory,
} from '../../src/kernel/event.js';
import { approximateSize } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Projection } from './projection.js';
import type { ProjectionRunner } from './projection-runner.js';

/** Runner with the categories that its projection reads. */
export interface Reader {
  readonly projection: Pick<Projection, 'categories'>;
  readonly runner: Pick<ProjectionRunner, 'enqueue' | 'skip' | 'lastReceived'>;
}

/**
 * Passes the events of one read of the log to several runners. The read starts after the checkpoint of the
 * slowest runner. A runner that starts later needs older events, so it is never added: the host begins
 * another read. Each event comes with the position of the event before it, so that a runner notices a missing
 * event.
 */
export class LogFanOut {
  readonly #readers: readonly Reader[];
  #last: Position;

  /** @param readers at least one */
  constructor(readers: Iterable<Reader>) {
    this.#readers = [...readers];
    this.#last = this.#readers
      .map(({ runner }) => runner.lastReceived)
      .reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b));
  }

  /** Position after which to read the store; undefined: the beginning. */
  get after(): Position | undefined {
    return comparePositions(this.#last, BEFORE_ALL) > 0 ? this.#last : undefined;
  }

  /**
   * Passes the next event to every runner.
   * @returns a promise to await when a backlog is full
   */
  next(event: RecordedEvent): Promise<unknown> | undefined {
    const previous = this.#last;
    this.#last = event.position;
    const category = categoryOf(event.stream) as StreamCategory;
    const bytes = approximateSize(event.data);
    const full: Promise<void>[] = [];
    for (const { projection, runner } of this.#readers) {
      if (projection.categories.includes(category)) {
        const room = runner.enqueue(event, bytes, previous);
        if (room) full.push(room);
      } else runner.skip(event, previous);
    }
    return full.length > 0 ? Promise.all(full) : undefined;
  }
}
