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

/** A sentence for each type of a union of events. */
export type EventSentences<Event extends DomainEvent> = { readonly [Type in Event['type']]: string };

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

/** Converts the stored data of a type from one version to the next. Pure. */
type Upcast = (data: any) => object; // oxlint-disable-line typescript/no-explicit-any -- a shape that no type describes any more

/** Upcasts of each event type: from version 1 to 2, from 2 to 3, and so on. A type with two has the newest version 3. */
export type Upcasters = Readonly<Record<string, readonly Upcast[]>>;

export const newestVersion = (upcasters: Upcasters, type: string): number =>
  1 + (Object.hasOwn(upcasters, type) ? upcasters[type]!.length : 0);

/** Returns an event in the newest version of its type. @throws Error for an event that newer code has written */
export function upcastEvent(upcasters: Upcasters, event: RecordedEvent): RecordedEvent {
  const { type, metadata } = event;
  const newest = newestVersion(upcasters, type);
  if (metadata.schemaVersion === newest) return event;
  if (metadata.schemaVersion > newest) {
    throw new Error(
      `Event ${event.id} is a ${type} of version ${metadata.schemaVersion}, but this code knows version ${newest} only.`,
    );
  }
  let { data } = event;
  for (const upcast of upcasters[type]!.slice(metadata.schemaVersion - 1)) data = upcast(data);
  return { ...event, data, metadata: { ...metadata, schemaVersion: newest } };
}

/** Category of a stream: the part of its name before the first dash. */
export type StreamCategory =
  | 'organization'
  | 'plan'
  | 'addon'
  | 'metric'
  | 'feature'
  | 'customer'
  | 'subscription'
  | 'bulkchange'
  | 'account'
  | 'document'
  | 'numberseries';

/** Returns the name of a stream, `{category}-{org}.{id}`; every name contains the tenant. */
export const streamName = (category: StreamCategory, org: Uuid, id: string): string =>
  `${category}-${org}.${id}`;

export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** Returns the tenant of a stream. */
export const orgOfStream = (stream: string): Uuid =>
  stream.slice(stream.indexOf('-') + 1, stream.indexOf('.'));

/** Returns the part of a stream's name after the tenant, such as a plan id, a customer key or `{customerKey}.{currency}`. */
export const entityOf = (stream: string): string => stream.slice(stream.indexOf('.') + 1);
