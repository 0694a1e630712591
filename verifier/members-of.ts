import { RefusedBundle } from './refused-bundle.js';

/** Type of a member; `any` where another place compares it. */
export type Kind = 'string' | 'number' | 'object' | 'boolean' | 'any';

/** Reads an object that has these members, of the given types, and no others. @throws RefusedBundle */
export function membersOf<Shape>(
  value: unknown,
  place: string,
  kinds: Readonly<Record<string, Kind>>,
): Shape {
  if (typeof value !== 'object' || value === null) throw new RefusedBundle(`${place}: not an object`);
  for (const [name, kind] of Object.entries(kinds)) {
    const member = (value as Record<string, unknown>)[name];
    if (kind === 'any' ? member !== undefined : typeof member === kind && member !== null) continue;
    throw new RefusedBundle(`${place}: ${name} is no ${kind}`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(kinds, name));
  if (unknown !== undefined)
    throw new RefusedBundle(`${place}: ${JSON.stringify(unknown)} is no member of a line`);
  return value as Shape;
}
