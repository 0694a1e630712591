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

/** @throws DomainError for bytes that are not UTF-8 */
export function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw wrongEncoding();
}

/** Reads an urlencoded form. @throws DomainError also for bytes that are not UTF-8, raw or behind percent signs */
export function readForm(bytes: Buffer): Record<string, unknown> {
  requireUtf8(bytes);
  const fields = new FormFields();
  for (const field of bytes.toString().split('&')) {
    if (field === '') continue;
    const [name = ''] = field.split('=', 1);
    fields.add(decode(name), decode(field.slice(name.length + 1)));
  }
  return fields.toBody();
}

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;

/** Decodes a name or value. A percent sign without two hex digits stays. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' ').replace(STRAY_PERCENT, '%25'));
  } catch {
    throw wrongEncoding();
  }
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
