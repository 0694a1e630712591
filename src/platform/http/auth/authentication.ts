import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { ApiKeyDirectory } from './api-key-directory.js';
import { apiKeyFrom } from './api-key-from.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { stateOf, type Caller } from '../server/request-state.js';
import { InvalidKeyThrottle } from './invalid-key-throttle.js';

const MOST_RECENT_KEYS = 10_000;
/** All whose organization is not known share in the process as one. */
const UNKNOWN = 'unknown';

/**
 * Finds out whose API key a request carries, from its headers alone. Who sends unknown keys, or has spent what its
 * organization may, is refused without a look into the table.
 */
@Injectable()
export class Authentication {
  readonly #callers: SingleFlight<string, Caller | undefined>;
  readonly #wrongKeys = new InvalidKeyThrottle();
  /**
   * Organizations by the hash of a key that was right when it was last looked up. It says which requests are worth a
   * look, and is never an answer: a revoked key is refused at once.
   */
  readonly #recent = new Map<string, Uuid>();

  constructor(
    register: ApiKeyDirectory,
    private readonly limits: RateLimits,
    private readonly shares: FairRequestLimiter,
  ) {
    this.#callers = new SingleFlight((key) => register.find(key));
  }

  /** @throws DomainError 401, or 429 for an address that tries keys or an organization beyond its rate limit */
  async authenticate(request: Request): Promise<Caller> {
    const state = stateOf(request);
    state.caller ??= await this.#find(request, apiKeyFrom(request));
    return state.caller;
  }

  async #find(request: Request, key: string): Promise<Caller> {
    const address = request.ip ?? '';
    const digest = hash('sha256', key, 'base64');
    const recentOrg = this.#recent.get(digest);
    if (recentOrg === undefined) this.#wrongKeys.admit(address);
    else this.limits.admit(recentOrg);
    const lookUp = () => this.#callers.run(key);
    const hasLeft = () => request.socket.destroyed;
    const caller = await this.shares.run(recentOrg ?? UNKNOWN, lookUp, { hasLeft });
    if (!caller) {
      this.#recent.delete(digest);
      throw new DomainError('authentication_failed', 'The API key is unknown, expired or revoked.');
    }
    if (recentOrg === undefined) {
      this.#wrongKeys.refund(address);
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
