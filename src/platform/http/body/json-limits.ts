import { randomInt, randomUUID } from 'node:crypto';
import { DomainError } from '../../../kernel/errors.js';
import { InvalidRequest } from '../problems/problem.js';
import type { Uuid } from '../../../kernel/ids.js';
import { mapYielding } from '../../concurrency/long-work.js';

/** Free-form objects have 32 levels at most, and stand in a body of a few. */
const MOST_LEVELS = 64;
/** Lists within lists could hold a hundred thousand bodies, whose rules take seconds to look at. */
const MOST_CONTAINERS = 20_000;
/** Entries of lists and members of objects, all together. */
const MOST_VALUES = 200_000;
/** Members of objects, all together, and of one: a large object is a hash table that grows again and again. */
const MOST_MEMBERS = 100_000;
const MOST_MEMBERS_OF_ONE = 5_000;
/**
 * Names that stand behind other names than before. V8 makes a hidden class for each, which takes 4 µs: the 90 members
 * of a thousand objects are parsed in 5 ms when their names are in the same order, and in 400 ms when they are not.
 */
const MOST_SHAPES = 20_000;
/** Every number with fewer digits and no exponent is within a double. */
const LONGEST_PLAIN_NUMBER = 308;

const [QUOTE, BACKSLASH, COMMA, LETTER_U] = [0x22, 0x5c, 0x2c, 0x75];
/** Level of the objects in a list that the outermost object holds, such as the events of a batch. */
const ENTRY_LEVEL = 3;

const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const NO_OBJECT = -1;

/** Nobody outside can choose names with equal hashes. */
const SEED = randomInt(2 ** 31);
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193) ^ (hash >>> 15);

/**
 * Reads the text of a JSON body byte by byte as it comes in, and refuses what would take long to parse or to look at
 * before it is parsed: deep, many, wide or ever different objects. Whether it is JSON at all is for the parser to say.
 */
export class JsonLimits {
  /** A character is written as an escape: half a surrogate pair and NUL can be. */
  hasEscapes = false;
  /** A number may be beyond a double. */
  hasLargeNumbers = false;
  #isText = false;
  #isEscaped = false;
  /** The next text, or this one, is the name of a member. */
  #isName = false;
  #name = SEED;
  #digits = 0;
  #level = 0;
  #containers = 0;
  #values = 0;
  #members = 0;
  /** By level: how many members the open object has, or NO_OBJECT for a list. */
  readonly #counts = new Int32Array(MOST_LEVELS + 1).fill(NO_OBJECT);
  /** By level: a hash of the names of the open object, in their order. */
  readonly #shapes = new Int32Array(MOST_LEVELS + 1);
  readonly #known = new Set<number>();
  /** Bytes of the parts before this one. */
  #before = 0;
  /** Where each object in a list of the outermost object begins and ends, one after the other. */
  readonly entries: number[] = [];

  /** @throws InvalidRequest */
  push(part: Uint8Array): void {
    this.#read(part);
    this.#before += part.length;
  }

  #read(part: Uint8Array): void {
    let [quote, backslash] = [-1, -1];
    for (let at = 0; at < part.length; at++) {
      if (!this.#isText) this.#outsideText(part[at]!, at);
      else if (this.#isName || this.#isEscaped) this.#inText(part[at]!);
      else {
        // For other texts only their end and their escapes matter.
        if (quote < at) quote = placeOf(QUOTE, part, at);
        if (backslash < at) backslash = placeOf(BACKSLASH, part, at);
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
    if (this.#known.size > MOST_SHAPES) {
      throw tooLarge(
        `The body holds more than ${count(MOST_SHAPES)} orders of members. Split it, or sort them.`,
      );
    }
    const members = (this.#counts[this.#level]! += 1);
    if (members > MOST_MEMBERS_OF_ONE || ++this.#members > MOST_MEMBERS) {
      throw tooLarge(
        `The body holds more than ${count(MOST_MEMBERS)} members of objects, or ${count(MOST_MEMBERS_OF_ONE)} of one.`,
      );
    }
  }

  #outsideText(byte: number, at: number): void {
    if (byte >= 0x30 && byte <= 0x39) {
      if (++this.#digits > LONGEST_PLAIN_NUMBER) this.hasLargeNumbers = true;
      return;
    }
    // `e` or `E` behind a digit begins an exponent.
    if (this.#digits > 0 && (byte | 0x20) === 0x65) this.hasLargeNumbers = true;
    this.#digits = 0;
    if (byte === QUOTE) this.#isText = true;
    else if (byte === COMMA) {
      this.#countValue();
      this.#isName = this.#counts[this.#level] !== NO_OBJECT;
    } else if (byte === OBJECT || byte === LIST) this.#open(byte === OBJECT, at);
    else if (byte === OBJECT_END || byte === LIST_END) {
      // An odd number of places: an entry is open.
      if (this.#level === ENTRY_LEVEL && this.entries.length % 2 === 1) {
        this.entries.push(this.#before + at + 1);
      }
      this.#level = Math.max(0, this.#level - 1);
      this.#isName = false;
    }
  }

  #open(isObject: boolean, at: number): void {
    this.#countValue();
    if (++this.#level > MOST_LEVELS) throw tooLarge(`The body is nested deeper than ${MOST_LEVELS} levels.`);
    this.#counts[this.#level] = isObject ? 0 : NO_OBJECT;
    if (this.#level === ENTRY_LEVEL && isObject && this.#isEntry()) this.entries.push(this.#before + at);
    this.#shapes[this.#level] = SEED;
    this.#isName = isObject;
    if (++this.#containers > MOST_CONTAINERS) {
      throw tooLarge(`The body holds more than ${count(MOST_CONTAINERS)} objects and lists.`);
    }
  }

  #isEntry(): boolean {
    return this.#counts[1] !== NO_OBJECT && this.#counts[2] === NO_OBJECT;
  }

  #countValue(): void {
    if (++this.#values > MOST_VALUES)
      throw tooLarge(`The body holds more than ${count(MOST_VALUES)} values.`);
  }
}

function placeOf(byte: number, part: Uint8Array, from: number): number {
  const place = part.indexOf(byte, from);
  return place < 0 ? part.length : place;
}

const count = (number: number): string => number.toLocaleString('en');

const tooLarge = (detail: string): DomainError =>
  new InvalidRequest({ code: 'max_length', detail, attr: 'non_field_errors' });

/** JSON text writes characters as escapes that PostgreSQL cannot store, and so does any form. @throws InvalidRequest */
export function rejectUnstorableText(body: unknown): void {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'The body holds a NUL character or half a surrogate pair, which cannot be stored.',
        attr: 'non_field_errors',
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) left.push(key, member);
    }
  }
}

/** `JSON.parse` makes an infinity of 1e999, which would be stored as null. @throws InvalidRequest */
export function rejectNonFiniteNumbers(body: unknown): void {
  const left: (readonly [string, unknown])[] = [['', body]];
  while (left.length > 0) {
    const [path, value] = left.pop()!;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'The number is beyond what a double holds: at most 1.7976931348623157e308 in size.',
        attr: path === '' ? 'non_field_errors' : path,
      });
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value))
        left.push([path === '' ? key : `${path}.${key}`, member]);
    }
  }
}

/**
 * Parses a long JSON text as `JSON.parse` does, and lets the rest of the process go on meanwhile: each object in a list
 * of the outermost object is parsed by itself, and the text around them with a name in the place of each. Objects take a
 * value's place wherever a text does, so the whole is JSON exactly when all parts are.
 * @param org that sent it
 * @param entries where each of these objects begins and ends (JsonLimits)
 * @throws SyntaxError
 */
export async function parseEntries(org: Uuid, text: Buffer, entries: readonly number[]): Promise<unknown> {
  // Nobody outside can write the names.
  const name = randomUUID();
  const around: string[] = [];
  const parts: [number, number][] = [];
  let end = 0;
  for (let at = 0; at + 1 < entries.length; at += 2) {
    around.push(text.toString('utf8', end, entries[at]!), `"${name}${parts.length}"`);
    end = entries[at + 1]!;
    parts.push([entries[at]!, end]);
  }
  const outermost: unknown = parseText(around.join('') + text.toString('utf8', end));
  if (parts.length === 0) return outermost;
  const parsed = await mapYielding(
    org,
    parts,
    ([from, to]) => JSON.parse(text.toString('utf8', from, to)) as unknown,
  );
  for (const list of Object.values(outermost as object)) {
    if (!Array.isArray(list)) continue;
    for (const [place, entry] of (list as unknown[]).entries()) {
      if (typeof entry === 'string' && entry.startsWith(name))
        list[place] = parsed[Number(entry.slice(name.length))];
    }
  }
  return outermost;
}

/** A byte order mark is no part of the text. @throws SyntaxError */
export const parseText = (text: string): unknown =>
  JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
