import { hash } from 'node:crypto';

/** JSON that can be hashed: finite numbers only; write bigints as text. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Writes the only text of a value: keys in code unit order, no blanks, no undefined members (a subset of RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (isInOrder(value)) return JSON.stringify(value);
  try {
    return JSON.stringify(inOrder(value));
  } catch (error) {
    if (error !== NO_ORDER) throw error;
    return textOf(value);
  }
}

/**
 * Returns whether `JSON.stringify` already writes a value canonically. Hot callers build objects with ordered keys, and
 * for others the check stops at the first key out of order.
 */
function isInOrder(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isInOrder(value[index])) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let before = '';
  for (const key in value) {
    if (key < before || !isInOrder((value as Record<string, unknown>)[key])) return false;
    before = key;
  }
  return true;
}

/** Thrown for an object whose keys cannot be ordered: JavaScript puts names such as `10` first. */
const NO_ORDER = new Error('the keys of the object cannot be put in order');

/** Copies a value with its keys in order: writing the copy is twice as fast as writing member by member. */
function inOrder(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return finite(value);
    case 'object':
      if (value === null) return null;
      return Array.isArray(value) ? listInOrder(value) : objectInOrder(value as Record<string, unknown>);
    default:
      throw withoutForm(value);
  }
}

function listInOrder(list: readonly unknown[]): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) copy.push(inOrder(list[index] ?? null));
  return copy;
}

function objectInOrder(object: Record<string, unknown>): object {
  if (Object.getPrototypeOf(object) !== Object.prototype) refuseHiddenContent(object);
  const copy: Record<string, unknown> = {};
  for (const key of sorted(Object.keys(object))) {
    const member = object[key];
    if (member === undefined) continue;
    const first = key.charCodeAt(0);
    if ((first >= 48 && first <= 57) || key === '__proto__') throw NO_ORDER;
    copy[key] = inOrder(member);
  }
  return copy;
}

/** Sorts by insertion, which is fastest for the few, often sorted keys of most objects. */
function sorted(keys: string[]): string[] {
  if (keys.length > MANY_KEYS) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!;
    let at = index;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}

const MANY_KEYS = 40;

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no canonical form');
  return value;
}

const withoutForm = (value: unknown): TypeError => new TypeError(`a ${typeof value} has no canonical form`);

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return JSON.stringify(finite(value));
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listOf(value) : objectOf(value as Record<string, unknown>);
    default:
      throw withoutForm(value);
  }
}

function objectOf(object: Record<string, unknown>): string {
  if (Object.getPrototypeOf(object) !== Object.prototype) refuseHiddenContent(object);
  let text = '{';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key)}:${textOf(member)}`;
  }
  return text + '}';
}

function listOf(list: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ',';
    text += textOf(list[index] ?? null);
  }
  return text + ']';
}

/** Refuses objects such as Date, Map, Set and Buffer: all would be written `{}` and hash alike. */
function refuseHiddenContent(value: object): void {
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Object]') throw new TypeError(`${tag} has no canonical form`);
}

export const sha256Hex = (text: string): string => hash('sha256', text);

/** Returns whether two plain JSON values certainly have equal canonical text; faster than writing both. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!isSameJson(a[index], b[index])) return false;
    return true;
  }
  if (Object.getPrototypeOf(a) !== Object.prototype || Object.getPrototypeOf(b) !== Object.prototype)
    return false;
  let members = 0;
  for (const key in a) {
    const [one, other] = [(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]];
    if (!isSameJson(one, other)) return false;
    if (one !== undefined) members += 1;
  }
  for (const key in b) if ((b as Record<string, unknown>)[key] !== undefined) members -= 1;
  return members === 0;
}

/** Hashes content, regardless of the order of its keys. */
export const contentHash = (value: unknown): string => sha256Hex(canonicalJson(value));
