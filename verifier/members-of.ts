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
  place: string,
  kinds: Readonly<Record<string, Kind>>,
): Shape {
  if (!IS.object(value)) throw new RefusedBundle(`${place}: not an object`);
  for (const name in kinds) {
    if (IS[kinds[name]!]((value as Record<string, unknown>)[name])) continue;
    throw new RefusedBundle(`${place}: ${name} is no ${kinds[name]}`);
  }
  return value as Shape;
}

/** Reads an object that has these members, of the given types, and no others. @throws RefusedBundle */
export function requireMembers<Shape>(
  value: unknown,
  place: string,
  kinds: Readonly<Record<string, Kind>>,
): Shape {
  const shape = withMembers<Shape>(value, place, kinds);
  const unknown = Object.keys(shape as object).find((name) => !Object.hasOwn(kinds, name));
  if (unknown !== undefined)
    throw new RefusedBundle(`${place}: ${JSON.stringify(unknown)} is no member of a line`);
  return shape;
}
