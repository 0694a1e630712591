import { DomainError } from '../../kernel/errors.js';
import { InvalidRequest } from './invalid-request.js';

/** Free-form objects have 32 levels at most, and stand in a body of a few. */
const MOST_LEVELS = 64;
/** Lists within lists could hold a hundred thousand bodies, whose rules take seconds to look at. */
const MOST_CONTAINERS = 20_000;
/** Members of objects and entries of lists, all together. */
const MOST_VALUES = 200_000;
/** An object with more is a hash table that takes long to grow. */
const MOST_MEMBERS = 5_000;
/** Every number with fewer digits and no exponent is within a double. */
const LONGEST_PLAIN_NUMBER = 308;

const [QUOTE, BACKSLASH, COMMA, LETTER_U] = [0x22, 0x5c, 0x2c, 0x75];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads the text of a JSON body byte by byte as it comes in, and refuses what would take long to parse or to look at
 * before it is parsed: deep, many or wide objects. Whether it is JSON at all is for the parser to say.
 */
export class JsonLimits {
  /** A character is written as an escape: half a surrogate pair and NUL can be. */
  hasEscapes = false;
  /** A number may be beyond a double. */
  hasLargeNumbers = false;
  #isText = false;
  #isEscaped = false;
  #digits = 0;
  #level = 0;
  #containers = 0;
  #values = 0;
  /** By level: the commas of the open object, or -1 for a list. */
  readonly #commas = new Int32Array(MOST_LEVELS + 1);

  /** @throws InvalidRequest */
  push(part: Uint8Array): void {
    for (let at = 0; at < part.length; at++) {
      const byte = part[at]!;
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE) this.#isText = true;
      else this.#outsideText(byte);
    }
  }

  #inText(byte: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      if (byte === LETTER_U) this.hasEscapes = true;
    } else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #outsideText(byte: number): void {
    if (byte >= 0x30 && byte <= 0x39) {
      if (++this.#digits > LONGEST_PLAIN_NUMBER) this.hasLargeNumbers = true;
      return;
    }
    // `e` or `E` behind a digit begins an exponent.
    if (this.#digits > 0 && (byte | 0x20) === 0x65) this.hasLargeNumbers = true;
    this.#digits = 0;
    if (byte === COMMA) this.#nextMember();
    else if (byte === OBJECT || byte === LIST) this.#open(byte);
    else if (byte === OBJECT_END || byte === LIST_END) this.#level = Math.max(0, this.#level - 1);
  }

  #nextMember(): void {
    this.#countValue();
    const commas = this.#commas[this.#level]!;
    if (commas < 0) return;
    this.#commas[this.#level] = commas + 1;
    if (commas + 2 > MOST_MEMBERS)
      throw tooLarge(`An object of the body has more than ${count(MOST_MEMBERS)} members.`);
  }

  #open(byte: number): void {
    this.#countValue();
    if (++this.#level > MOST_LEVELS) throw tooLarge(`The body is nested deeper than ${MOST_LEVELS} levels.`);
    this.#commas[this.#level] = byte === LIST ? -1 : 0;
    if (++this.#containers > MOST_CONTAINERS) {
      throw tooLarge(`The body holds more than ${count(MOST_CONTAINERS)} objects and lists.`);
    }
  }

  #countValue(): void {
    if (++this.#values > MOST_VALUES)
      throw tooLarge(`The body holds more than ${count(MOST_VALUES)} values.`);
  }
}

const count = (number: number): string => number.toLocaleString('en');

const tooLarge = (detail: string): DomainError =>
  new InvalidRequest({ code: 'max_length', detail, attr: 'non_field_errors' });
