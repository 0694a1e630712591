import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { CONFIG, type Config } from '../../config/config.js';
import { TooManyRequests } from './too-many-requests.js';
import { TokenBuckets } from './token-buckets.js';

const MOST_ORGANIZATIONS = 10_000;

/**
 * What each organization may cost this process in a second, all its API keys together; a request for little costs 1
 * (request-cost.ts). A refused request costs nothing.
 */
@Injectable()
export class RateLimits {
  readonly #buckets: TokenBuckets;

  constructor(@Inject(CONFIG) { rateLimit }: Config) {
    this.#buckets = new TokenBuckets(rateLimit, rateLimit, MOST_ORGANIZATIONS);
  }

  /** @throws TooManyRequests while the organization has spent what it may */
  admit(org: Uuid): void {
    const seconds = this.#buckets.secondsUntilNext(org);
    if (seconds === 0) return;
    throw new TooManyRequests(
      'Your organization sends more requests than it may. Wait as long as Retry-After says.',
      Math.ceil(seconds),
    );
  }

  charge(org: Uuid, cost: number): void {
    this.#buckets.take(org, cost);
  }
}
