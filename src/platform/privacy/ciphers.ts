import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import {
  commitmentTo,
  parseSealedRecord,
  SEALED_RECORD,
  type SealedRecord,
} from '../../kernel/sealed-record.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/**
 * Encrypts with AES-256-GCM; returns IV, tag and ciphertext. `boundTo` is authenticated and not stored, so that the text
 * opens for its owner only.
 */
export function encrypt(
  key: KeyObject,
  plain: Buffer,
  boundTo: string,
  iv: Buffer = randomBytes(IV_BYTES),
): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv);
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Encrypts equal text to equal bytes: the IV is a keyed hash of the text, so no two texts share one. */
function encryptDeterministically(key: KeyObject, plain: Buffer, boundTo: string): Buffer {
  const ivKey = derivedKey(key, 'recount synthetic iv');
  const hash = createHmac('sha256', ivKey).update(`${boundTo}\n`).update(plain).digest();
  return encrypt(key, plain, boundTo, hash.subarray(0, IV_BYTES));
}

/** @throws Error for another key, another owner, or changed bytes */
export function decrypt(key: KeyObject, sealed: Buffer, boundTo: string): Buffer {
  const ciphertext = sealed.subarray(IV_BYTES + TAG_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  return decryptParts(key, { iv: sealed.subarray(0, IV_BYTES), tag, ciphertext }, boundTo);
}

function decryptParts(
  key: KeyObject,
  { iv, tag, ciphertext }: Omit<SealedRecord, 'commitment'>,
  boundTo: string,
): Buffer {
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo, 'utf8'));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** Prefix of sealed text, before base64url of IV, tag and ciphertext. */
export const SEALED_TEXT = 'v1.';

/** Derives the key of one record of a subject, which opens that record alone. */
export const recordKeyOf = (subjectKey: KeyObject, iv: Uint8Array): Buffer =>
  createHmac('sha256', subjectKey).update('recount record key').update(iv).digest();

/** Seals data as a record of a subject, with a key of its own that can be disclosed alone. */
export function sealAsRecord(subjectKey: KeyObject, plain: Buffer, boundTo: string): string {
  const iv = randomBytes(IV_BYTES);
  const key = recordKeyOf(subjectKey, iv);
  const sealed = encrypt(createSecretKey(key), plain, boundTo, iv);
  const head = sealed.subarray(0, IV_BYTES + TAG_BYTES);
  const bytes = [head, Buffer.from(commitmentTo(key), 'hex'), sealed.subarray(IV_BYTES + TAG_BYTES)];
  return SEALED_RECORD + Buffer.concat(bytes).toString('base64url');
}

/** Seals equal data to equal text. */
export const sealEqually = (subjectKey: KeyObject, plain: Buffer, boundTo: string): string =>
  SEALED_TEXT + encryptDeterministically(subjectKey, plain, boundTo).toString('base64url');

/** @throws Error for another key, another owner, or changed text */
export function openOfSubject(subjectKey: KeyObject, sealed: string, boundTo: string): string {
  const record = parseSealedRecord(sealed);
  if (!record) return open(subjectKey, sealed, boundTo);
  const key = recordKeyOf(subjectKey, record.iv);
  if (commitmentTo(key) !== record.commitment) throw new Error('The record is sealed with another key.');
  return decryptParts(createSecretKey(key), record, boundTo).toString('utf8');
}

/** Derives a key object: importing bytes at each use costs Node 24 four times as much as the cipher. */
export const derivedKey = (key: KeyObject, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)));

export function open(key: KeyObject, sealed: string, boundTo: string): string {
  if (!sealed.startsWith(SEALED_TEXT)) throw new Error('The text is not sealed.');
  const bytes = Buffer.from(sealed.slice(SEALED_TEXT.length), 'base64url');
  return decrypt(key, bytes, boundTo).toString('utf8');
}
