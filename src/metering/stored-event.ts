import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { AlteredEvents } from './domain/counter.js';
import { canonicalProperties } from './domain/properties.js';
import { bodyHashOf, bodyTextOf } from './domain/usage-event.js';

/** A row of usage_events, with its body hash as hexadecimal digits. */
export interface StoredUsageEvent {
  readonly idempotency_id: string;
  readonly customer_key: Uuid;
  readonly event_name: string;
  readonly event_time: Instant;
  /** Text form of PostgreSQL. */
  readonly properties: string;
  readonly body_hash: string;
}

/** Columns of a `StoredUsageEvent`, of an event `e`. */
export const STORED_EVENT_COLUMNS = `e.idempotency_id, e.customer_key, e.event_name, e.event_time,
  e.properties::text as properties, encode(e.body_hash, 'hex') as body_hash`;

/** Limit of altered events that are named. */
export const MAX_NAMED = 20;

/** Collects events whose content does not match the hash they were received with. */
export class AlteredEventCollector {
  readonly #ids: string[] = [];
  count = 0;

  look(event: StoredUsageEvent): void {
    if (!isAltered(event)) return;
    this.count += 1;
    if (this.#ids.length < MAX_NAMED) this.#ids.push(event.idempotency_id);
  }

  altered(): AlteredEvents {
    return { ids: this.#ids, count: this.count };
  }
}

function isAltered(event: StoredUsageEvent): boolean {
  try {
    const properties = JSON.parse(event.properties) as object;
    return event.body_hash !== bodyHashOf(bodyOf(event, properties)) || !holdsDoubles(event.properties);
  } catch {
    return true; // no event that was taken in has such properties
  }
}

/** The text that the body hash of a stored event covers. */
export const bodyTextOfStored = (event: StoredUsageEvent): string =>
  bodyTextOf(bodyOf(event, JSON.parse(event.properties) as object));

const bodyOf = (event: StoredUsageEvent, properties: object) => ({
  idempotencyId: event.idempotency_id,
  customerKey: event.customer_key,
  eventName: event.event_name,
  time: event.event_time,
  properties: canonicalProperties(properties),
});

/** A number in a row is altered if it only rounds to the double that was received. */
function holdsDoubles(json: string): boolean {
  for (const [token] of json.matchAll(STRINGS_AND_NUMBERS)) {
    if (!token.startsWith('"') && inScience(token) !== inScience(String(Number(token)))) return false;
  }
  return true;
}

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A decimal text, written in one way. */
function inScience(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(
    text,
  )!;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const scale = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' ? '0' : `${sign}${significant}e${scale}`;
}
