import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CONFIG, SHORTEST_KEY, type Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/open-database.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { ApiKeyDirectory } from '../../platform/http/auth/authentication.js';
import { Batcher } from '../../platform/concurrency/batcher.js';
import type { KeyScope } from '../../platform/http/auth/key-scopes.js';
import { BootstrapKey } from '../bootstrap-key.js';
import { hashOf, prefixOf } from './key-text.js';

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

/** Fields of a replacement key; it takes the others from the key that it replaces. */
export type Successor = Pick<NewApiKey, 'id' | 'org' | 'key'>;

const COLUMNS = 'id, prefix, name, scope, created_at, expires_at, revoked_at';

type KeyRow = Caller & { readonly prefix: string; readonly key_hash: Buffer };

/** Most keys that one statement looks up. */
const MOST_AT_ONCE = 500;

/** Looks up API keys in the table for every request, so a revoked key is refused at once by every process. */
@Injectable()
export class ApiKeys extends ApiKeyDirectory {
  readonly #bootstrap: BootstrapKey;
  readonly #rows = new Batcher((prefixes: readonly string[]) => this.#findRows(prefixes), {
    most: MOST_AT_ONCE,
    atOnce: 2,
  });

  constructor(
    private readonly database: Database,
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
    if (!row || !timingSafeEqual(row.key_hash, hashOf(key))) return undefined;
    return { org: row.org, keyId: row.keyId, scope: row.scope };
  }

  /** Looks up all waiting keys with one statement, so many keys of one organization delay no other. */
  async #findRows(prefixes: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const { rows } = await this.database.reserved.keys.query<KeyRow>({
      name: 'api-keys-find',
      text: `select prefix, id as "keyId", org, scope, key_hash from api_keys where prefix = any($1::text[])
        and revoked_at is null and (expires_at is null or expires_at > now())`,
      values: [prefixes],
    });
    const byPrefix = new Map(rows.map((row) => [row.prefix, row]));
    return prefixes.map((prefix) => byPrefix.get(prefix));
  }

  /** Returns undefined and changes nothing if the id or the key exists. */
  async add({ id, org, key, name, scope, expiresAt }: NewApiKey): Promise<ApiKey | undefined> {
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-add',
      text: `insert into api_keys (id, org, prefix, key_hash, name, scope, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning ${COLUMNS}`,
      values: [id, org, prefixOf(key), hashOf(key), name, scope, expiresAt],
    });
    return rows[0];
  }

  async list(org: Uuid): Promise<ApiKey[]> {
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-list',
      text: `select ${COLUMNS} from api_keys where org = $1 order by created_at, id`,
      values: [org],
    });
    return rows;
  }

  /** Returns a key, also one that is revoked or expired. */
  async byPrefix(org: Uuid, prefix: string): Promise<ApiKey | undefined> {
    return (await this.list(org)).find((key) => key.prefix === prefix);
  }

  /** Revokes a key. Returns undefined and changes nothing unless the key was usable. */
  async revoke(org: Uuid, prefix: string): Promise<ApiKey | undefined> {
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-revoke',
      text: `update api_keys set revoked_at = now() where org = $1 and prefix = $2 and revoked_at is null
        returning ${COLUMNS}`,
      values: [org, prefix],
    });
    return rows[0];
  }

  /**
   * Replaces a key in one statement: of two concurrent rotations one succeeds, and one usable key exists at any time.
   * Returns undefined and changes nothing unless the key was usable.
   */
  async replace(prefix: string, { id, org, key }: Successor): Promise<ApiKey | undefined> {
    const { rows } = await this.database.pool.query<ApiKey>({
      name: 'api-keys-replace',
      text: `with former as (
          update api_keys set revoked_at = now() where org = $1 and prefix = $2
            and revoked_at is null and (expires_at is null or expires_at > now())
          returning name, scope, expires_at)
        insert into api_keys (id, org, prefix, key_hash, name, scope, expires_at)
        select $3, $1, $4, $5, name, scope, expires_at from former returning ${COLUMNS}`,
      values: [org, prefix, id, prefixOf(key), hashOf(key)],
    });
    return rows[0];
  }
}
