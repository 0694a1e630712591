import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../kernel/instant.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import { Database } from '../platform/database/open-database.js';
import { SessionDirectory } from '../platform/http/auth/authentication.js';
import type { Caller } from '../platform/http/auth/caller.js';

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

/** Sessions of browsers. Each request looks its session and its API key up, so a revoked key ends its sessions at once. */
@Injectable()
export class Sessions extends SessionDirectory {
  readonly #callers = new Batcher((hashes: readonly string[]) => this.#findCallers(hashes), {
    most: MOST_AT_ONCE,
    atOnce: 2,
  });

  constructor(private readonly database: Database) {
    super();
  }

  async find(token: string): Promise<Caller | undefined> {
    return TOKEN.test(token) ? this.#callers.add(hashOf(token).toString('hex')) : undefined;
  }

  async #findCallers(hashes: readonly string[]): Promise<(Caller | undefined)[]> {
    const { rows } = await this.database.reserved.keys.query<Caller & { readonly hash: string }>({
      name: 'console-sessions-find',
      text: `select encode(session.token_hash, 'hex') as hash, key.id as "keyId", key.org, key.scope
        from console_sessions session join api_keys key on key.id = session.key_id and key.org = session.org
        where session.token_hash = any (select decode(hex, 'hex') from unnest($1::text[]) hex)
          and session.expires_at > now()
          and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())`,
      values: [hashes],
    });
    const byHash = new Map(rows.map(({ hash, ...caller }) => [hash, caller]));
    return hashes.map((hash) => byHash.get(hash));
  }

  /** Begins a session and returns its token; only the hash of the token is stored. Ended sessions are removed. */
  async begin({ org, keyId }: Caller): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.database.pool.query({
      name: 'console-sessions-begin',
      text: `with ended as (delete from console_sessions where expires_at <= now())
        insert into console_sessions (token_hash, org, key_id, expires_at)
        values ($1, $2, $3, now() + make_interval(hours => $4))`,
      values: [hashOf(token), org, keyId, SESSION_HOURS],
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
