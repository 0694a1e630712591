import { hash } from 'node:crypto';
import { HASH_BYTES, merkleHashes, type Sha256 } from './domain/merkle.js';

/** SHA-256 of Node. */
export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/** The hashes of the trees, computed by Node. */
export const MERKLE_HASHES = merkleHashes(sha256);

/** Hashes in a column, 32 bytes each. */
export const hashesIn = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
