import ipaddr from 'ipaddr.js';
import { TooManyRequests } from '../rate-limits/too-many-requests.js';
import { TokenBuckets, RateLimits } from '../rate-limits/rate-limits.js';
import { hash } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { stateOf, type Caller } from '../server/request-state.js';
import { credentialOf, type Credential } from './credential.js';
import { Reflector } from '@nestjs/core';
import { PUBLIC, REQUIRED_SCOPES } from './caller.js';
import { defaultScopes, isGranted, type RequiredScope } from './key-scopes.js';

/** Wrong keys that an address may send at once, and one after the other. */
const AT_ONCE = 100;
const PER_SECOND = 10;
const MOST_ADDRESSES = 10_000;

/** Throttles those who try keys, by address. */
export class InvalidKeyThrottle {
  readonly #buckets: TokenBuckets;

  constructor(now?: () => number) {
    this.#buckets = new TokenBuckets(AT_ONCE, PER_SECOND, MOST_ADDRESSES, now);
  }

  /** Before a key is looked up that may be wrong. @throws TooManyRequests */
  admit(address: string): void {
    const network = networkOf(address);
    const seconds = this.#buckets.secondsUntilNext(network);
    if (seconds > 0) {
      throw new TooManyRequests('Your address sent too many unknown API keys.', Math.ceil(seconds));
    }
    this.#buckets.take(network, 1);
  }

  /** The key was right after all. */
  refund(address: string): void {
    this.#buckets.take(networkOf(address), -1);
  }
}

/** One caller's addresses: an IPv4 address, or the /64 that IPv6 gives to one host or one line. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Finds the holder of a session of the console; the console module implements it. It ends with its API key. */
export abstract class SessionDirectory {
  abstract find(token: string): Promise<Caller | undefined>;
}

const MOST_RECENT_KEYS = 10_000;
/** All whose organization is not known share in the process as one. */
const UNKNOWN = 'unknown';

/** Finds the holder of an API key; the organization module implements it. A revoked or expired key is unknown at once. */
export abstract class ApiKeyDirectory {
  abstract find(key: string): Promise<Caller | undefined>;
}

/**
 * Authenticates a request by the API key in its headers, or by the session of the console. An address that sends unknown keys, or an organization beyond its
 * rate limit, is refused without a look-up.
 */
@Injectable()
export class Authentication {
  readonly #lookUps: Readonly<Record<Credential['type'], SingleFlight<string, Caller | undefined>>>;
  readonly #wrongKeys = new InvalidKeyThrottle();
  /**
   * Organizations by the hash of a key that was valid when it was last looked up. The map only decides whether a look-up
   * is allowed; every request looks its key up, so that a revoked key is refused at once.
   */
  readonly #recent = new Map<string, Uuid>();

  constructor(
    keys: ApiKeyDirectory,
    sessions: SessionDirectory,
    private readonly limits: RateLimits,
    private readonly shares: FairRequestLimiter,
  ) {
    this.#lookUps = {
      key: new SingleFlight((key) => keys.find(key)),
      session: new SingleFlight((token) => sessions.find(token)),
    };
  }

  /** @throws DomainError 401, or 429 for an address that tries keys or an organization beyond its rate limit */
  async authenticate(request: Request): Promise<Caller> {
    const state = stateOf(request);
    state.caller ??= await this.#find(request, credentialOf(request));
    return state.caller;
  }

  async #find(request: Request, { type, secret }: Credential): Promise<Caller> {
    const address = request.ip ?? '';
    const digest = hash('sha256', `${type} ${secret}`, 'base64');
    const recentOrg = this.#recent.get(digest);
    if (recentOrg === undefined) this.#wrongKeys.admit(address);
    else this.limits.admit(recentOrg);
    const lookUp = () => this.#lookUps[type].run(secret);
    const hasLeft = () => request.socket.destroyed;
    const caller = await this.shares.run(recentOrg ?? UNKNOWN, lookUp, { hasLeft });
    if (!caller) {
      this.#recent.delete(digest);
      throw new DomainError('authentication_failed', UNKNOWN_SECRET[type]);
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

const UNKNOWN_SECRET: Readonly<Record<Credential['type'], string>> = {
  key: 'The API key is unknown, expired or revoked.',
  session: 'The session has ended, or its API key was revoked. Log in again.',
};

interface Rule {
  readonly isPublic: boolean;
  readonly scopes: readonly RequiredScope[] | undefined;
}

/** Every request but the public ones carries an API key with the scope its route asks for. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** Rules from the decorators of each route, read once. */
  readonly #rules = new Map<unknown, Rule>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.#ruleOf(context);
    if (rule.isPublic) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authentication.authenticate(request);
    const required = rule.scopes ?? defaultScopes(request.method);
    if (!isGranted(caller.scope, required)) {
      const names = required.map((scope) => `\`${scope}\``).join(' or ');
      throw new DomainError(
        'permission_denied',
        `This operation requires an API key with the ${names} scope.`,
      );
    }
    return true;
  }

  #ruleOf(context: ExecutionContext): Rule {
    const handler = context.getHandler();
    let rule = this.#rules.get(handler);
    if (!rule) {
      const places = [handler, context.getClass()];
      rule = {
        isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) ?? false,
        scopes: this.reflector.getAllAndOverride<readonly RequiredScope[] | undefined>(
          REQUIRED_SCOPES,
          places,
        ),
      };
      this.#rules.set(handler, rule);
    }
    return rule;
  }
}
