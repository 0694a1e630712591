import type { RecordedEvent } from '../../../../kernel/event.js';
import { approximateSize } from '../event-store.js';

/** Limits of the cache: events and characters. At twice a limit it evicts the oldest events down to the limit. */
const MOST = 1_000;
const MAX_CHARACTERS = 4_000_000;

/**
 * Caches the newest events of the log that this process has appended or read, without a gap between positions. The log is
 * append-only and its positions have no gaps, so the event after a position never changes: consecutive readers share one
 * read, and own appends need no read.
 */
export class RecentEvents {
  #events: RecordedEvent[] = [];
  #characters = 0;

  /**
   * Adds events in order. Events after a gap replace the cached ones: between two appends of this process there may be
   * appends of another process.
   */
  note(events: readonly RecordedEvent[]): void {
    for (let first = 0; first < events.length;) {
      let end = first + 1;
      while (end < events.length && isNext(events[end - 1]!, events[end]!)) end += 1;
      this.#noteRun(first === 0 && end === events.length ? events : events.slice(first, end));
      first = end;
    }
  }

  /** Adds events without a gap between them. */
  #noteRun(events: readonly RecordedEvent[]): void {
    const [first] = events;
    const end = this.#events.at(-1)?.position.commit;
    if (!first) return;
    if (end === undefined || first.position.commit > end + 1n) {
      this.#events = [];
      this.#characters = 0;
      this.#add(events);
    } else {
      this.#add(events.slice(Number(end + 1n - first.position.commit)));
    }
  }

  /** Returns the cached events directly after a position. */
  after(position: bigint, count: number): readonly RecordedEvent[] {
    const [first] = this.#events;
    if (!first || position + 1n < first.position.commit) return [];
    const from = Number(position + 1n - first.position.commit);
    return this.#events.slice(from, from + count);
  }

  #add(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#characters += approximateSize(event.data);
    }
    if (this.#events.length < 2 * MOST && this.#characters < 2 * MAX_CHARACTERS) return;
    let kept = this.#events.length;
    this.#characters = 0;
    while (kept > 0 && this.#events.length - kept < MOST && this.#characters < MAX_CHARACTERS) {
      kept -= 1;
      this.#characters += approximateSize(this.#events[kept]!.data);
    }
    this.#events = this.#events.slice(kept);
  }
}

const isNext = (one: RecordedEvent, other: RecordedEvent): boolean =>
  other.position.commit === one.position.commit + 1n;
