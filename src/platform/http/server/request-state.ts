import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { CommandSession } from '../../eventsourcing/command-runner/command-session.js';
import type { ResourceVersion } from '../../eventsourcing/command-runner/resource-version.js';
import type { RequiredScope } from '../auth/key-scopes.js';

/** The organization and API key of a request. */
export interface Caller {
  readonly org: Uuid;
  readonly keyId: string;
  readonly scope: RequiredScope;
}

/** State of a request, filled by middleware, guards and the interceptor. */
export interface RequestState {
  /** Ties answer, log and events together; the answer's `X-Request-Id`. */
  readonly correlationId: string;
  caller?: Caller;
  /** The length of the body, inflated, once it is read. */
  bodyBytes?: number;
  commandId?: Uuid;
  /** Session of its command: the time and the streams read so far. */
  session?: CommandSession;
  /** When a repeated request came first. */
  receivedAt?: Instant;
  /** The versioned resource that the request addresses. */
  resource?: ResourceVersion;
}

const STATE = Symbol('request state');
type Carrying = Request & { [STATE]?: RequestState };

export function beginRequest(request: Request, state: RequestState): void {
  (request as Carrying)[STATE] = state;
}

export function stateOf(request: Request): RequestState {
  const state = (request as Carrying)[STATE];
  if (!state) throw new Error('the request did not come through the request scope');
  return state;
}

/** Also for a request that failed before it had a state. */
export const correlationIdOf = (request: Request): string =>
  (request as Carrying)[STATE]?.correlationId ?? randomUUID();
