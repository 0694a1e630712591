import { createHash } from 'node:crypto';

/** What can be hashed: JSON without floats that are not finite. Bigints are refused: say them as text. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One text per value: keys in code unit order, no blanks, undefined members left out (RFC 8785 for our subset). */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no canonical form');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item: unknown) => canonicalJson(item ?? null)).join(',')}]`;
  }
  if (typeof value === 'object') {
    refuseHiddenContent(value);
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`a ${typeof value} has no canonical form`);
}

/** A Date, Map, Set or buffer has no members of its own: all of them would be written `{}` and hash alike. */
function refuseHiddenContent(value: object): void {
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Object]') throw new TypeError(`${tag} has no canonical form`);
}

export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The hash by which equal content is recognised, whatever the order of its keys. */
export const contentHash = (value: unknown): string => sha256Hex(canonicalJson(value));
