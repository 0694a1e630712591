import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { streamName } from '../../kernel/event.js';
import { namedId, type Uuid } from '../../kernel/ids.js';
import type { Caller, KeyScope } from '../../platform/http/auth/caller.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '../../kernel/instant.js';
import { CONFIG, SHORTEST_KEY, type Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/open-database.js';
import { ApiKeyDirectory } from '../../platform/http/auth/authentication.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import { Vault } from '../../platform/privacy/vault.js';
import { apiKeysDecider, KEYS } from '../domain/api-keys.js';
import { Batcher } from '../../platform/concurrency/shared-calls.js';

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

const hashOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest();

/** Actor of events that the bootstrap key caused. */
export const BOOTSTRAP_KEY_ID = namedId('recount:bootstrap-key');

/** Ids of requests with the bootstrap key, which belongs to no organization. */
const BOOTSTRAP: Caller = {
  org: namedId('recount:bootstrap'),
  keyId: BOOTSTRAP_KEY_ID,
  scope: 'bootstrap',
};

/** Recognizes the key of the setting BOOTSTRAP_KEY, which may only create and list organizations. */
export class BootstrapKey {
  readonly #hash: Buffer | undefined;

  constructor(key: string | undefined) {
    this.#hash = key === undefined ? undefined : hashOf(key);
  }

  /** Compares hashes in constant time, so the time of an answer reveals nothing about the key. */
  find(key: string): Caller | undefined {
    return this.#hash && timingSafeEqual(this.#hash, hashOf(key)) ? BOOTSTRAP : undefined;
  }
}

export interface ApiKey {
  readonly id: Uuid;
  readonly prefix: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
}

export interface NewApiKey {
  readonly id: Uuid;
  readonly org: Uuid;
  /** Text of the key; only its hash is stored. */
  readonly key: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly expiresAt: Instant | null;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Undefined for a repeat, as only the hash is stored. */
  readonly key: string | undefined;
}

/** Fields of an API key that decide what it may do. Its seal covers them. */
export interface SealedKey {
  readonly keyId: Uuid;
  readonly org: Uuid;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly scope: KeyScope;
  readonly expiresAt: Instant | null;
}

/** Row of an API key with its seal. */
export interface StoredKey extends SealedKey {
  /** Null for a row of an earlier release, and for a revoked key. */
  readonly seal: string | null;
}

/**
 * Seals of API keys: keyed hashes under `MASTER_KEY`. A row that somebody else wrote or changed is refused
 * (docs/adr/0045-api-keys-are-events.md).
 */
@Injectable()
export class KeySeals {
  readonly #sealKey: KeyObject;

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {
    this.#sealKey = vault.keyFor('recount API keys');
  }

  sealOf({ keyId, org, hash, scope, expiresAt }: SealedKey): string {
    const sealed = [keyId, org, hash, scope, expiresAt ?? ''].join('\n');
    return createHmac('sha256', this.#sealKey).update(sealed, 'utf8').digest('hex');
  }

  /** Returns the keyed hash of a key's hash, which its event has. */
  digestOf(org: Uuid, hash: string): string {
    return this.vault.hmac(org, `api-key:${hash}`);
  }

  /** Returns whether the service wrote the row. It is a promise only for a row without a seal, as most requests have one. */
  accepts(key: StoredKey): boolean | Promise<boolean> {
    return key.seal === null ? this.confirm(key) : key.seal === this.sealOf(key);
  }

  /** Seals a row if the events of the key confirm it. */
  private async confirm(key: StoredKey): Promise<boolean> {
    const { keyId, org, hash, scope, expiresAt } = key;
    const { state } = await foldStream(this.store, streamName('organization', org, KEYS), apiKeysDecider);
    const { created, isRevoked } = state.get(keyId) ?? {};
    const isConfirmed =
      created?.digest === this.digestOf(org, hash) &&
      created.scope === scope &&
      created.expiresAt === expiresAt;
    if (!isConfirmed || isRevoked) return false;
    await this.database.pool.query({
      name: 'api-keys-seal',
      text: `update api_keys set seal = decode($3, 'hex')
        where org = $1 and id = $2 and seal is null and revoked_at is null`,
      values: [org, keyId, this.sealOf(key)],
    });
    return true;
  }
}

const COLUMNS = 'id, prefix, name, scope, created_at, expires_at, revoked_at';

type KeyRow = StoredKey & { readonly prefix: string };

/** Limit of keys of one statement. */
const MAX_AT_ONCE = 500;

/** Looks up API keys in the table for every request, so a revoked key is refused at once by every process. */
@Injectable()
export class ApiKeys extends ApiKeyDirectory {
  readonly #bootstrap: BootstrapKey;
  readonly #rows = new Batcher((prefixes: readonly string[]) => this.#findRows(prefixes), {
    most: MAX_AT_ONCE,
    atOnce: 2,
  });

  constructor(
    private readonly database: Database,
    private readonly seals: KeySeals,
    @Inject(CONFIG) { bootstrapKey }: Pick<Config, 'bootstrapKey'>,
  ) {
    super();
    this.#bootstrap = new BootstrapKey(bootstrapKey);
  }

  async find(key: string): Promise<Caller | undefined> {
    // Earlier releases accepted an API_KEY shorter than 32 characters.
    if (key.length < SHORTEST_KEY) return undefined;
    const bootstrap = this.#bootstrap.find(key);
    if (bootstrap) return bootstrap;
    const row = await this.#rows.add(prefixOf(key));
    if (!row || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hashOf(key))) return undefined;
    const accepted = this.seals.accepts(row);
    if (accepted !== true && !(await accepted)) return undefined;
    return { org: row.org, keyId: row.keyId, scope: row.scope };
  }

  /** Looks up all waiting keys with one statement, so that the keys of one organization do not delay others. */
  async #findRows(prefixes: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const { rows } = await this.database.reserved.keys.query<KeyRow>({
      name: 'api-keys-find',
      // With a list as JSON PostgreSQL keeps its plan; for an array it would plan each lookup anew.
      text: `select prefix, id as "keyId", org, scope, encode(key_hash, 'hex') as hash, expires_at as "expiresAt",
          encode(seal, 'hex') as seal
        from api_keys
        where prefix in (select json_array_elements_text($1))
        and recorded is not false and revoked_at is null and (expires_at is null or expires_at > now())`,
      values: [JSON.stringify([...new Set(prefixes)])],
    });
    const byPrefix = new Map(rows.map((row) => [row.prefix, row]));
    return prefixes.map((prefix) => byPrefix.get(prefix));
  }

  /** Adds a key that is refused until `begin`. Returns undefined and changes nothing if the id or the key exists. */
  async add({ id, org, key, name, scope, expiresAt }: NewApiKey): Promise<ApiKey | undefined> {
    const hash = hashOf(key).toString('hex');
    const seal = this.seals.sealOf({ keyId: id, org, hash, scope, expiresAt });
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-add',
      text: `insert into api_keys (id, org, prefix, key_hash, name, scope, expires_at, recorded, seal)
        values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, false, decode($8, 'hex'))
        on conflict do nothing returning ${COLUMNS}`,
      values: [id, org, prefixOf(key), hash, name, scope, expiresAt, seal],
    });
    return rows[0];
  }

  async list(org: Uuid): Promise<ApiKey[]> {
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-list',
      text: `select ${COLUMNS} from api_keys where org = $1 and recorded is not false order by created_at, id`,
      values: [org],
    });
    return rows;
  }

  /** Returns a key, also a revoked or expired one. */
  async byPrefix(org: Uuid, prefix: string): Promise<ApiKey | undefined> {
    return (await this.list(org)).find((key) => key.prefix === prefix);
  }

  /** Returns a key, also one that is not accepted yet. */
  async byId(org: Uuid, id: Uuid): Promise<ApiKey | undefined> {
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-by-id',
      text: `select ${COLUMNS} from api_keys where org = $1 and id = $2`,
      values: [org, id],
    });
    return rows[0];
  }

  /**
   * Returns a new key, without a text that a repeat has exchanged meanwhile.
   * @throws Error for a key that was not stored because another key has its prefix
   */
  async created(org: Uuid, id: Uuid, key: string | undefined): Promise<CreatedApiKey> {
    const apiKey = await this.byId(org, id);
    if (!apiKey) throw new Error('a new key met the prefix of another one');
    const isOwn = key !== undefined && prefixOf(key) === apiKey.prefix;
    return { apiKey, key: isOwn ? key : undefined };
  }

  /** Accepts a key after its creation is recorded. */
  async begin(org: Uuid, id: Uuid): Promise<void> {
    await this.database.pool.query({
      name: 'api-keys-begin',
      text: 'update api_keys set recorded = true where org = $1 and id = $2 and recorded is distinct from true',
      values: [org, id],
    });
  }

  /**
   * Revokes a key and accepts its replacement in one statement, so that one of them is valid at any time. A revoked key
   * has no seal, so that nobody brings it back in the table.
   */
  async end(org: Uuid, { keyId, replacedBy }: { keyId: Uuid; replacedBy: Uuid | null }): Promise<void> {
    await this.database.pool.query({
      name: 'api-keys-end',
      text: `update api_keys set recorded = recorded or id = $3,
          revoked_at = case when id = $2 then coalesce(revoked_at, now()) else revoked_at end,
          seal = case when id = $2 then null else seal end
        where org = $1 and id in ($2, $3)`,
      values: [org, keyId, replacedBy],
    });
  }

  /** Removes a key that was never accepted. */
  async withdraw(org: Uuid, id: Uuid): Promise<void> {
    await this.database.pool.query('delete from api_keys where org = $1 and id = $2 and recorded = false', [
      org,
      id,
    ]);
  }
}
