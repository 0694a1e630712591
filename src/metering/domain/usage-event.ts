import { hash } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.js';
import { DAY, parseInstant, plusMicros, type Instant } from '../../kernel/instant.js';
import { isLongerThan } from '../../kernel/text-length.js';
import { canonicalProperties, isStorableText, UnfitProperties } from './properties.js';

/** Usage event as the log keeps it: with the customer key instead of the caller's customer_id. */
export interface UsageEvent {
  /** The caller's own id, unique in the organization: an event that is sent twice counts once. */
  readonly idempotencyId: string;
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly time: Instant;
  /** Canonical JSON. */
  readonly properties: string;
  /** Hash that distinguishes a repeat from another event under the same id; 64 hex digits. */
  readonly bodyHash: string;
}

/** Times that are accepted: 30 days before and 1 day after now, both ends included (docs/contract.md#usage-events). */
export interface AcceptedTimes {
  readonly earliest: Instant;
  readonly latest: Instant;
}

export const acceptedTimes = (now: Instant): AcceptedTimes => ({
  earliest: plusMicros(now, -30n * DAY),
  latest: plusMicros(now, DAY),
});

/** Parsed entry of a request. An event outside of the accepted times is kept, as it may repeat one that was inside. */
export type ReadEntry =
  | { readonly event: UsageEvent; readonly outside: string | undefined }
  | { readonly event: undefined; readonly idempotencyId: string | undefined; readonly reason: string };

interface TextLimits {
  readonly characters: number;
  readonly bytes: number;
}

/** An index has id and name together, and PostgreSQL takes 2,704 bytes in it. A character has 7 bytes at most. */
const ID: TextLimits = { characters: 256, bytes: 1024 };
const NAME: TextLimits = { characters: 200, bytes: 1400 };

/**
 * Parses one entry of a request, and reports all of its errors at once. It never throws, so that a broken entry fails
 * alone. It is written by hand, as one request can have a thousand entries.
 * @param customerKeyOf returns the key of a customer_id in this organization
 */
export function readUsageEvent(
  entry: unknown,
  window: AcceptedTimes,
  customerKeyOf: (customerId: string) => Uuid,
): ReadEntry {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return { event: undefined, idempotencyId: undefined, reason: 'An event is a JSON object.' };
  }
  const fields = entry as Record<string, unknown>;
  const faults: string[] = [];
  const idempotencyId = readText('idempotency_id', fields['idempotency_id'], ID, faults);
  const customerId = readText('customer_id', fields['customer_id'], NAME, faults);
  const eventName = readText('event_name', fields['event_name'], NAME, faults);
  const time = readTime(fields['time_created'], faults);
  const properties = readProperties(fields['properties'], faults);
  if (
    idempotencyId === undefined ||
    customerId === undefined ||
    eventName === undefined ||
    time === undefined ||
    properties === undefined
  ) {
    return { event: undefined, idempotencyId: idOfRefused(fields), reason: faults.join(' ') };
  }
  const content = { idempotencyId, customerKey: customerKeyOf(customerId), eventName, time, properties };
  return { event: { bodyHash: bodyHashOf(content), ...content }, outside: outsideOf(time, window) };
}

/** The canonical JSON of `[id, customer key, event name, time, properties]`, which the row of a usage event holds. */
export const bodyTextOf = (event: Omit<UsageEvent, 'bodyHash'>): string =>
  `[${JSON.stringify(event.idempotencyId)},"${event.customerKey}",${JSON.stringify(event.eventName)},"${event.time}",${event.properties}]`;

/** Returns sha256 over the body's text, which can be computed again from the row. */
export const bodyHashOf = (event: Omit<UsageEvent, 'bodyHash'>): string => hash('sha256', bodyTextOf(event));

function readText(field: string, value: unknown, limits: TextLimits, faults: string[]): string | undefined {
  if (typeof value !== 'string') {
    faults.push(isLeftOut(value) ? `${field} is missing.` : `${field} is not text.`);
  } else if (value === '') {
    faults.push(`${field} is empty.`);
  } else if (isTooLong(value, limits)) {
    faults.push(`${field} is longer than ${limits.characters} characters.`);
  } else if (!isStorableText(value)) {
    faults.push(`${field} is not valid Unicode text.`);
  } else {
    return value;
  }
  return undefined;
}

const isTooLong = (text: string, { characters, bytes }: TextLimits): boolean =>
  text.length > characters && (isLongerThan(text, characters) || Buffer.byteLength(text) > bytes);

function readTime(value: unknown, faults: string[]): Instant | undefined {
  const time = typeof value === 'string' ? parseInstant(value) : undefined;
  if (time === undefined) {
    faults.push(
      isLeftOut(value)
        ? 'time_created is missing.'
        : 'time_created is not a date and time, such as 2026-01-31T12:00:00Z.',
    );
  }
  return time;
}

function readProperties(value: unknown, faults: string[]): string | undefined {
  if (isLeftOut(value)) return '{}';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push('properties are not a JSON object.');
    return undefined;
  }
  try {
    return canonicalProperties(value);
  } catch (error) {
    if (!(error instanceof UnfitProperties)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** A null counts as missing (docs/contract.md#paths-and-bodies). */
const isLeftOut = (value: unknown): boolean => value === undefined || value === null;

/** Id that a refused event is reported under: its id as the caller wrote it, even one that is too long to be kept. */
function idOfRefused(fields: Record<string, unknown>): string | undefined {
  const id = fields['idempotency_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function outsideOf(time: Instant, { earliest, latest }: AcceptedTimes): string | undefined {
  if (time < earliest) return 'time_created is more than 30 days in the past.';
  if (time > latest) return 'time_created is more than 1 day in the future.';
  return undefined;
}
