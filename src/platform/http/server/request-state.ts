import { randomUUID } from 'node:crypto';
import type { Request, NextFunction, Response } from 'express';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { CommandSession, ResourceVersion } from '../../eventsourcing/command-runner/command-context.js';
import type { RequiredScope } from '../auth/key-scopes.js';
import type { Logger } from '../../telemetry/logger.js';

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

function beginRequest(request: Request, state: RequestState): void {
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

/** A caller's own correlation id: short, and unable to hold an address or a name with blanks. */
const SANE_TOKEN = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the first middleware: it gives the request its correlation id and logs its end. The log has the route's pattern
 * and never the path, the query or the body, which can name persons.
 */
export function requestScope(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    const sent = request.headers['x-request-id'];
    const correlationId = typeof sent === 'string' && SANE_TOKEN.test(sent) ? sent : randomUUID();
    const state: RequestState = { correlationId };
    beginRequest(request, state);
    response.setHeader('X-Request-Id', correlationId);
    response.on('close', () =>
      log.info(
        {
          correlationId,
          method: request.method,
          route: (request.route as { path?: string } | undefined)?.path ?? null,
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: Math.round((performance.now() - started) * 10) / 10,
          org: state.caller?.org,
          key: state.caller?.keyId,
        },
        'request',
      ),
    );
    next();
  };
}
