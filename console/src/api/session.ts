import { queryOptions } from '@tanstack/react-query';
import { ApiError, ConnectionError, toApiError } from '../../../clients/typescript/src/errors.js';
import { CONSOLE_HEADERS } from './console-headers.js';
import { queryClient } from './query-client.js';

export interface Session {
  readonly organization_id: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly key_prefix: string;
  readonly key_name: string;
  readonly expires_at: string;
}

const PATH = '/console/session';

async function send(method: 'GET' | 'POST' | 'DELETE', headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(PATH, { method, headers, credentials: 'same-origin' }).catch(
    (cause: unknown) => {
      throw new ConnectionError('The service does not answer.', { cause });
    },
  );
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw toApiError(`${method} ${PATH}`, response, body);
  return body;
}

/** Notes that somebody logged in here, and no secret: a first visit does not ask for a session that is not there. */
const MARK = 'recount.logged-in';
const mayHaveSession = (): boolean => localStorage.getItem(MARK) !== null;

/** Null: nobody is logged in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    if (!mayHaveSession()) return null;
    try {
      return (await send('GET', CONSOLE_HEADERS)) as Session;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      localStorage.removeItem(MARK);
      return null;
    }
  },
  staleTime: Infinity,
});

/** Organization of the session before, whose answers the page still shows. */
let formerOrganization: string | undefined;

/**
 * Exchanges the key for a session. Answers of another organization are dropped, those of this one are read
 * again.
 */
export async function logIn(apiKey: string): Promise<void> {
  const session = (await send('POST', { 'X-API-KEY': apiKey })) as Session;
  localStorage.setItem(MARK, 'yes');
  if (formerOrganization !== undefined && formerOrganization !== session.organization_id) queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** Ends the session and loads the page again, so that nothing of it stays in memory. */
export async function logOut(): Promise<void> {
  await send('DELETE', CONSOLE_HEADERS);
  localStorage.removeItem(MARK);
  window.location.assign('/console/');
}

/**
 * Handles a refused session: it has ended, or its key was revoked. The page stays, and asks for a new login.
 */
export function noteRefusal(): void {
  formerOrganization = queryClient.getQueryData(sessionQuery.queryKey)?.organization_id ?? formerOrganization;
  queryClient.setQueryData(sessionQuery.queryKey, null);
}
