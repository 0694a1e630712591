/** Most UTF-16 units of a character: a surrogate pair and a variation selector. */
const MOST_UNITS = 3;

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
const SEQUENCE = /[^\ufe0e\ufe0f][\ufe0e\ufe0f]/g;

/**
 * Returns whether a text has more than a number of characters. It counts as `MaxLength` of class-validator does for bodies:
 * an emoji is one character, with or without a variation selector, and two UTF-16 units or more.
 */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false;
  if (text.length > most * MOST_UNITS) return true;
  return text.length - count(text, PAIR) - count(text, SEQUENCE) > most;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
