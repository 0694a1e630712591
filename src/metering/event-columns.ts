import type { Uuid } from '../kernel/ids.js';
import type { UsageEvent } from './domain/usage-event.js';

/** Object ids of PostgreSQL's built-in types: they are part of its protocol and never change. */
const TEXT = 25;
const BYTEA = 17;
const UUID = 2950;
const JSONB = 3802;

const HEADER = 20;
const LENGTH = 4;
const JSONB_VERSION = '\x01';

/**
 * The columns of usage_events as arrays in PostgreSQL's binary form, in the order of the append's parameters: nothing
 * is escaped here and nothing parsed there. A column is written as one string with room for the lengths between its
 * elements, as a call per element is what costs. Times go as text: their binary form would be a bigint each.
 */
export const columnsOf = (events: readonly UsageEvent[]): Buffer[] => [
  texts(
    TEXT,
    events.map((event) => event.idempotencyId),
  ),
  uuids(events.map((event) => event.customerKey)),
  texts(
    TEXT,
    events.map((event) => event.eventName),
  ),
  texts(
    TEXT,
    events.map((event) => event.time),
  ),
  texts(
    JSONB,
    events.map((event) => event.properties),
    JSONB_VERSION,
  ),
  hashes(events.map((event) => event.bodyHash)),
];

/** @param prefix what stands before each text, of ASCII */
function texts(type: number, values: readonly string[], prefix = ''): Buffer {
  const gap = `\0\0\0\0${prefix}`;
  const joined = gap + values.join(gap);
  const size = Buffer.byteLength(joined);
  const array = emptyArray(type, values.length, size);
  array.write(joined, HEADER);
  const isAscii = size === joined.length;
  let at = HEADER;
  for (const value of values) {
    const length = prefix.length + (isAscii ? value.length : Buffer.byteLength(value));
    array.writeInt32BE(length, at);
    at += LENGTH + length;
  }
  return array;
}

/** @param values 64 hexadecimal digits each */
function hashes(values: readonly string[]): Buffer {
  const length = '00000020';
  const array = emptyArray(BYTEA, values.length, values.length * (LENGTH + 32));
  array.write(length + values.join(length), HEADER, 'hex');
  return array;
}

/** Converts the digits one by one, because `Buffer.write` of hexadecimal text ends at a dash. */
function uuids(values: readonly Uuid[]): Buffer {
  const array = emptyArray(UUID, values.length, values.length * (LENGTH + 16));
  let at = HEADER;
  for (const value of values) {
    array.writeInt32BE(16, at);
    at += LENGTH;
    for (let position = 0; position < value.length; position += 2) {
      if (value.charCodeAt(position) === DASH) position += 1;
      array[at++] = (valueOfDigit(value, position) << 4) | valueOfDigit(value, position + 1);
    }
  }
  return array;
}

const DASH = 45;
/** Reads 0–9 and a–f by the bits of their character codes. */
function valueOfDigit(digits: string, position: number): number {
  const code = digits.charCodeAt(position);
  return (code & 15) + (code >> 6) * 9;
}

/** One dimension from 1, without nulls; `size` bytes for the elements and their lengths. */
function emptyArray(type: number, count: number, size: number): Buffer {
  const array = Buffer.allocUnsafe(HEADER + size);
  const [dimensions, nulls, lowerBound] = [1, 0, 1];
  for (const [position, field] of [dimensions, nulls, type, count, lowerBound].entries()) {
    array.writeInt32BE(field, position * 4);
  }
  return array;
}
