import { isUtf8 } from 'node:buffer';
import appendField from 'append-field';
import { DomainError } from '../../../kernel/errors.js';

export const MAX_FIELDS = 1_000;
const MAX_NAME_LENGTH = 200;
const MAX_LEVELS = 32;
const MAX_INDEX = 1_000;
/** Limit of the levels of all names together, each of which can be an object or a list. */
const MAX_CONTAINERS = 20_000;
/**
 * Limit of the sum of all indexes. `append-field` makes a list as long as its index: a form of 200 kB with nested lists
 * would take 260 MB. A list of 1,000 entries has 499,500.
 */
const MAX_INDEXES = 500_000;

/** Names that `append-field` reads as a path; it keeps other names as they are. */
const PATH = /^[^[]+(?:\[[^\]]+\])*(?:\[\])?$/;
const INDEX = /\[(\d+)\]/g;

/** Fields of a form, urlencoded or multipart, which become one object. */
export class FormFields {
  readonly #body = Object.create(null) as Record<string, unknown>;
  #count = 0;
  #levels = 0;
  #indexes = 0;

  /**
   * Adds a field. `a[b]` is the member `b` of the object `a`, `a[0]` and `a[]` are entries of the list `a`, and `a[0][b]` is
   * a member of an entry. A name that is given several times has a list of its values.
   * @throws DomainError
   */
  add(name: string, value: string): void {
    if (++this.#count > MAX_FIELDS) throw tooManyFields();
    const levels = name.length > MAX_NAME_LENGTH ? Infinity : name.split('[').length - 1;
    this.#levels += levels;
    if (levels > MAX_LEVELS || this.#levels > MAX_CONTAINERS) throw unfitName();
    if (PATH.test(name)) this.#countIndexes(name);
    else if (name.includes('[][')) throw listWithoutIndexes();
    appendField(this.#body, name, value);
  }

  /** Returns the object. Indexes that were left out are closed up. */
  toBody(): Record<string, unknown> {
    closeGaps(this.#body);
    return { ...this.#body };
  }

  #countIndexes(name: string): void {
    for (const [, digits] of name.matchAll(INDEX)) {
      const index = Number(digits);
      this.#indexes += index;
      if (index > MAX_INDEX || this.#indexes > MAX_INDEXES) throw unfitName();
    }
  }
}

function closeGaps(body: object): void {
  const left = [body];
  while (left.length > 0) {
    const container = left.pop()!;
    const values: unknown[] = Object.values(container);
    if (Array.isArray(container) && values.length < container.length) {
      container.splice(0, container.length, ...values);
    }
    for (const value of values) if (typeof value === 'object' && value !== null) left.push(value);
  }
}

/** Returns a check that takes a body part by part. @throws DomainError for bytes that are not UTF-8 */
export function utf8Check(): (part: Buffer) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (part) => {
    try {
      decoder.decode(part, { stream: true });
    } catch {
      throw wrongEncoding();
    }
  };
}

/** Reads an urlencoded form. @throws DomainError also for bytes that are not UTF-8, raw or behind percent signs */
export function readForm(bytes: Buffer): Record<string, unknown> {
  const fields = new FormFields();
  for (let at = 0; at < bytes.length;) {
    const end = offsetOf(AMPERSAND, bytes, at);
    const field = bytes.subarray(at, end);
    at = end + 1;
    if (field.length === 0) continue;
    const nameEnd = offsetOf(EQUALS, field, 0);
    fields.add(decode(field.subarray(0, nameEnd)), decode(field.subarray(nameEnd + 1)));
  }
  return fields.toBody();
}

const [PERCENT, AMPERSAND, PLUS, EQUALS, SPACE] = [0x25, 0x26, 0x2b, 0x3d, 0x20];

function offsetOf(byte: number, bytes: Buffer, from: number): number {
  const offset = bytes.indexOf(byte, from);
  return offset < 0 ? bytes.length : offset;
}

/** Decodes a name or value. A percent sign without two hex digits stays. */
function decode(encoded: Buffer): string {
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    let byte = encoded[at]!;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const [high, low] = [hexDigit(encoded[at + 1]), hexDigit(encoded[at + 2])];
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        at += 2;
      }
    }
    decoded[length++] = byte;
  }
  const text = decoded.subarray(0, length);
  if (!isUtf8(text)) throw wrongEncoding();
  return text.toString();
}

/** Returns the value of a hex digit; -1 for another byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const wrongEncoding = (): DomainError =>
  new DomainError(
    'parse_error',
    'The form has bytes that are not UTF-8. Send its names and values in UTF-8.',
  );

export const tooManyFields = (): DomainError =>
  new DomainError(
    'payload_too_large',
    `The form has more than ${MAX_FIELDS.toLocaleString('en')} fields. Send JSON, or fewer fields.`,
  );

const unfitName = (): DomainError =>
  new DomainError(
    'parse_error',
    `The form has a field name with more than ${MAX_NAME_LENGTH} characters, ${MAX_LEVELS} levels or a large index, or too many levels in all. Shorten it, or send JSON.`,
  );

const listWithoutIndexes = (): DomainError =>
  new DomainError(
    'parse_error',
    'The form has members of list entries without indexes. Give each entry an index, such as tiers[0][type], or send JSON.',
  );
