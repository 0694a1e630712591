import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import type { Uuid } from '../../../../kernel/ids.js';

/** An event as the statements answer it. */
export interface EventRow {
  readonly position: string;
  readonly stream: string;
  readonly revision: string;
  readonly id: Uuid;
  readonly type: string;
  readonly data: object;
  readonly metadata: RecordedEvent['metadata'];
  /** Events that the statement found before it was cut short by its size. */
  readonly fetched: string;
}

export const recordedEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  stream: row.stream,
  revision: BigInt(row.revision),
  position: positionOf(row.position),
  type: row.type,
  data: row.data,
  metadata: row.metadata,
});

/** There is one number per event in this store; the port's position has two. */
export function positionOf(text: string): Position {
  const position = BigInt(text);
  return { commit: position, prepare: position };
}
