import { canonicalJson } from '../src/kernel/canonical-json.js';
import type { Uuid } from '../src/kernel/ids.js';
import type { Instant } from '../src/kernel/instant.js';
import type { Properties } from '../src/metering/domain/properties.js';
import { LEAF_VERSION } from '../src/transparency/domain/leaves.js';
import { isCanonical } from './json-members.js';
import type { EventLine } from './read-events.js';

/**
 * Cuts the texts that hashes cover out of canonical lines, which is cheaper than writing JSON that was just read. A hash
 * that matches proves the line. Of a line that is not canonical there is no text, also where somebody has signed its hash:
 * then the canonical text is written.
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
  const metadata = `,"metadata":${canonicalJson(event.metadata)}`;
  const revision = `,"revision":${event.revision}`;
  const stream = `,"stream":${JSON.stringify(event.stream)},"type":${JSON.stringify(event.type)}`;
  const end = `${id}${metadata}${revision}${stream}}`;
  if (!text.startsWith(EVENT_START) || !text.endsWith(end)) return undefined;
  const start = text.slice(0, -end.length);
  if (!isCanonical(event.data, start.slice(EVENT_START.length))) return undefined;
  return `${start}${id},"kind":"event"${metadata},"position":${position}${revision}${stream},"v":${LEAF_VERSION}}`;
}

/** Cuts the text of a usage event's body from its line. */
export function bodyTextOfLine(text: string, line: UsageLine): string | undefined {
  const [key, name] = [JSON.stringify(line.customer_key), JSON.stringify(line.event_name)];
  const [time, id] = [JSON.stringify(line.event_time), JSON.stringify(line.idempotency_id)];
  const start = `{"batch":${line.batch},"customer_key":${key},"event_name":${name},"event_time":${time},"idempotency_id":${id},"properties":`;
  const properties = text.slice(start.length, -1);
  if (!text.startsWith(start) || !isCanonical(line.properties, properties)) return undefined;
  return `[${id},${key},${name},${time},${properties}]`;
}
