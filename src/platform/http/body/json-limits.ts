import { randomInt } from 'node:crypto';
import { DomainError } from '../../../kernel/errors.js';
import { InvalidRequest } from '../problems/problem.js';

/** Limit of levels: a free-form object has at most 32, inside a body with a few. */
const MAX_LEVELS = 64;
/** Limit of objects and lists: a hundred thousand nested bodies would take seconds to validate. */
const MAX_CONTAINERS = 20_000;
/** Limit of entries of lists and members of objects. */
const MAX_VALUES = 200_000;
/** Limits of members of all objects, and of one object, whose hash table grows repeatedly. */
const MAX_MEMBERS = 100_000;
const MAX_MEMBERS_PER_OBJECT = 5_000;
/**
 * Limit of different orders of names. V8 makes a hidden class for each, which takes 4 µs: a thousand objects with 90
 * members are parsed in 5 ms if their names are in one order, and in 400 ms if not.
 */
const MAX_SHAPES = 20_000;
/** Limit of bytes of all text around the objects in lists of the outermost object, which is parsed at once. */
const MAX_BYTES_OUTSIDE_ENTRIES = 1024 * 1024;
/** Limit of digits below which a number without an exponent fits into a double. */
const LONGEST_PLAIN_NUMBER = 308;

const [QUOTE, BACKSLASH, COMMA, LETTER_U] = [0x22, 0x5c, 0x2c, 0x75];
/** Level of objects in a list of the outermost object, such as the events of a batch. */
const ENTRY_LEVEL = 3;

const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const NO_OBJECT = -1;

/** Random seed, so that a caller cannot choose names with equal hashes. */
const SEED = randomInt(2 ** 31);
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193) ^ (hash >>> 15);

/**
 * Checks the text of a JSON body while it arrives, and refuses bodies that would take long to parse or validate: deep,
 * many, wide or differently ordered objects. It does not check that the text is JSON.
 */
export class JsonLimits {
  /** True if the text has Unicode escapes, which can be NUL or half a surrogate pair. */
  hasEscapes = false;
  /** True if a number may exceed a double. */
  hasLargeNumbers = false;
  #isText = false;
  #isEscaped = false;
  /** True if the current or next text is the name of a member. */
  #isName = false;
  #name = SEED;
  #digits = 0;
  #level = 0;
  #containers = 0;
  #values = 0;
  #members = 0;
  /** Number of members of the open object at each level, or NO_OBJECT for a list. */
  readonly #counts = new Int32Array(MAX_LEVELS + 1).fill(NO_OBJECT);
  /** Hash of the names of the open object at each level, in their order. */
  readonly #shapes = new Int32Array(MAX_LEVELS + 1);
  readonly #known = new Set<number>();
  /** Bytes of earlier parts. */
  #before = 0;
  /** Bytes of the entries. */
  #inEntries = 0;
  /** Start and end offsets of each object in a list of the outermost object. */
  readonly entries: number[] = [];

  /** @param mostEntryBytes limit of bytes of an object in a list of the outermost object, which is parsed at once */
  constructor(private readonly mostEntryBytes = Infinity) {}

  /** @throws InvalidRequest */
  push(part: Uint8Array): void {
    this.#read(part);
    this.#before += part.length;
    // An odd number of offsets means that an entry is open.
    const open = this.entries.length % 2 === 1 ? this.entries.at(-1)! : this.#before;
    if (this.#before - open > this.mostEntryBytes) throw longEntry(this.mostEntryBytes);
    if (open - this.#inEntries > MAX_BYTES_OUTSIDE_ENTRIES) {
      throw tooLong('The body has more than 1 MB outside of the objects of its list. Send less at a time.');
    }
  }

  #read(part: Uint8Array): void {
    let [quote, backslash] = [-1, -1];
    for (let at = 0; at < part.length; at++) {
      if (!this.#isText) this.#outsideText(part[at]!, at);
      else if (this.#isName || this.#isEscaped) this.#inText(part[at]!);
      else {
        // Skip to the end of the text or its next escape.
        if (quote < at) quote = offsetOf(QUOTE, part, at);
        if (backslash < at) backslash = offsetOf(BACKSLASH, part, at);
        at = Math.min(quote, backslash);
        if (at < part.length) this.#inText(part[at]!);
      }
    }
  }

  #inText(byte: number): void {
    if (this.#isName) this.#name = mix(this.#name, byte);
    if (this.#isEscaped) {
      this.#isEscaped = false;
      if (byte === LETTER_U) this.hasEscapes = true;
    } else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isText = false;
      if (this.#isName) this.#endName();
    }
  }

  #endName(): void {
    this.#isName = false;
    const shape = mix(this.#shapes[this.#level]!, this.#name);
    this.#shapes[this.#level] = shape;
    this.#name = SEED;
    this.#known.add(shape);
    if (this.#known.size > MAX_SHAPES) {
      throw tooLarge(
        `The body has more than ${count(MAX_SHAPES)} orders of members. Split it, or sort the members.`,
      );
    }
    const members = (this.#counts[this.#level]! += 1);
    if (members > MAX_MEMBERS_PER_OBJECT || ++this.#members > MAX_MEMBERS) {
      throw tooLarge(
        `The body has more than ${count(MAX_MEMBERS)} members of objects, or ${count(MAX_MEMBERS_PER_OBJECT)} of one. Split it.`,
      );
    }
  }

  #outsideText(byte: number, at: number): void {
    if (byte >= 0x30 && byte <= 0x39) {
      if (++this.#digits > LONGEST_PLAIN_NUMBER) this.hasLargeNumbers = true;
      return;
    }
    // `e` or `E` after a digit begins an exponent.
    if (this.#digits > 0 && (byte | 0x20) === 0x65) this.hasLargeNumbers = true;
    this.#digits = 0;
    if (byte === QUOTE) this.#isText = true;
    else if (byte === COMMA) {
      this.#countValue();
      this.#isName = this.#counts[this.#level] !== NO_OBJECT;
    } else if (byte === OBJECT || byte === LIST) this.#open(byte === OBJECT, at);
    else if (byte === OBJECT_END || byte === LIST_END) {
      if (this.#level === ENTRY_LEVEL && this.entries.length % 2 === 1) {
        this.#endEntry(this.#before + at + 1);
      }
      this.#level = Math.max(0, this.#level - 1);
      this.#isName = false;
    }
  }

  #open(isObject: boolean, at: number): void {
    this.#countValue();
    if (++this.#level > MAX_LEVELS)
      throw tooLarge(`The body is nested deeper than ${MAX_LEVELS} levels. Flatten it.`);
    this.#counts[this.#level] = isObject ? 0 : NO_OBJECT;
    if (this.#level === ENTRY_LEVEL && isObject && this.#isEntry()) this.entries.push(this.#before + at);
    this.#shapes[this.#level] = SEED;
    this.#isName = isObject;
    if (++this.#containers > MAX_CONTAINERS) {
      throw tooLarge(`The body has more than ${count(MAX_CONTAINERS)} objects and lists. Split it.`);
    }
  }

  #endEntry(end: number): void {
    const bytes = end - this.entries.at(-1)!;
    if (bytes > this.mostEntryBytes) throw longEntry(this.mostEntryBytes);
    this.#inEntries += bytes;
    this.entries.push(end);
  }

  #isEntry(): boolean {
    return this.#counts[1] !== NO_OBJECT && this.#counts[2] === NO_OBJECT;
  }

  #countValue(): void {
    if (++this.#values > MAX_VALUES)
      throw tooLarge(`The body has more than ${count(MAX_VALUES)} values. Split it.`);
  }
}

function offsetOf(byte: number, part: Uint8Array, from: number): number {
  const offset = part.indexOf(byte, from);
  return offset < 0 ? part.length : offset;
}

const count = (number: number): string => number.toLocaleString('en');

const tooLarge = (detail: string): DomainError =>
  new InvalidRequest({ code: 'max_length', detail, attr: 'non_field_errors' });

const tooLong = (detail: string): DomainError => new DomainError('payload_too_large', detail);

const longEntry = (most: number): DomainError =>
  tooLong(`An object in a list of the body is larger than ${most / 1024} kB. Send less in it.`);

/** Refuses text that PostgreSQL cannot store, which escapes of JSON and forms can express. @throws InvalidRequest */
export function rejectUnstorableText(body: unknown): void {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'The body has a NUL character or half a surrogate pair, which cannot be stored. Remove it.',
        attr: 'non_field_errors',
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) left.push(key, member);
    }
  }
}

/** Refuses numbers such as 1e999, which `JSON.parse` reads as infinity. @throws InvalidRequest */
export function rejectNonFiniteNumbers(body: unknown): void {
  const left: (readonly [string, unknown])[] = [['', body]];
  while (left.length > 0) {
    const [path, value] = left.pop()!;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'The number is too large for a double. Give at most 1.7976931348623157e308 in size.',
        attr: path === '' ? 'non_field_errors' : path,
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value))
        left.push([path === '' ? key : `${path}.${key}`, member]);
    }
  }
}
