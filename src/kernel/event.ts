import type { Instant } from './instant.js';
import type { Uuid } from './ids.js';

/** A domain event: a stored type name and plain JSON. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Metadata of an event: its cause and when it was recorded. Domain times (effectiveAt, start, asOf) are in the data. */
export interface EventMetadata {
  readonly org: Uuid;
  readonly commandId: Uuid;
  readonly correlationId: string;
  readonly causationId?: Uuid;
  /** Key id of the caller, or `system`. */
  readonly actor: string;
  /** The clock's time at the decision. */
  readonly recordedAt: Instant;
  readonly schemaVersion: number;
}

/** Position of an event in the log. Opaque except to `comparePositions`. */
export interface Position {
  readonly commit: bigint;
  readonly prepare: bigint;
}

export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: Uuid;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
}

export function comparePositions(a: Position, b: Position): number {
  if (a.commit !== b.commit) return a.commit < b.commit ? -1 : 1;
  if (a.prepare !== b.prepare) return a.prepare < b.prepare ? -1 : 1;
  return 0;
}

export const formatPosition = (p: Position): string => `${p.commit}/${p.prepare}`;

export function parsePosition(text: string): Position | undefined {
  const m = /^(\d{1,19})\/(\d{1,19})$/.exec(text);
  return m ? { commit: BigInt(m[1]!), prepare: BigInt(m[2]!) } : undefined;
}

/** Position before every event, for any driver. */
export const BEFORE_ALL: Position = { commit: -1n, prepare: -1n };
