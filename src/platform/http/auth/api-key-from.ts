import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../kernel/errors.js';

const TOKEN = /^Token +(\S+) *$/i;

/**
 * The key of `Authorization: Token <key>` or `X-API-KEY: <key>`, however often either is sent, as long as all of them
 * agree. Node keeps the first of several `Authorization` headers and joins several `X-API-KEY`, so the headers are
 * read as they came. @throws DomainError `not_authenticated` or `authentication_failed`
 */
export function apiKeyFrom({ rawHeaders }: IncomingMessage): string {
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
