import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto';
import { merkleHashes, type Sha256 } from '../../src/transparency/domain/merkle.js';

export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
export const hashes = merkleHashes(sha256);

/** ASN.1 prefixes of the 32 bytes of an Ed25519 key (RFC 8410). */
const [PRIVATE, PUBLIC] = ['302e020100300506032b657004220420', '302a300506032b6570032100'];

const privateKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([Buffer.from(PRIVATE, 'hex'), seed]), format: 'der', type: 'pkcs8' });

export const signEd25519 = (seed: Uint8Array, message: Uint8Array): Uint8Array =>
  sign(null, message, privateKey(seed));

export const publicKeyOf = (seed: Uint8Array): Uint8Array =>
  createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' }).subarray(-32);

export const verifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    message,
    createPublicKey({
      key: Buffer.concat([Buffer.from(PUBLIC, 'hex'), publicKey]),
      format: 'der',
      type: 'spki',
    }),
    signature,
  );
