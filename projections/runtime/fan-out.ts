import { BEFORE_ALL, comparePositions, type Position, type RecordedEvent } from '../../src/kernel/event.js';
import { categoryOf, type StreamCategory } from '../../src/kernel/stream.js';
import { approximateSize } from '../../src/platform/memory/approximate-size.js';
import type { Projection } from './projection.js';
import type { ProjectionRunner } from './projection-runner.js';

/** A runner and which categories its projection subscribes to. */
export interface Reader {
  readonly projection: Pick<Projection, 'categories'>;
  readonly runner: Pick<ProjectionRunner, 'offer' | 'pass' | 'readUpTo'>;
}

/**
 * One passage through the log for the runners it begins with. It starts behind the slowest of them and never takes in
 * another one: a runner that comes later needs older events than this passage still has. Every event is handed over
 * together with the position it follows, so that a runner notices when it was left out.
 */
export class Reading {
  readonly #readers: readonly Reader[];
  #last: Position;

  /** @param readers at least one */
  constructor(readers: Iterable<Reader>) {
    this.#readers = [...readers];
    this.#last = this.#readers
      .map(({ runner }) => runner.readUpTo)
      .reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b));
  }

  /** Where the store has to begin; undefined for its first event. */
  get after(): Position | undefined {
    return comparePositions(this.#last, BEFORE_ALL) > 0 ? this.#last : undefined;
  }

  /** Hands the next event of the store to every reader. A promise when the store should wait: a backlog is full. */
  next(event: RecordedEvent): Promise<unknown> | undefined {
    const follows = this.#last;
    this.#last = event.position;
    const category = categoryOf(event.stream) as StreamCategory;
    const bytes = approximateSize(event.data);
    const full: Promise<void>[] = [];
    for (const { projection, runner } of this.#readers) {
      if (projection.categories.includes(category)) {
        const room = runner.offer(event, bytes, follows);
        if (room) full.push(room);
      } else runner.pass(event.position, follows);
    }
    return full.length > 0 ? Promise.all(full) : undefined;
  }
}
