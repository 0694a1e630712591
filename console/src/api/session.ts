import { onlineManager, queryOptions, skipToken } from '@tanstack/react-query';
import { ApiError, ConnectionError, toApiError } from '../../../clients/typescript/src/errors.js';
import { ANY_SESSION, bindToKey, consoleHeaders } from './console-headers.js';
import { queryClient } from './query-client.js';

export interface Session {
  readonly organization_id: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly key_id: string;
  readonly key_prefix: string;
  readonly key_name: string;
  readonly expires_at: string;
  readonly manual_clock: boolean;
}

const PATH = '/console/session';

interface Answer {
  readonly body: unknown;
  /** Time of the service by its answer, in milliseconds. */
  readonly at: number;
}

async function send(method: 'GET' | 'POST' | 'DELETE', headers: HeadersInit): Promise<Answer> {
  const response = await fetch(PATH, { method, headers, credentials: 'same-origin' }).catch(
    (cause: unknown) => {
      throw new ConnectionError('The service does not answer.', { cause });
    },
  );
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw toApiError(`${method} ${PATH}`, response, body);
  return { body, at: Date.parse(response.headers.get('Date') ?? '') || Date.now() };
}

/**
 * Holds when the session of this browser ends, by the clock of the browser, and no secret: a session that is not
 * there, or is over, is not asked for.
 */
const END = 'recount.session-ends';
export const mayHaveSession = (): boolean => Number(localStorage.getItem(END)) > Date.now();

let timer: ReturnType<typeof setTimeout> | undefined;

/** Time by which a page ends its session early, so that no request arrives too late. */
const MARGIN_MS = 5_000;

/** Remembers the end of a session, and asks for a new login then. */
function begin({ body, at }: Answer): Session {
  const session = body as Session;
  bindToKey(session.key_id);
  const lastsMs = Date.parse(session.expires_at) - at - MARGIN_MS;
  localStorage.setItem(END, String(Date.now() + lastsMs));
  clearTimeout(timer);
  timer = setTimeout(noteEnd, lastsMs);
  return session;
}

/** Null: nobody is logged in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    if (!mayHaveSession()) return null;
    try {
      return begin(await send('GET', ANY_SESSION));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      localStorage.removeItem(END);
      return null;
    }
  },
  staleTime: Infinity,
});

/** Session with another API key, which another tab of the browser has begun; null: there is none. */
export const otherSessionQuery = queryOptions<Session | null>({
  queryKey: ['session', 'other'],
  queryFn: skipToken,
});

/** Organization of the session before, whose answers the page still shows. */
let formerOrganization: string | undefined;

/** Loads the console anew, so that nothing of a session stays in memory. */
export const startAnew = (): void => window.location.assign('/console/');

const readAgain = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });

/**
 * Exchanges the key for a session. A page of the organization stays, and reads its answers again; one of another
 * organization starts anew, as what was typed in it was meant for the other one.
 */
export async function logIn(apiKey: string): Promise<void> {
  const session = begin(await send('POST', { 'X-API-KEY': apiKey }));
  if (formerOrganization !== undefined && formerOrganization !== session.organization_id) {
    startAnew();
    return;
  }
  queryClient.setQueryData(sessionQuery.queryKey, session);
  onlineManager.setOnline(true);
  readAgain();
}

/** Ends the session. Where another tab has logged in since, the page asks instead of ending the session of that tab. */
export async function logOut(): Promise<void> {
  try {
    await send('DELETE', consoleHeaders());
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    noteRefusal();
    return;
  }
  localStorage.removeItem(END);
  startAnew();
}

/**
 * Handles the end of a session: it has lasted its time, or its key was revoked. The page stays, and asks for a new
 * login.
 */
function noteEnd(): void {
  formerOrganization = queryClient.getQueryData(sessionQuery.queryKey)?.organization_id ?? formerOrganization;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  // The page below the login would go on asking; its queries wait for the login instead.
  onlineManager.setOnline(false);
}

let refusal: Promise<void> | undefined;

/** Handles a request that was refused: the session has ended, or the browser has another one. */
export function noteRefusal(): void {
  refusal ??= explainRefusal().finally(() => (refusal = undefined));
}

async function explainRefusal(): Promise<void> {
  const found = await send('GET', ANY_SESSION).then(
    ({ body }) => body as Session,
    () => null,
  );
  const own = queryClient.getQueryData(sessionQuery.queryKey);
  queryClient.setQueryData(otherSessionQuery.queryKey, found?.key_id === own?.key_id ? null : found);
  noteEnd();
}
