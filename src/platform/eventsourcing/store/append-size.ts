import type { NewEvent } from './event-store.js';

/** The limit of one append as JSON, data and metadata together: half of EventStoreDB's default limit of 1 MiB. */
export const MAX_APPEND_BYTES = 512 * 1024;

/** The events of one append exceed the limit. The caller has to split them. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(stream: string, bytes: number) {
    super(`an append of ${bytes} bytes to ${stream}, where ${MAX_APPEND_BYTES} are allowed`);
  }
}

/** An event as stores keep it: JSON text, so that every driver returns exactly what JSON can hold. */
export interface SerializedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** @throws AppendTooLarge, RangeError for an append of nothing (it would have no revision to answer) */
export function serializeAppend(stream: string, events: readonly NewEvent[]): SerializedEvent[] {
  if (events.length === 0) throw new RangeError(`an append of no events to ${stream}`);
  let bytes = 0;
  const serialized = events.map((event) => {
    const data = JSON.stringify(event.data);
    const metadata = JSON.stringify(event.metadata);
    bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
    return { id: event.id, type: event.type, data, metadata };
  });
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  return serialized;
}
