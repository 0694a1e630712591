import type { Json } from '../../kernel/canonical-json.js';

/** Properties that a caller gave for one event: usually a flat object. */
export type Properties = { readonly [name: string]: Json };

const MOST_LEVELS = 5;
const MOST_BYTES = 16_384;
/** A code unit of JavaScript is at most three bytes of UTF-8. */
const SURELY_SMALL = MOST_BYTES / 3;

/** Why properties cannot be taken; the message is a sentence for the caller. */
export class UnfitProperties extends Error {}

/**
 * The one text of properties, by the rules of canonicalJson, checked on the way: at most 5 levels (the object itself is
 * the first) and 16 kB, numbers a double can hold, text PostgreSQL can hold. This is the hot path.
 * @throws UnfitProperties
 */
export function canonicalProperties(properties: object): string {
  const text = isCanonicalAsItStands(properties) ? JSON.stringify(properties) : write(properties, 1);
  if (text.includes('\\u') && UNSTORABLE_ESCAPE.test(text)) {
    throw new UnfitProperties('properties hold text that is not valid Unicode.');
  }
  if (text.length > SURELY_SMALL && Buffer.byteLength(text) > MOST_BYTES) throw tooLarge();
  return text;
}

const tooLarge = (): UnfitProperties => new UnfitProperties('properties are larger than 16 kB.');

/** Text that is too long by itself is not written first: megabytes take long. */
const isWithinLimit = (value: unknown): boolean => typeof value !== 'string' || value.length <= MOST_BYTES;

/** Most properties are flat, and many have their names in order: the platform writes those three times as fast. */
function isCanonicalAsItStands(properties: object): boolean {
  let last = '';
  const members = properties as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (name < last || (typeof value === 'object' && value !== null) || !isFiniteIfNumber(value))
      return false;
    if (!isWithinLimit(value)) throw tooLarge();
    last = name;
  }
  return true;
}

const isFiniteIfNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value);

function write(value: unknown, level: number): string {
  if (typeof value === 'object' && value !== null) return writeContainer(value, level);
  if (!isWithinLimit(value)) throw tooLarge();
  if (!isFiniteIfNumber(value)) throw new UnfitProperties('properties hold a number that is too large.');
  return JSON.stringify(value);
}

function writeContainer(value: object, level: number): string {
  if (level > MOST_LEVELS) throw new UnfitProperties('properties are nested more than 5 levels deep.');
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => write(item, level + 1)).join(',')}]`;
  }
  const members = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(members).sort()) {
    text += `${text && ','}${JSON.stringify(name)}:${write(members[name], level + 1)}`;
  }
  return `{${text}}`;
}

/** JSON escapes that PostgreSQL cannot store: NUL and half a surrogate pair, behind an even number of backslashes. */
const UNSTORABLE_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** PostgreSQL stores no NUL, and half of a surrogate pair is no character: two ids could become one on the way. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
