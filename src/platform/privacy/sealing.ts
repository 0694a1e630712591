import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/**
 * AES-256-GCM under a fresh IV, where none is given: IV, tag and ciphertext in one. `boundTo` is authenticated and not stored: what was
 * sealed for one owner does not open for another.
 */
export function encrypt(
  key: Buffer,
  plain: Buffer,
  boundTo: string,
  iv: Buffer = randomBytes(IV_BYTES),
): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv);
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** For equal text that has to be sealed alike: the IV is a keyed hash of it, so that no two texts share one. */
export function encryptDeterministically(key: Buffer, plain: Buffer, boundTo: string): Buffer {
  const ivKey = Buffer.from(hkdfSync('sha256', key, '', 'recount synthetic iv', KEY_BYTES));
  const hash = createHmac('sha256', ivKey).update(`${boundTo}\n`).update(plain).digest();
  return encrypt(key, plain, boundTo, hash.subarray(0, IV_BYTES));
}

/** @throws Error when key, owner or a single bit is not the one it was encrypted with */
export function decrypt(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo, 'utf8'));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
