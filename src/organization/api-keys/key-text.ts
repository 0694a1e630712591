import { createHash, randomBytes } from 'node:crypto';

/** Format `recount_<prefix>_<secret>`: the prefix finds the row, the 256-bit secret authenticates. */
const MADE_HERE = /^recount_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/;

export interface KeyText {
  readonly key: string;
  readonly prefix: string;
}

export function makeKey(): KeyText {
  const prefix = randomBytes(6).toString('hex');
  return { key: `recount_${prefix}_${randomBytes(32).toString('base64url')}`, prefix };
}

/** Returns the prefix in the key, or twelve digits of its hash for a key in another format (API_KEY). */
export const prefixOf = (key: string): string =>
  MADE_HERE.exec(key)?.[1] ?? hashOf(`prefix:${key}`).toString('hex').slice(0, 12);

export const hashOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest();
