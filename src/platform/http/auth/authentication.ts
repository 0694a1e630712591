import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { SharedLooks } from '../../concurrency/shared-looks.js';
import { KeyRegister } from './key-register.js';
import { presentedKey } from './presented-key.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { stateOf, type Caller } from '../server/request-state.js';
import { WrongKeys } from './wrong-keys.js';

const MOST_RECENT_KEYS = 10_000;

/**
 * Finds out whose API key a request carries, from its headers alone. Who sends unknown keys, or has spent what its
 * organization may, is refused without a look into the table.
 */
@Injectable()
export class Authentication {
  readonly #callers: SharedLooks<string, Caller | undefined>;
  readonly #wrongKeys = new WrongKeys();
  /**
   * Organizations by the hash of a key that was right when it was last looked up. It says which requests are worth a
   * look, and is never an answer: a revoked key is refused at once.
   */
  readonly #recent = new Map<string, Uuid>();

  constructor(
    register: KeyRegister,
    private readonly limits: RateLimits,
  ) {
    this.#callers = new SharedLooks((key) => register.find(key));
  }

  /** @throws DomainError 401, or 429 for an address that tries keys or an organization beyond its rate limit */
  async identify(request: Request): Promise<Caller> {
    const state = stateOf(request);
    state.caller ??= await this.#find(presentedKey(request), request.ip ?? '');
    return state.caller;
  }

  async #find(key: string, address: string): Promise<Caller> {
    const digest = hash('sha256', key, 'base64');
    const recentOrg = this.#recent.get(digest);
    if (recentOrg === undefined) this.#wrongKeys.admit(address);
    else this.limits.admit(recentOrg);
    const caller = await this.#callers.ask(key);
    if (!caller) {
      this.#recent.delete(digest);
      throw new DomainError('authentication_failed', 'The API key is unknown, expired or revoked.');
    }
    if (recentOrg === undefined) {
      this.#wrongKeys.giveBack(address);
      this.#remember(digest, caller.org);
      this.limits.admit(caller.org);
    }
    return caller;
  }

  #remember(digest: string, org: Uuid): void {
    this.#recent.set(digest, org);
    if (this.#recent.size <= MOST_RECENT_KEYS) return;
    const [oldest] = this.#recent.keys();
    this.#recent.delete(oldest!);
  }
}
