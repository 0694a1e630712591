import type { RecordedEvent } from '../../../../kernel/event.js';
import { approximateSize } from '../event-store.js';

/** Events and characters that the cache keeps at least; it holds at most twice as many before it drops the oldest. */
const MOST = 1_000;
const MOST_CHARACTERS = 4_000_000;

/**
 * The newest events of the log that this process has appended or read, one position after the other. The log is only
 * appended to and its positions have no gaps, so what stands right behind a position stays what it was: readers that
 * come after one another share one look, and what was appended here is not read back.
 */
export class RecentEvents {
  #events: RecordedEvent[] = [];
  #characters = 0;

  /**
   * @param events in order. Those behind a gap take the place of what was remembered: appends of one process, each
   * committed alone, may have others of another process between them.
   */
  note(events: readonly RecordedEvent[]): void {
    for (let first = 0; first < events.length;) {
      let end = first + 1;
      while (end < events.length && isNext(events[end - 1]!, events[end]!)) end += 1;
      this.#noteRun(first === 0 && end === events.length ? events : events.slice(first, end));
      first = end;
    }
  }

  /** @param events without a gap between them */
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

  /** Returns the events directly after a position, as far as they are remembered. */
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
    if (this.#events.length < 2 * MOST && this.#characters < 2 * MOST_CHARACTERS) return;
    let kept = this.#events.length;
    this.#characters = 0;
    while (kept > 0 && this.#events.length - kept < MOST && this.#characters < MOST_CHARACTERS) {
      kept -= 1;
      this.#characters += approximateSize(this.#events[kept]!.data);
    }
    this.#events = this.#events.slice(kept);
  }
}

const isNext = (one: RecordedEvent, other: RecordedEvent): boolean =>
  other.position.commit === one.position.commit + 1n;
