import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { fromMicros, HOUR, type Instant } from '../kernel/instant.js';
import { KeySeals, type StoredKey } from '../organization/api-keys/api-keys.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import { Database } from '../platform/database/open-database.js';
import { SessionDirectory } from '../platform/http/auth/authentication.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { Vault } from '../platform/privacy/vault.js';

export const SESSION_HOURS = 12;

/** Limit of tokens that one statement looks up. */
const MOST_AT_ONCE = 500;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface Session {
  readonly expires_at: Instant;
  readonly key_prefix: string;
  readonly key_name: string;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

/** Fields of a session that its seal covers. */
interface SealedSession {
  readonly hash: string;
  readonly org: Uuid;
  readonly keyId: Uuid;
  readonly expiresAt: Instant;
}

interface StoredSession extends SealedSession {
  /** Null in a session of an earlier release, which counts no more. */
  readonly seal: string | null;
}

/** Row of the API key that began a session. */
interface KeyOfSession extends Pick<StoredKey, 'scope'> {
  readonly keyHash: string;
  readonly keyExpiresAt: Instant | null;
  readonly keySeal: string | null;
}

const SEALED_COLUMNS = `encode(session.token_hash, 'hex') as hash, session.org, session.key_id as "keyId",
  session.expires_at as "expiresAt", encode(session.seal, 'hex') as seal`;

/** Limit of named sessions. */
const NAMED = 100;

/**
 * Sessions of browsers. Each request looks its session and its API key up, so a revoked key ends its sessions at once. A
 * session is sealed with a key of the service, so a row that somebody else wrote or changed opens nothing.
 */
@Injectable()
export class Sessions extends SessionDirectory {
  readonly #callers = new Batcher((hashes: readonly string[]) => this.#findCallers(hashes), {
    most: MOST_AT_ONCE,
    atOnce: 2,
  });

  readonly #sealKey: KeyObject;

  constructor(
    private readonly database: Database,
    private readonly keySeals: KeySeals,
    vault: Vault,
  ) {
    super();
    this.#sealKey = vault.keyFor('recount console sessions');
  }

  async find(token: string): Promise<Caller | undefined> {
    return TOKEN.test(token) ? this.#callers.add(hashOf(token).toString('hex')) : undefined;
  }

  async #findCallers(hashes: readonly string[]): Promise<(Caller | undefined)[]> {
    const { rows } = await this.database.reserved.keys.query<StoredSession & KeyOfSession>({
      name: 'console-sessions-find',
      text: `select ${SEALED_COLUMNS}, key.scope, encode(key.key_hash, 'hex') as "keyHash",
          key.expires_at as "keyExpiresAt", encode(key.seal, 'hex') as "keySeal"
        from console_sessions session join api_keys key on key.id = session.key_id and key.org = session.org
        where session.token_hash = any (select decode(hex, 'hex') from unnest($1::text[]) hex)
          and session.expires_at > now()
          and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())`,
      values: [hashes],
    });
    const byHash = new Map<string, Caller>();
    for (const session of rows) {
      const { hash, org, keyId, scope, keyHash, keyExpiresAt: expiresAt, keySeal: seal } = session;
      if (!this.#isOwn(session)) continue;
      const isOwnKey = await this.keySeals.accepts({ keyId, org, hash: keyHash, scope, expiresAt, seal });
      if (isOwnKey) byHash.set(hash, { org, keyId, scope });
    }
    return hashes.map((hash) => byHash.get(hash));
  }

  #seal({ hash, org, keyId, expiresAt }: SealedSession): string {
    const sealed = [hash, org, keyId, expiresAt].join('\n');
    return createHmac('sha256', this.#sealKey).update(sealed, 'utf8').digest('hex');
  }

  #isOwn(session: StoredSession): boolean {
    return session.seal === this.#seal(session);
  }

  /** Returns a sentence for each session that this service did not begin. */
  async foreign(): Promise<string[]> {
    const { rows } = await this.database.pool.query<StoredSession>(
      `select ${SEALED_COLUMNS} from console_sessions session order by expires_at desc`,
    );
    return rows
      .filter((session) => !this.#isOwn(session))
      .slice(0, NAMED)
      .map(
        ({ org, keyId, expiresAt }) =>
          `session of key ${keyId} of organization ${org} until ${expiresAt}: the service did not begin it and refuses it; delete the row`,
      );
  }

  /** Begins a session and returns its token; only the hash of the token is stored. Ended sessions are removed. */
  async begin({ org, keyId }: Caller): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const hash = hashOf(token).toString('hex');
    const expiresAt = fromMicros(BigInt(Date.now()) * 1000n + BigInt(SESSION_HOURS) * HOUR);
    const seal = this.#seal({ hash, org, keyId, expiresAt });
    await this.database.pool.query({
      name: 'console-sessions-begin',
      text: `with ended as (delete from console_sessions where expires_at <= now())
        insert into console_sessions (token_hash, org, key_id, expires_at, seal)
        values (decode($1, 'hex'), $2, $3, $4, decode($5, 'hex'))`,
      values: [hash, org, keyId, expiresAt, seal],
    });
    return token;
  }

  async describe({ org, keyId }: Caller, token: string): Promise<Session | undefined> {
    const { rows } = await this.database.pool.query<Session>({
      name: 'console-sessions-describe',
      text: `select session.expires_at, key.prefix as key_prefix, key.name as key_name
        from console_sessions session join api_keys key on key.id = session.key_id
        where session.token_hash = $1 and session.org = $2 and session.key_id = $3`,
      values: [hashOf(token), org, keyId],
    });
    return rows[0];
  }

  async end(token: string): Promise<void> {
    await this.database.pool.query({
      name: 'console-sessions-end',
      text: 'delete from console_sessions where token_hash = $1',
      values: [hashOf(token)],
    });
  }
}
