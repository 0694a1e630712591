import ipaddr from 'ipaddr.js';
import { TooManyRequests } from '../rate-limits/too-many-requests.js';
import { RateLimits, TokenBuckets } from '../rate-limits/rate-limits.js';
import { hash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { SingleFlight } from '../../concurrency/shared-calls.js';
import { FairRequestLimiter, UNKNOWN_SENDER } from '../rate-limits/fair-request-limiter.js';
import {
  type Caller,
  stateOf,
  PUBLIC,
  REQUIRED_SCOPES,
  defaultScopes,
  isGranted,
  type RequiredScope,
} from './caller.js';
import { Reflector } from '@nestjs/core';
import type { IncomingHttpHeaders } from 'node:http';
import { baseUrlOf } from '../server/base-url.js';

/** Limits of unknown keys of one address: a burst, and keys per second. */
const AT_ONCE = 100;
const PER_SECOND = 10;
const MAX_ADDRESSES = 10_000;

/** Throttles addresses that send unknown keys. */
export class InvalidKeyThrottle {
  readonly #buckets: TokenBuckets;

  constructor(now?: () => number) {
    this.#buckets = new TokenBuckets(AT_ONCE, PER_SECOND, MAX_ADDRESSES, now);
  }

  /** Charges an address before the look-up of a key that may be unknown. @throws TooManyRequests */
  admit(address: string): void {
    const network = networkOf(address);
    const seconds = this.#buckets.secondsUntilNext(network);
    if (seconds > 0) {
      const wait = Math.ceil(seconds);
      throw new TooManyRequests(`Your address sent too many unknown API keys. Wait ${wait} s.`, wait);
    }
    this.#buckets.take(network, 1);
  }

  /** Refunds the charge of a valid key. */
  refund(address: string): void {
    this.#buckets.take(networkOf(address), -1);
  }
}

/** Returns the network of one caller: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Port that finds the caller of a session of the console; the console module implements it. */
export abstract class SessionDirectory {
  abstract find(token: string): Promise<Caller | undefined>;
}

const MAX_RECENT_KEYS = 10_000;

/** Port that finds the caller of an API key, and never one of a revoked or expired key; the organization module implements it. */
export abstract class ApiKeyDirectory {
  abstract find(key: string): Promise<Caller | undefined>;
}

/**
 * Authenticates a request by the API key in its headers, or by the session of the console. Addresses that send unknown
 * keys, and organizations above their rate limit, are refused without a look-up.
 */
@Injectable()
export class Authentication {
  readonly #lookUps: Readonly<Record<Credential['type'], SingleFlight<string, Caller | undefined>>>;
  readonly #wrongKeys = new InvalidKeyThrottle();
  /**
   * Organizations by the hash of a key that was valid at its last look-up. The map only decides whether a look-up is
   * allowed; every request looks up its key, so that a revoked key is refused at once.
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

  /** @throws DomainError 401, or 429 for an address with unknown keys or an organization above its rate limit */
  async authenticate(request: Request): Promise<Caller> {
    const state = stateOf(request);
    state.caller ??= await this.#find(request, credentialOf(request));
    return state.caller;
  }

  async #find(request: Request, { type, secret, keyId }: Credential): Promise<Caller> {
    const address = request.ip ?? '';
    const digest = hash('sha256', `${type} ${secret}`, 'base64');
    const recentOrg = this.#recent.get(digest);
    if (recentOrg === undefined) this.#wrongKeys.admit(address);
    else this.limits.admit(recentOrg);
    const lookUp = () => this.#lookUps[type].run(secret);
    const hasLeft = () => request.socket.destroyed;
    const caller = await this.shares.run(recentOrg ?? UNKNOWN_SENDER, lookUp, { hasLeft });
    if (!caller) {
      this.#recent.delete(digest);
      throw new DomainError('authentication_failed', UNKNOWN_SECRET[type]);
    }
    if (recentOrg === undefined) {
      this.#wrongKeys.refund(address);
      this.#remember(digest, caller.org);
      this.limits.admit(caller.org);
    }
    if (keyId !== undefined && keyId !== caller.keyId)
      throw new DomainError('authentication_failed', OTHER_SESSION);
    return caller;
  }

  #remember(digest: string, org: Uuid): void {
    this.#recent.set(digest, org);
    if (this.#recent.size <= MAX_RECENT_KEYS) return;
    const [oldest] = this.#recent.keys();
    this.#recent.delete(oldest!);
  }
}

const UNKNOWN_SECRET: Readonly<Record<Credential['type'], string>> = {
  key: 'The API key is unknown, expired or revoked. Send a valid one.',
  session: 'The session has ended, or its API key was revoked. Log in again.',
};

const OTHER_SESSION =
  'This browser has logged in with another API key since the page was opened. Reload the page, or log in again.';

interface Rule {
  readonly isPublic: boolean;
  readonly scopes: readonly RequiredScope[] | undefined;
}

/** Requires an API key with the scope of the route, except on public routes. */
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
    requireScope(caller, rule.scopes ?? defaultScopes(request.method));
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

/** @throws DomainError `permission_denied` unless the caller's key has one of the scopes */
export function requireScope({ scope }: Caller, required: readonly RequiredScope[]): void {
  if (isGranted(scope, required)) return;
  const names = required.map((one) => `\`${one}\``).join(' or ');
  throw new DomainError(
    'permission_denied',
    `This operation requires an API key with the ${names} scope. Use one, or ask an administrator for it.`,
  );
}

/** Secret that identifies the caller of a request. */
export interface Credential {
  readonly type: 'key' | 'session';
  readonly secret: string;
  /** Id of the API key of the session that the page was opened with; undefined: the request does not say. */
  readonly keyId?: string | undefined;
}

/**
 * Returns the name of the cookie with the token of a session of the console. Behind https browsers take a name with this
 * prefix from this host only: without it another site of the domain could put its own session in place of the user's.
 */
export const sessionCookieOf = (request: Request): string =>
  baseUrlOf(request).startsWith('https:') ? '__Host-recount_console' : 'recount_console';

/**
 * Header that the cookie requires. A page of another site cannot send it, as the browser first asks this service for
 * permission, which it never gives. Its value is the id of the API key that the page was opened with, or `1` from a page
 * that asks which one it is: a login in another tab replaces the cookie of every tab.
 */
const CONSOLE_HEADER = 'x-recount-console';
const ANY_KEY = '1';

const TOKEN = /^Token +(\S+) *$/i;
const EMPTY = /^(?:Token)? *$/i;

/**
 * Returns the key of `Authorization: Token <key>` or `X-API-KEY: <key>`, or else the session of the console. Both headers
 * may be sent, also several times, with equal keys. It reads raw headers, as Node keeps the first `Authorization` only and
 * joins several `X-API-KEY`.
 * @throws DomainError `not_authenticated` or `authentication_failed`
 */
export function credentialOf(request: Request): Credential {
  const { rawHeaders, headers } = request;
  const keys = new Set<string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyIn(rawHeaders[at]!, rawHeaders[at + 1]!);
    if (key !== undefined) keys.add(key);
  }
  const [key, ...others] = keys;
  const isWithout = !key && others.length === 0;
  const token = isWithout ? sessionIn(request) : undefined;
  if (token !== undefined) {
    const keyId = headers[CONSOLE_HEADER] as string;
    return { type: 'session', secret: token, keyId: keyId === ANY_KEY ? undefined : keyId };
  }
  if (isWithout) {
    throw new DomainError(
      'not_authenticated',
      'Send an API key: "Authorization: Token <key>" or "X-API-KEY: <key>".',
    );
  }
  if (others.length > 0) {
    throw new DomainError('authentication_failed', 'The request carries different API keys. Send one.');
  }
  return { type: 'key', secret: key! };
}

/**
 * Returns the key of a header; undefined if the header carries none. An empty key differs from every key of another
 * header.
 */
function keyIn(header: string, value: string): string | undefined {
  switch (header.toLowerCase()) {
    case 'authorization':
      return EMPTY.test(value) ? '' : TOKEN.exec(value)?.[1];
    case 'x-api-key':
      return value;
    default:
      return undefined;
  }
}

function sessionIn(request: Request): string | undefined {
  const { headers } = request;
  return headers[CONSOLE_HEADER] === undefined ? undefined : cookieOf(headers, sessionCookieOf(request));
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
