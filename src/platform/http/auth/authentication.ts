import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { stateOf, type Caller } from '../server/request-state.js';
import { InvalidKeyThrottle } from './invalid-key-throttle.js';
import type { IncomingMessage } from 'node:http';

const MOST_RECENT_KEYS = 10_000;
/** All whose organization is not known share in the process as one. */
const UNKNOWN = 'unknown';

/** Finds the holder of an API key; the organization module implements it. A revoked or expired key is unknown at once. */
export abstract class ApiKeyDirectory {
  abstract find(key: string): Promise<Caller | undefined>;
}

/**
 * Authenticates a request by the API key in its headers. An address that sends unknown keys, or an organization beyond its
 * rate limit, is refused without a look-up.
 */
@Injectable()
export class Authentication {
  readonly #callers: SingleFlight<string, Caller | undefined>;
  readonly #wrongKeys = new InvalidKeyThrottle();
  /**
   * Organizations by the hash of a key that was valid when it was last looked up. The map only decides whether a look-up
   * is allowed; every request looks its key up, so that a revoked key is refused at once.
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

const TOKEN = /^Token +(\S+) *$/i;

/**
 * The key of `Authorization: Token <key>` or `X-API-KEY: <key>`, however often either is sent, as long as all of them
 * agree. Node keeps the first of several `Authorization` headers and joins several `X-API-KEY`, so the headers are
 * read as they came. @throws DomainError `not_authenticated` or `authentication_failed`
 */
function apiKeyFrom({ rawHeaders }: IncomingMessage): string {
  const keys = new Set<string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyIn(rawHeaders[at]!, rawHeaders[at + 1]!);
    if (key) keys.add(key);
  }
  const [key, ...others] = keys;
  if (key === undefined) {
    throw new DomainError(
      'not_authenticated',
      'Send an API key: "Authorization: Token <key>" or "X-API-KEY: <key>".',
    );
  }
  if (others.length > 0) {
    throw new DomainError('authentication_failed', 'The request carries different API keys. Send one.');
  }
  return key;
}

function keyIn(header: string, value: string): string | undefined {
  switch (header.toLowerCase()) {
    case 'authorization':
      return TOKEN.exec(value)?.[1];
    case 'x-api-key':
      return value;
    default:
      return undefined;
  }
}
