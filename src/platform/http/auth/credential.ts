import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DomainError } from '../../../kernel/errors.js';

/** The secret by which a request says who sends it. */
export interface Credential {
  readonly type: 'key' | 'session';
  readonly secret: string;
}

/** Cookie with the token of a session of the console. */
export const SESSION_COOKIE = 'recount_console';

/**
 * Header without which the cookie counts for nothing. A page of another site cannot send it: the browser would ask this
 * service first, which allows nobody.
 */
const CONSOLE_HEADER = 'x-recount-console';

const TOKEN = /^Token +(\S+) *$/i;

/**
 * The key of `Authorization: Token <key>` or `X-API-KEY: <key>`, however often either is sent, as long as all of them
 * agree; without a key, the session of the console. Node keeps the first of several `Authorization` headers and joins several `X-API-KEY`, so the headers are
 * read as they came. @throws DomainError `not_authenticated` or `authentication_failed`
 */
export function credentialOf({ rawHeaders, headers }: IncomingMessage): Credential {
  const keys = new Set<string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyIn(rawHeaders[at]!, rawHeaders[at + 1]!);
    if (key) keys.add(key);
  }
  const [key, ...others] = keys;
  const token = key === undefined ? sessionIn(headers) : undefined;
  if (token !== undefined) return { type: 'session', secret: token };
  if (key === undefined) {
    throw new DomainError(
      'not_authenticated',
      'Send an API key: "Authorization: Token <key>" or "X-API-KEY: <key>".',
    );
  }
  if (others.length > 0) {
    throw new DomainError('authentication_failed', 'The request carries different API keys. Send one.');
  }
  return { type: 'key', secret: key };
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

function sessionIn(headers: IncomingHttpHeaders): string | undefined {
  return headers[CONSOLE_HEADER] === undefined ? undefined : cookieOf(headers, SESSION_COOKIE);
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
