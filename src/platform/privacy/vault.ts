import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { boundToSubject, parseSealedRecord } from '../../kernel/sealed-record.js';
import {
  decrypt,
  derivedKey,
  encrypt,
  KEY_BYTES,
  open,
  openOfSubject,
  recordKeyOf,
  sealAsRecord,
  sealEqually,
  SEALED_TEXT,
  TAG_BYTES,
} from './ciphers.js';

export interface SealedItem {
  readonly subject: Uuid;
  readonly sealed: string;
}

/** Sealed data with the wrapped key of its subject, which the same statement read; null after the key is destroyed. */
export interface KeyedItem extends SealedItem {
  readonly wrappedKey: Buffer | null;
}

/** Thrown where data is to be sealed for a subject whose key was destroyed. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
}

/** Thrown where sealed data does not open: the data or the key of its subject was changed, or is of another subject. */
export class SealDamaged extends Error {
  override readonly name = 'SealDamaged';
}

/**
 * Seals personal data with a key per data subject, so that events and rows have only opaque text and destroying a key
 * erases a person (docs/architecture.md#personal-data). It caches no key, so that a destroyed key opens nothing in any
 * process.
 */
export class Vault {
  readonly #masterKey: KeyObject;
  readonly #hmacKey: KeyObject;
  readonly #recordKey: KeyObject;
  readonly #linkKey: KeyObject;

  constructor(
    masterKey: Buffer,
    private readonly keys: SubjectKeys,
  ) {
    this.#masterKey = createSecretKey(masterKey);
    this.#hmacKey = this.keyFor('recount keyed hash');
    this.#recordKey = this.keyFor('recount records');
    this.#linkKey = this.keyFor('recount signed links');
  }

  /** @throws SubjectErased if the subject's key was destroyed */
  async seal(org: Uuid, subject: Uuid, data: object): Promise<string> {
    const sealed = await this.sealWith(sealAsRecord, org, subject, data);
    if (sealed === undefined) throw new SubjectErased(`The key of data subject ${subject} was destroyed.`);
    return sealed;
  }

  /** Seals equal data of one subject to equal text; returns undefined after the key is destroyed. */
  sealDeterministically(org: Uuid, subject: Uuid, data: object): Promise<string | undefined> {
    return this.sealWith(sealEqually, org, subject, data);
  }

  private async sealWith(
    sealWith: typeof sealAsRecord,
    org: Uuid,
    subject: Uuid,
    data: object,
  ): Promise<string | undefined> {
    const owner = ownerOf(org, subject);
    const fresh = encrypt(this.#masterKey, randomBytes(KEY_BYTES), `key:${owner}`);
    const wrapped = await this.keys.findOrAdd(org, subject, fresh);
    if (!wrapped) return undefined;
    const plain = Buffer.from(JSON.stringify(data), 'utf8');
    return sealWith(this.unwrap(wrapped, owner), plain, boundToSubject(org, subject));
  }

  /** Opens sealed data; returns undefined after the key is destroyed. @throws SealDamaged */
  async unseal<Data extends object>(org: Uuid, subject: Uuid, sealed: string): Promise<Data | undefined> {
    const [data] = await this.unsealMany<Data>(org, [{ subject, sealed }]);
    return data;
  }

  /** Opens items of a list, in their order, with one statement. @throws SealDamaged */
  async unsealMany<Data extends object>(
    org: Uuid,
    items: readonly SealedItem[],
  ): Promise<(Data | undefined)[]> {
    const keys = await this.keys.find(org, [...new Set(items.map((item) => item.subject))]);
    return items.map((item) =>
      this.unsealWith<Data>(org, { ...item, wrappedKey: keys.get(item.subject) ?? null }),
    );
  }

  /** Opens an item with its key; returns undefined after the key is destroyed. @throws SealDamaged */
  unsealWith<Data extends object>(org: Uuid, { subject, sealed, wrappedKey }: KeyedItem): Data | undefined {
    if (!wrappedKey) return undefined;
    const key = this.unwrap(wrappedKey, ownerOf(org, subject));
    try {
      return JSON.parse(openOfSubject(key, sealed, boundToSubject(org, subject))) as Data;
    } catch (error) {
      throw new SealDamaged((error as Error).message, { cause: error });
    }
  }

  /**
   * Discloses sealed data: the data, and the key of this one record; null for text that earlier releases sealed with the
   * subject's own key, which would open everything of the subject. Returns undefined after the key is destroyed.
   */
  async disclose<Data extends object>(
    org: Uuid,
    subject: Uuid,
    sealed: string,
  ): Promise<{ readonly data: Data; readonly key: Buffer | null } | undefined> {
    const wrappedKey = (await this.keys.find(org, [subject])).get(subject);
    if (!wrappedKey) return undefined;
    const record = parseSealedRecord(sealed);
    const key = record ? recordKeyOf(this.unwrap(wrappedKey, ownerOf(org, subject)), record.iv) : null;
    return { data: this.unsealWith<Data>(org, { subject, sealed, wrappedKey })!, key };
  }

  /** Tells whether the data of a subject opens: its key was not destroyed. */
  async hasKey(org: Uuid, subject: Uuid): Promise<boolean> {
    return (await this.keys.find(org, [subject])).has(subject);
  }

  /** Returns the subjects whose key was destroyed. */
  async destroyedAmong(org: Uuid, subjects: readonly Uuid[]): Promise<readonly Uuid[]> {
    return subjects.length === 0 ? [] : this.keys.destroyedAmong(org, subjects);
  }

  /** Destroys the key of a person, whose data then opens in no process. */
  async destroyKey(org: Uuid, subject: Uuid): Promise<void> {
    await this.keys.destroy(org, subject);
  }

  /** Seals a record that may name several persons, such as a recorded answer. @param name identifies the record */
  sealRecord(org: Uuid, name: string, record: object): string {
    const plain = Buffer.from(JSON.stringify(record), 'utf8');
    return SEALED_TEXT + encrypt(this.#recordKey, plain, `record:${org}.${name}`).toString('base64url');
  }

  /** Opens a record. @throws Error for another record or changed data */
  openRecord<Data extends object>(org: Uuid, name: string, sealed: string): Data {
    return JSON.parse(open(this.#recordKey, sealed, `record:${org}.${name}`)) as Data;
  }

  /** Returns a keyed hash in hex, by which equal texts of one tenant are recognized but cannot be guessed. */
  hmac(org: Uuid, text: string): string {
    return createHmac('sha256', this.#hmacKey).update(`${org}\n${text}`, 'utf8').digest('hex');
  }

  /** Derives the key of a purpose, which is equal in every process. */
  keyFor(purpose: string): KeyObject {
    return derivedKey(this.#masterKey, purpose);
  }

  /** Signs a link, which then needs no API key. */
  signLink(link: string): Buffer {
    return createHmac('sha256', this.#linkKey).update(link, 'utf8').digest();
  }

  private unwrap(wrapped: Buffer, owner: string): KeyObject {
    try {
      return createSecretKey(decrypt(this.#masterKey, wrapped, `key:${owner}`));
    } catch (error) {
      throw new SealDamaged(
        'A key does not open. Set MASTER_KEY to the key that this database was filled with.',
        { cause: error },
      );
    }
  }
}

const ownerOf = (org: Uuid, subject: Uuid): string => `${org}.${subject}`;

/** Port that stores one wrapped key per data subject, a person whose data the vault seals. */
export interface SubjectKeys {
  /** Returns the subject's key, which is `fresh` if there was none; undefined after the key is destroyed. */
  findOrAdd(org: Uuid, subject: Uuid, fresh: Buffer): Promise<Buffer | undefined>;
  /** Returns the keys of these subjects with one statement; subjects without a key are left out. */
  find(org: Uuid, subjects: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Buffer>>;
  /** Returns the subjects whose key was destroyed, with one statement; one that never had a key is left out. */
  destroyedAmong(org: Uuid, subjects: readonly Uuid[]): Promise<readonly Uuid[]>;
  /** Destroys the key for ever. */
  destroy(org: Uuid, subject: Uuid): Promise<void>;
}

const POSITION_CIPHER = 'aes-256-ctr';
const PLAIN_BYTES = 16;
const LARGEST = 2n ** 64n - 1n;

/**
 * Encrypts positions for callers, as a position counts the events of every organization. The text depends on position,
 * organization and purpose only. The IV is a keyed hash of these (synthetic IV, RFC 5297), so a forged text, or a text of
 * another organization, does not open.
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
    const cipher = createCipheriv(POSITION_CIPHER, this.#cipherKey, tag);
    return Buffer.concat([tag, cipher.update(plain), cipher.final()]).toString('base64url');
  }

  /** Returns undefined for text that `conceal` did not return for this organization and purpose. */
  reveal(org: Uuid, purpose: string, text: string): Position | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== TAG_BYTES + PLAIN_BYTES || bytes.toString('base64url') !== text) return undefined;
    const tag = bytes.subarray(0, TAG_BYTES);
    const decipher = createDecipheriv(POSITION_CIPHER, this.#cipherKey, tag);
    const plain = Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()]);
    if (!timingSafeEqual(tag, this.tagOf(org, purpose, plain))) return undefined;
    return { commit: plain.readBigUInt64BE(0), prepare: plain.readBigUInt64BE(8) };
  }

  private tagOf(org: Uuid, purpose: string, plain: Buffer): Buffer {
    const bound = `${org}\n${purpose}\n`;
    return createHmac('sha256', this.#hashKey).update(bound).update(plain).digest().subarray(0, TAG_BYTES);
  }
}

/** Purpose of the positions in `X-Recount-Position` and in messages to callers. */
export const LOG_POSITION = 'position';
