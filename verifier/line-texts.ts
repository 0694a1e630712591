import type { Uuid } from '../src/kernel/ids.js';
import type { Instant } from '../src/kernel/instant.js';
import type { Properties } from '../src/metering/domain/properties.js';
import { LEAF_VERSION } from '../src/transparency/domain/leaves.js';
import type { EventLine } from './read-events.js';

/**
 * Cuts the texts that hashes cover out of canonical lines, which is cheaper than writing JSON that was just read. A hash
 * that matches proves the line. Of a line that is not canonical the hash does not match, or there is no text: then the
 * canonical text is written.
 */

/** A line of a file of usage. */
export interface UsageLine {
  readonly batch: number;
  readonly customer_key: Uuid;
  readonly event_name: string;
  readonly event_time: Instant;
  readonly idempotency_id: string;
  readonly properties: Properties;
}

const EVENT_START = '{"data":';

/** Cuts the text of an event's leaf from its line. */
export function leafTextOf(text: string, event: EventLine, position: number): string | undefined {
  const id = `,"id":${JSON.stringify(event.id)}`;
  const metadata = `,"metadata":${JSON.stringify(event.metadata)}`;
  const revision = `,"revision":${event.revision}`;
  const stream = `,"stream":${JSON.stringify(event.stream)},"type":${JSON.stringify(event.type)}`;
  const end = `${id}${metadata}${revision}${stream}}`;
  if (!text.startsWith(EVENT_START) || !text.endsWith(end)) return undefined;
  const start = text.slice(0, -end.length);
  return `${start}${id},"kind":"event"${metadata},"position":${position}${revision}${stream},"v":${LEAF_VERSION}}`;
}

/** Cuts the text of a usage event's body from its line. */
export function bodyTextOfLine(text: string, line: UsageLine): string | undefined {
  const [key, name] = [JSON.stringify(line.customer_key), JSON.stringify(line.event_name)];
  const [time, id] = [JSON.stringify(line.event_time), JSON.stringify(line.idempotency_id)];
  const start = `{"batch":${line.batch},"customer_key":${key},"event_name":${name},"event_time":${time},"idempotency_id":${id},"properties":`;
  if (!text.startsWith(start)) return undefined;
  return `[${id},${key},${name},${time},${text.slice(start.length, -1)}]`;
}
