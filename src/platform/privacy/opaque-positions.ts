import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { Vault } from './vault.js';

const CIPHER = 'aes-256-ctr';
const TAG_BYTES = 16;
const PLAIN_BYTES = 16;
const LARGEST = 2n ** 64n - 1n;

/**
 * A position counts what every organization writes, so a caller sees it encrypted. The text is the same for the same
 * position, organization and purpose in every process. The IV is a keyed hash of these (synthetic IV, as in RFC 5297):
 * a text that was not made here, or was made for another organization, does not open.
 */
@Injectable()
export class OpaquePositions {
  readonly #cipherKey: KeyObject;
  readonly #hashKey: KeyObject;

  constructor(vault: Vault) {
    this.#cipherKey = vault.keyFor('recount opaque positions: cipher');
    this.#hashKey = vault.keyFor('recount opaque positions: hash');
  }

  conceal(org: Uuid, purpose: string, { commit, prepare }: Position): string {
    const plain = Buffer.alloc(PLAIN_BYTES);
    plain.writeBigUInt64BE(commit & LARGEST, 0);
    plain.writeBigUInt64BE(prepare & LARGEST, 8);
    const tag = this.tagOf(org, purpose, plain);
    const cipher = createCipheriv(CIPHER, this.#cipherKey, tag);
    return Buffer.concat([tag, cipher.update(plain), cipher.final()]).toString('base64url');
  }

  /** Undefined for a text that `conceal` did not make for this organization and purpose. */
  reveal(org: Uuid, purpose: string, text: string): Position | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== TAG_BYTES + PLAIN_BYTES || bytes.toString('base64url') !== text) return undefined;
    const tag = bytes.subarray(0, TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#cipherKey, tag);
    const plain = Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()]);
    if (!timingSafeEqual(tag, this.tagOf(org, purpose, plain))) return undefined;
    return { commit: plain.readBigUInt64BE(0), prepare: plain.readBigUInt64BE(8) };
  }

  private tagOf(org: Uuid, purpose: string, plain: Buffer): Buffer {
    const bound = `${org}\n${purpose}\n`;
    return createHmac('sha256', this.#hashKey).update(bound).update(plain).digest().subarray(0, TAG_BYTES);
  }
}

/** The purpose of positions that callers see: in `X-Recount-Position` and in messages sent to them. */
export const LOG_POSITION = 'position';
