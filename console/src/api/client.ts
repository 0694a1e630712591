import { Recount } from '../../../clients/typescript/src/index.js';
import { CONSOLE_HEADERS } from './console-headers.js';
import { noteRefusal } from './session.js';

/** The session's cookie replaces the key, which no script can read. */
async function sendWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('X-API-KEY');
  for (const [name, value] of Object.entries(CONSOLE_HEADERS)) headers.set(name, value);
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) noteRefusal();
  return response;
}

/** Client through which every page reads and writes. */
export const recount = new Recount({
  baseUrl: '',
  apiKey: '',
  retryForMs: 5_000,
  timeoutMs: 30_000,
  fetch: sendWithSession,
});
