import type { RecordedEvent } from '../../src/kernel/event.js';

/** Events of one statement. */
const BATCH = 1_000;
/** Most events, and bytes of them, that wait; up to as many again are being applied. An append may have 512 kB. */
const MOST = 2 * BATCH;
const MOST_BYTES = 8_000_000;

/** Events that a projection has been handed and has not begun to apply, in order. */
export class Backlog {
  private events: RecordedEvent[] = [];
  private sizes: number[] = [];
  private bytes = 0;

  /** @param bytes as `approximateSize` says */
  add(event: RecordedEvent, bytes: number): void {
    this.events.push(event);
    this.sizes.push(bytes);
    this.bytes += bytes;
  }

  /** The oldest of them, as many as make a batch. */
  take(): readonly RecordedEvent[] {
    for (const bytes of this.sizes.splice(0, BATCH)) this.bytes -= bytes;
    return this.events.splice(0, BATCH);
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Waiting for more would not make a better batch of them. */
  get hasBatch(): boolean {
    return this.events.length >= BATCH || this.bytes >= MOST_BYTES;
  }

  get isFull(): boolean {
    return this.events.length >= MOST || this.bytes >= MOST_BYTES;
  }
}
