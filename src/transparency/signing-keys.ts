import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '../kernel/instant.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { parseSeeds, SEEDS_RULE } from '../platform/config/signing-seeds.js';
import { Database } from '../platform/database/open-database.js';
import { makeKeyFile, readIfExists } from '../platform/privacy/master-key.js';
import type { VerifyEd25519 } from './domain/note.js';

/** No checkpoint can be signed. The message says why, then what to do. */
export class NoSigningKey extends Error {
  override readonly name = 'NoSigningKey';
}

export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

export interface RecordedSigningKey {
  readonly public_key: Buffer;
  readonly first_used_at: Instant;
  readonly last_used_at: Instant;
}

/** ASN.1 prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const PRIVATE_KEY = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY = Buffer.from('302a300506032b6570032100', 'hex');
const SEED_BYTES = 32;

/**
 * Ed25519 keys that sign checkpoints: from `AUDIT_KEYS`, or the file `AUDIT_KEYS_FILE`, or created once and
 * stored in `DATA_DIR/audit-signing.key`. The database has their public keys only.
 */
@Injectable()
export class SigningKeys {
  #keys: readonly SigningKey[] | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
  ) {}

  /**
   * Returns the keys, the newest first; each signs. Creates one at the first start.
   * @throws NoSigningKey
   */
  async keys(): Promise<readonly SigningKey[]> {
    if (this.#keys) return this.#keys;
    const keys = seedsIn(await this.text()).map(signingKey);
    await this.database.pool.query(
      `insert into transparency_keys (public_key) select decode(key, 'hex') from unnest($1::text[]) as given (key)
        on conflict (public_key) do update set last_used_at = now()`,
      [keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))],
    );
    this.#keys = keys;
    return keys;
  }

  /** Returns the public keys of all checkpoints, the oldest first. */
  async recorded(): Promise<readonly RecordedSigningKey[]> {
    const { rows } = await this.database.pool.query<RecordedSigningKey>(
      'select * from transparency_keys order by first_used_at, public_key',
    );
    return rows;
  }

  private async text(): Promise<string> {
    const { auditKeys, auditKeysFile, dataDir } = this.config;
    if (auditKeys !== undefined) return auditKeys;
    const file = auditKeysFile ?? join(dataDir, 'audit-signing.key');
    try {
      const known = readIfExists(file);
      if (known !== undefined) return known;
      if (auditKeysFile !== undefined || (await this.recorded()).length > 0)
        throw new NoSigningKey(lost(file));
      makeKeyFile(file);
      return readFileSync(file, 'utf8');
    } catch (error) {
      if (error instanceof NoSigningKey) throw error;
      throw new NoSigningKey(
        `The signing key of checkpoints cannot be read or made in ${file} (${(error as NodeJS.ErrnoException).code}). ` +
          'Give one with AUDIT_KEYS. Until then no checkpoint is signed.',
      );
    }
  }
}

const lost = (file: string): string =>
  `The signing key of checkpoints is not in ${file}. Put it back, or give a new one with AUDIT_KEYS and tell the ` +
  'auditors its public key. Until then no checkpoint is signed.';

function seedsIn(text: string): Buffer[] {
  const seeds = parseSeeds(text);
  if (seeds) return seeds;
  throw new NoSigningKey(
    `The signing keys of checkpoints must be ${SEEDS_RULE}. Until then no checkpoint is signed.`,
  );
}

function signingKey(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES);
  return { publicKey, sign: (message) => sign(null, message, key) };
}

const publicKeyObject = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_KEY, publicKey]), format: 'der', type: 'spki' });

/** Verifies an Ed25519 signature with Node. */
export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) =>
  verify(null, message, publicKeyObject(publicKey), signature);
