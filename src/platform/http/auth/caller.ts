import { randomUUID } from 'node:crypto';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  CommandSession,
  type CommandContext,
  type ResourceVersion,
} from '../../eventsourcing/command-runner/command-context.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';

export const KEY_SCOPES = ['ingest', 'read', 'write', 'admin'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Scope that an operation requires. Only the service's own key, which belongs to no organization, has `bootstrap`. */
export type RequiredScope = KeyScope | 'bootstrap';

/** `ingest` includes no other scope: a key on a device or an edge server sends data and reads nothing. */
const INCLUDED: Readonly<Record<RequiredScope, readonly RequiredScope[]>> = {
  ingest: ['ingest'],
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
  bootstrap: ['bootstrap'],
};

/** Returns whether a key with the scope `held` may call an operation that requires one of `required`. */
export const isGranted = (held: RequiredScope, required: readonly RequiredScope[]): boolean =>
  required.some((scope) => INCLUDED[held].includes(scope));

/** Returns the scopes that an operation without `@RequireScope` requires. */
export const defaultScopes = (method: string): readonly KeyScope[] =>
  method === 'GET' || method === 'HEAD' ? ['read'] : ['write'];

export const REQUIRED_SCOPES = 'recount:scopes';
export const PUBLIC = 'recount:public';

/** Replaces the default scopes of a route (`read` for GET, else `write`): the caller's key needs one of these. */
export const RequireScope = (...scopes: readonly RequiredScope[]) => SetMetadata(REQUIRED_SCOPES, scopes);

/** Marks a route that needs no key, such as liveness or a signed link. */
export const Public = () => SetMetadata(PUBLIC, true);

/** State of a request, filled by middleware, guards and the interceptor. */
export interface RequestState {
  /** Ties answer, log and events together; the answer's `X-Request-Id`. */
  readonly correlationId: string;
  caller?: Caller;
  /** Length of the decompressed body; absent until the body is read. */
  bodyBytes?: number;
  commandId?: Uuid;
  /** Session of the request's command: the clock's time and the streams read so far. */
  session?: CommandSession;
  /** Time of the first request with this Idempotency-Key; absent without a key. */
  receivedAt?: Instant;
  /** The versioned resource that the request addresses. */
  resource?: ResourceVersion;
}

const STATE = Symbol('request state');
type RequestWithState = Request & { [STATE]?: RequestState };

export function setRequestState(request: Request, state: RequestState): void {
  (request as RequestWithState)[STATE] = state;
}

export function stateOf(request: Request): RequestState {
  const state = (request as RequestWithState)[STATE];
  if (!state) throw new Error('The request has no state: the middleware `requestScope` did not run.');
  return state;
}

/** Returns the correlation id, a new one for a request that failed before it had a state. */
export const correlationIdOf = (request: Request): string =>
  (request as RequestWithState)[STATE]?.correlationId ?? randomUUID();

/** Organization and API key of a request. */
export interface Caller {
  readonly org: Uuid;
  readonly keyId: string;
  readonly scope: RequiredScope;
}

/** `@Caller() caller: Caller` */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);

function callerOf(request: Request): Caller {
  const { caller } = stateOf(request);
  if (!caller) throw new Error('A route that needs no key has no caller.');
  return caller;
}

/** `@Ctx() context: CommandContext`: one per request; a repeat with the same Idempotency-Key gets an equal one. */
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext): CommandContext => {
  const request = context.switchToHttp().getRequest<Request>();
  const { org, keyId } = callerOf(request);
  const state = stateOf(request);
  state.commandId ??= randomUUID();
  return {
    org,
    commandId: state.commandId,
    correlationId: state.correlationId,
    actor: keyId,
    session: (state.session ??= new CommandSession()),
    disconnected: clientDisconnected(context.switchToHttp().getResponse<Response>()),
    ...(state.resource ? { resource: state.resource } : {}),
    ...(state.receivedAt ? { receivedAt: state.receivedAt } : { isFirstDelivery: true }),
  };
});

/** `@ClientDisconnected() disconnected: AbortSignal` */
export const ClientDisconnected = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  clientDisconnected(context.switchToHttp().getResponse<Response>()),
);

/** Returns a signal that aborts when the client closes the connection before the answer is complete. */
export function clientDisconnected(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished)
      disconnected.abort(
        new DomainError('invalid_operation', 'The client disconnected before the answer was complete.'),
      );
  });
  return disconnected.signal;
}
