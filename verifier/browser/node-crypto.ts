/**
 * Functions of `node:crypto` that the pure core and the verifier call. The build of the page replaces the
 * module with this file.
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const ALGORITHMS = { sha1, sha256 };

type Algorithm = keyof typeof ALGORITHMS;

const bytesOf = (data: string | Uint8Array, encoding?: 'hex'): Uint8Array =>
  typeof data !== 'string' ? data : encoding === 'hex' ? hexToBytes(data) : utf8ToBytes(data);

export function hash(algorithm: Algorithm, data: string | Uint8Array, output?: 'hex'): string;
export function hash(algorithm: Algorithm, data: string | Uint8Array, output: 'buffer'): Uint8Array;
export function hash(algorithm: Algorithm, data: string | Uint8Array, output = 'hex'): string | Uint8Array {
  const digest = ALGORITHMS[algorithm](bytesOf(data));
  return output === 'hex' ? bytesToHex(digest) : digest;
}

export function createHash(algorithm: Algorithm) {
  const state = ALGORITHMS[algorithm].create();
  const growing = {
    update: (data: string | Uint8Array, encoding?: 'hex') => {
      state.update(bytesOf(data, encoding));
      return growing;
    },
    digest: (output?: 'hex') => {
      const digest = state.digest();
      return output === 'hex' ? bytesToHex(digest) : digest;
    },
  };
  return growing;
}
