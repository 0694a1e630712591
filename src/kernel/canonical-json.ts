import { hash } from 'node:crypto';

/** What can be hashed: JSON without floats that are not finite. Bigints are refused: say them as text. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One text per value: keys in code unit order, no blanks, undefined members left out (RFC 8785 for our subset). */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return textOf(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no canonical form');
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listOf(value) : objectOf(value as Record<string, unknown>);
    default:
      throw new TypeError(`a ${typeof value} has no canonical form`);
  }
}

/** Written by hand down to the keys, because every invoice is hashed and this is most of the work of computing one. */
function objectOf(object: Record<string, unknown>): string {
  if (Object.getPrototypeOf(object) !== Object.prototype) refuseHiddenContent(object);
  let text = '{';
  for (const key of inOrder(Object.keys(object))) {
    const member = object[key];
    if (member === undefined) continue;
    if (text.length > 1) text += ',';
    text += nameOf(key) + canonicalJson(member);
  }
  return text + '}';
}

function listOf(list: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ',';
    text += canonicalJson(list[index] ?? null);
  }
  return text + ']';
}

/** Sorts in place: by insertion what is short and almost sorted, as the objects of events are. */
function inOrder(keys: string[]): string[] {
  if (keys.length > 40) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!;
    let place = index;
    for (; place > 0 && keys[place - 1]! > key; place--) keys[place] = keys[place - 1]!;
    keys[place] = key;
  }
  return keys;
}

const WITHOUT_ESCAPES = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const textOf = (text: string): string => (WITHOUT_ESCAPES.test(text) ? `"${text}"` : JSON.stringify(text));

/** The names of fields are few; a caller's own keys fill the list once and are written each time from then on. */
const names = new Map<string, string>();
const MOST_NAMES = 500;

function nameOf(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = `${textOf(key)}:`;
  if (names.size < MOST_NAMES) names.set(key, name);
  return name;
}

/** A Date, Map, Set or buffer has no members of its own: all of them would be written `{}` and hash alike. */
function refuseHiddenContent(value: object): void {
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Object]') throw new TypeError(`${tag} has no canonical form`);
}

export const sha256Hex = (text: string): string => hash('sha256', text);

/** The hash by which equal content is recognised, whatever the order of its keys. */
export const contentHash = (value: unknown): string => sha256Hex(canonicalJson(value));
