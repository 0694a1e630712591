import { Inject, Injectable, type CanActivate, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { CONFIG, type Config } from '../../config/config.js';
import { TooManyRequests } from './too-many-requests.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { stateOf } from '../auth/caller.js';

interface Bucket {
  tokens: number;
  /** Time at which the bucket had `tokens`. */
  at: number;
}

/**
 * Token buckets by key, each full at first and refilled evenly. A cost that is known late may take a bucket below zero. The
 * least recently used bucket is evicted above `mostKeys`.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
    private readonly mostKeys: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes a cost from a bucket, which may leave it below zero. */
  take(key: string, cost: number): void {
    const bucket = { tokens: this.#tokens(key) - cost, at: this.now() };
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.mostKeys) {
      const [longestUnused] = this.#buckets.keys();
      this.#buckets.delete(longestUnused!);
    }
  }

  /** Returns the seconds until the bucket has a whole token, 0 if it has one. */
  secondsUntilNext(key: string): number {
    const missing = 1 - this.#tokens(key);
    // Many small refills add up to almost a whole token.
    return missing <= 1e-9 ? 0 : missing / this.perSecond;
  }

  #tokens(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket) return this.capacity;
    const refilled = ((this.now() - bucket.at) / 1_000) * this.perSecond;
    return Math.min(this.capacity, bucket.tokens + refilled);
  }
}

const MAX_ORGANIZATIONS = 10_000;

/**
 * Limits the cost per second of an organization's requests in this process, over all its API keys. A read costs 1
 * (`RequestCost`); a refused request costs nothing.
 */
@Injectable()
export class RateLimits {
  readonly #buckets: TokenBuckets;

  constructor(@Inject(CONFIG) { rateLimit }: Config) {
    this.#buckets = new TokenBuckets(rateLimit, rateLimit, MAX_ORGANIZATIONS);
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

  /** Charges a read with a key on a route that needs none, which the guard cannot charge. */
  chargeRead(org: Uuid): void {
    this.charge(org, READ_COST);
  }

  /** Charges the changes beyond the first that one request makes, once it is known how many there are. */
  chargeChanges(org: Uuid, count: number): void {
    if (count > 1) this.charge(org, COMMAND_COST * (count - 1));
  }

  /** @param bytes received bytes plus decompressed bytes */
  chargeBody(org: Uuid, bytes: number): void {
    const cost = costOfBody(bytes);
    if (cost > 0) this.charge(org, cost);
  }

  /** Charges a refused body together with its request, which never reaches the guard. */
  chargeRefusedBody(org: Uuid, bytes: number): void {
    this.charge(org, COMMAND_COST + costOfBody(bytes));
  }
}

/**
 * Charges each request to its organization after the key guard. Requests without a key, such as liveness and signed links,
 * are not charged.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { caller, bodyBytes = 0 } = stateOf(request);
    if (!caller) return true;
    // A body with a cost was admitted and charged when it was read.
    if (costOfBody(bodyBytes) === 0) this.limits.admit(caller.org);
    const places = [context.getHandler(), context.getClass()];
    const own = this.reflector.getAllAndOverride<number | undefined>(REQUEST_COST, places);
    this.limits.charge(caller.org, own ?? defaultCost(request));
    return true;
  }
}

const REQUEST_COST = 'recount:request-cost';

/** Default cost of a read. */
const READ_COST = 1;
/** Default cost of a command, which reads streams, decides and appends. */
const COMMAND_COST = 3;
/** Cost of a request that aggregates many rows, reads many events, or computes a preview. */
export const LONG_READ_COST = 20;
/** Bytes of a body that cost 1 more: a body of 200 kB costs about 50. */
const BYTES_PER_COST = 4_096;

/** Replaces the default cost of a route, or of all routes of a controller (1 to read, 3 to write, 20 for a preview). */
export const RequestCost = (cost: number) => SetMetadata(REQUEST_COST, cost);

const defaultCost = ({ method, originalUrl }: Request): number => {
  if (method === 'GET' || method === 'HEAD') return READ_COST;
  return IS_PREVIEW.test(originalUrl) ? LONG_READ_COST : COMMAND_COST;
};

/** A command with this parameter computes what it would bring, and stores nothing. */
const IS_PREVIEW = /[?&]preview=(?:true|1)(?:&|$)/i;

const costOfBody = (bytes: number): number => Math.floor(bytes / BYTES_PER_COST);

/** Slots that a read as of a moment takes beside its own, as it folds events. */
export const SLOTS_AS_OF = 2;

/** A body of 200 kB takes one slot of its organization, a body of 2.5 MB or more all of them. */
const BYTES_PER_SLOT = 512 * 1_024;

/** Returns the slots that a request takes of its organization's share (fair-request-limiter.ts). */
export const slotsForBody = (bytes: number): number => 1 + Math.floor(bytes / BYTES_PER_SLOT);
