import { canonicalJson } from '../src/kernel/canonical-json.js';
import type { Line } from './read-archive.js';
import { RefusedBundle } from './refused-bundle.js';

/** Type of a member; `any` when other code compares it. */
export type Kind = keyof typeof IS;

const IS = {
  string: (member: unknown) => typeof member === 'string',
  /** A count or an index: 0, 1, 2 … below 2^53. */
  integer: (member: unknown) => Number.isSafeInteger(member) && (member as number) >= 0,
  boolean: (member: unknown) => typeof member === 'boolean',
  object: (member: unknown) => typeof member === 'object' && member !== null && !Array.isArray(member),
  list: Array.isArray as (member: unknown) => boolean,
  any: (member: unknown) => member !== undefined,
} as const;

/**
 * Reads an object that has these members, of the given types, and possibly others.
 * @throws RefusedBundle
 */
export function withMembers<Shape>(
  value: unknown,
  location: string,
  kinds: Readonly<Record<string, Kind>>,
): Shape {
  if (!IS.object(value)) throw new RefusedBundle(`${location}: not an object`);
  for (const name in kinds) {
    if (IS[kinds[name]!]((value as Record<string, unknown>)[name])) continue;
    throw new RefusedBundle(`${location}: ${name} is no ${kinds[name]}`);
  }
  return value as Shape;
}

/** Reads an object that has these members, of the given types, and no others. @throws RefusedBundle */
export function requireMembers<Shape>(
  value: unknown,
  location: string,
  kinds: Readonly<Record<string, Kind>>,
): Shape {
  const shape = withMembers<Shape>(value, location, kinds);
  const unknown = Object.keys(shape as object).find((name) => !Object.hasOwn(kinds, name));
  if (unknown !== undefined)
    throw new RefusedBundle(`${location}: ${JSON.stringify(unknown)} is no member of a line`);
  return shape;
}

/** Reads a line that has these members, of the given types, and no others, as canonical JSON. @throws RefusedBundle */
export function lineOf<Shape>(line: Line, kinds: Readonly<Record<string, Kind>>): Shape {
  const shape = requireMembers<Shape>(line.value, line.location, kinds);
  requireCanonical(line);
  return shape;
}

/** Refuses a line that another reader could read otherwise, as with a member twice. @throws RefusedBundle */
export function requireCanonical({ value, text, location }: Line): void {
  if (isCanonical(value, text)) return;
  throw new RefusedBundle(
    `${location}: not canonical JSON: a member is there twice or out of order, or a number or text is written otherwise`,
  );
}

/** Returns whether a text is the canonical JSON of a value. */
export function isCanonical(value: unknown, text: string): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    // A number beyond those of JavaScript has no canonical form.
    return false;
  }
}
