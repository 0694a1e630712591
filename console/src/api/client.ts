import { Recount } from '../../../clients/typescript/src/index.js';
import { CONSOLE_HEADERS } from './console-headers.js';
import { countingBytes } from './received-bytes.js';
import { noteEnd } from './session.js';

/** The session's cookie replaces the key, which no script can read. */
async function sendWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('X-API-KEY');
  for (const [name, value] of Object.entries(CONSOLE_HEADERS)) headers.set(name, value);
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) noteEnd();
  return countingBytes(response);
}

const OPTIONS = { baseUrl: '', apiKey: '', retryForMs: 5_000, fetch: sendWithSession };

/** Client through which every page reads and writes. */
export const recount = new Recount({ ...OPTIONS, timeoutMs: 30_000 });

/**
 * Client for reads as of a moment. The service admits a few of an organization at once, and refuses one after
 * five seconds of waiting; a page sends several, so it repeats what was refused until its turn comes.
 */
export const pastRecount = new Recount({ ...OPTIONS, timeoutMs: 30_000, retryForMs: 30_000 });

/** Client for work that takes minutes; its reader sees how far it is, and can stop it. */
export const patientRecount = new Recount({ ...OPTIONS, timeoutMs: 15 * 60_000 });
