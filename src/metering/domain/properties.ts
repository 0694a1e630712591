import { canonicalJson, type Json } from '../../kernel/canonical-json.js';

/** Properties of an event as the caller sent them, usually a flat object. */
export type Properties = { readonly [name: string]: Json };

const MAX_LEVELS = 5;
const MAX_BYTES = 16_384;
/** A code unit of JavaScript is at most three bytes of UTF-8. */
const SURELY_SMALL = MAX_BYTES / 3;

/** Refusal of properties; the message is a sentence for the caller. */
export class UnfitProperties extends Error {}

/**
 * The canonical text of properties, checked: at most 5 levels (the object itself is the first) and 16 kB, numbers a double
 * can hold, text PostgreSQL can hold. This is the hot path.
 * @throws UnfitProperties
 */
export function canonicalProperties(properties: object): string {
  check(properties, 1);
  const text = canonicalJson(properties);
  requireFitText(text);
  return text;
}

/** Checks properties whose text the caller has already, alone or inside a larger text. @throws UnfitProperties */
export function requireFit(properties: object, text: string): void {
  check(properties, 1);
  if (text.includes('\\u') || text.length > SURELY_SMALL) requireFitText(canonicalJson(properties));
}

function requireFitText(text: string): void {
  if (text.includes('\\u') && UNSTORABLE_ESCAPE.test(text)) {
    throw new UnfitProperties('properties hold text that is not valid Unicode.');
  }
  if (text.length > SURELY_SMALL && Buffer.byteLength(text) > MAX_BYTES) throw tooLarge();
}

const tooLarge = (): UnfitProperties => new UnfitProperties('properties are larger than 16 kB.');

/** Checks values before they are written: writing a text that is too long would take long. */
function check(value: unknown, level: number): void {
  if (typeof value === 'string') {
    if (value.length > MAX_BYTES) throw tooLarge();
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new UnfitProperties('properties hold a number that is too large.');
  } else if (typeof value === 'object' && value !== null) {
    if (level > MAX_LEVELS) throw new UnfitProperties('properties are nested more than 5 levels deep.');
    if (Array.isArray(value)) for (const item of value as unknown[]) check(item, level + 1);
    else for (const name in value) check((value as Record<string, unknown>)[name], level + 1);
  }
}

/** JSON escapes that PostgreSQL cannot store: NUL and half a surrogate pair, behind an even number of backslashes. */
const UNSTORABLE_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** PostgreSQL stores no NUL, and half of a surrogate pair is no character: two ids could become one on the way. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
