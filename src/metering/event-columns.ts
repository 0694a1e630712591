import { instant, toMicros } from '../kernel/instant.js';
import type { UsageEvent } from './domain/usage-event.js';

/** Object ids of PostgreSQL's built-in types: they are part of its protocol and never change. */
const TEXT = 25;
const BYTEA = 17;
const TIMESTAMPTZ = 1184;
const UUID = 2950;
const JSONB = 3802;

const HEADER = 20;
const LENGTH = 4;
const MOST_BYTES_OF_A_CODE_UNIT = 3;
const JSONB_VERSION = 1;
/** PostgreSQL counts microseconds from here. */
const YEAR_2000 = toMicros(instant('2000-01-01'));

/** Puts an event's value at a place of the buffer; answers how many bytes it took. */
type Write = (buffer: Buffer, at: number, event: UsageEvent) => number;

/**
 * The columns of usage_events as arrays in PostgreSQL's binary form, in the order of the append's parameters: nothing is
 * escaped here and nothing is parsed there, which is a third of the time an ingest request costs.
 */
export const columnsOf = (events: readonly UsageEvent[]): Buffer[] => [
  arrayOf(
    TEXT,
    events,
    (event) => bytesOf(event.idempotencyId),
    (buffer, at, event) => buffer.write(event.idempotencyId, at),
  ),
  arrayOf(
    UUID,
    events,
    () => 16,
    (buffer, at, event) => buffer.write(event.customerKey.replaceAll('-', ''), at, 'hex'),
  ),
  arrayOf(
    TEXT,
    events,
    (event) => bytesOf(event.eventName),
    (buffer, at, event) => buffer.write(event.eventName, at),
  ),
  arrayOf(
    TIMESTAMPTZ,
    events,
    () => 8,
    (buffer, at, event) => {
      buffer.writeBigInt64BE(toMicros(event.time) - YEAR_2000, at);
      return 8;
    },
  ),
  arrayOf(
    JSONB,
    events,
    (event) => 1 + bytesOf(event.properties),
    (buffer, at, event) => {
      buffer[at] = JSONB_VERSION;
      return 1 + buffer.write(event.properties, at + 1);
    },
  ),
  arrayOf(
    BYTEA,
    events,
    () => 32,
    (buffer, at, event) => buffer.write(event.bodyHash, at, 'hex'),
  ),
];

/** At most. */
const bytesOf = (text: string): number => text.length * MOST_BYTES_OF_A_CODE_UNIT;

/** One dimension, no nulls: a header, then each element behind its length. */
function arrayOf(
  elementType: number,
  events: readonly UsageEvent[],
  mostBytes: (event: UsageEvent) => number,
  write: Write,
): Buffer {
  let size = HEADER;
  for (const event of events) size += LENGTH + mostBytes(event);
  const buffer = Buffer.allocUnsafe(size);
  const [dimensions, nulls, lowerBound] = [1, 0, 1];
  for (const [index, field] of [dimensions, nulls, elementType, events.length, lowerBound].entries()) {
    buffer.writeInt32BE(field, index * 4);
  }
  let at = HEADER;
  for (const event of events) {
    const written = write(buffer, at + LENGTH, event);
    buffer.writeInt32BE(written, at);
    at += LENGTH + written;
  }
  return buffer.subarray(0, at);
}
