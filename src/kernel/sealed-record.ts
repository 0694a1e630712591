import { hash } from 'node:crypto';
import type { Uuid } from './ids.js';

/** Prefix of a sealed record, before base64url of IV, tag, commitment and ciphertext (docs/evidence-bundle.md#personal-data). */
export const SEALED_RECORD = 'v2.';

const [IV_BYTES, TAG_BYTES, COMMITMENT_BYTES] = [12, 16, 32];

/** Parts of a sealed record. Each record has a key of its own. */
export interface SealedRecord {
  readonly iv: Uint8Array;
  readonly tag: Uint8Array;
  /** Hash of the record's key, so that no other key opens the record to other data. */
  readonly commitment: string;
  readonly ciphertext: Uint8Array;
}

/** Reads a sealed record; returns undefined for other text, also for that of earlier releases. */
export function parseSealedRecord(text: string): SealedRecord | undefined {
  if (!text.startsWith(SEALED_RECORD)) return undefined;
  // Node and the Buffer of the verifier's page both read the URL's alphabet as base64.
  const bytes = Buffer.from(text.slice(SEALED_RECORD.length), 'base64');
  const [tagAt, commitmentAt] = [IV_BYTES, IV_BYTES + TAG_BYTES];
  const textAt = commitmentAt + COMMITMENT_BYTES;
  if (bytes.length < textAt) return undefined;
  return {
    iv: bytes.subarray(0, tagAt),
    tag: bytes.subarray(tagAt, commitmentAt),
    commitment: bytes.subarray(commitmentAt, textAt).toString('hex'),
    ciphertext: bytes.subarray(textAt),
  };
}

/** Hashes the key of a record, in hexadecimal digits. */
export const commitmentTo = (key: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from('recount record key commitment'), key]));

/** Text that is authenticated with the data of a subject, so that it opens for its owner only. */
export const boundToSubject = (org: Uuid, subject: Uuid): string => `data:${org}.${subject}`;
