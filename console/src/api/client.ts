import { Recount } from '../../../clients/typescript/src/index.js';
import { consoleHeaders } from './console-headers.js';
import { countingBytes } from './received-bytes.js';
import { LONGEST_WAIT_MS, noteWait } from './service-wait.js';
import { noteRefusal } from './session.js';

/** The session's cookie replaces the key, which no script can read. */
async function sendWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('X-API-KEY');
  for (const [name, value] of Object.entries(consoleHeaders())) headers.set(name, value);
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) noteRefusal();
  noteWait(response);
  return countingBytes(response);
}

/** A page says soon that the service fails; where the service asks to wait, the page says so and goes on. */
const OPTIONS = {
  baseUrl: '',
  apiKey: '',
  retryForMs: 5_000,
  retryThrottledForMs: LONGEST_WAIT_MS,
  fetch: sendWithSession,
};

/** Client through which every page reads and writes. */
export const recount = new Recount({ ...OPTIONS, timeoutMs: 30_000 });

/** Client for work that takes minutes; its reader sees how far it is, and can stop it. */
export const longRunningRecount = new Recount({ ...OPTIONS, timeoutMs: 15 * 60_000 });
