import type { RecordedEvent } from './event.js';

/** Lifts the stored data of a type from one version to the next. Pure. */
type Upcast = (data: any) => object; // eslint-disable-line @typescript-eslint/no-explicit-any -- a shape that no type describes any more

/** Per event type what lifts version 1 to 2, 2 to 3 and so on: the newest version of a type is one more than it has. */
export type Upcasters = Readonly<Record<string, readonly Upcast[]>>;

export const newestVersion = (upcasters: Upcasters, type: string): number =>
  1 + (Object.hasOwn(upcasters, type) ? upcasters[type]!.length : 0);

/** The event as if today's code had written it. @throws Error for one that newer code has written */
export function lift(upcasters: Upcasters, event: RecordedEvent): RecordedEvent {
  const { type, metadata } = event;
  const newest = newestVersion(upcasters, type);
  if (metadata.schemaVersion === newest) return event;
  if (metadata.schemaVersion > newest) {
    throw new Error(
      `Event ${event.id} is a ${type} of version ${metadata.schemaVersion}, and this code knows ${newest}.`,
    );
  }
  let { data } = event;
  for (const upcast of upcasters[type]!.slice(metadata.schemaVersion - 1)) data = upcast(data);
  return { ...event, data, metadata: { ...metadata, schemaVersion: newest } };
}
