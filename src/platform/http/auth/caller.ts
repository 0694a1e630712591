import { randomUUID } from 'node:crypto';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CommandSession, type CommandContext } from '../../eventsourcing/command-runner/command-context.js';
import type { RequiredScope } from './key-scopes.js';
import { stateOf, type Caller as RequestCaller } from '../server/request-state.js';
import { DomainError } from '../../../kernel/errors.js';

function callerOf(request: Request): RequestCaller {
  const { caller } = stateOf(request);
  if (!caller) throw new Error('a route that anybody may call has no caller');
  return caller;
}

export type Caller = RequestCaller;

/** `@Caller() caller: Caller` */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);

/** `@Ctx() context: CommandContext`: one per request; a repeat under the same Idempotency-Key has the same. */
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
    ...(state.resource ? { resource: state.resource } : {}),
    ...(state.receivedAt ? { receivedAt: state.receivedAt } : { isFirstDelivery: true }),
  };
});

export const REQUIRED_SCOPES = 'recount:scopes';
export const PUBLIC = 'recount:public';

/** The scopes of which a route requires one, where the default (`read` for GET, `write` otherwise) is not right. */
export const RequireScope = (...scopes: readonly RequiredScope[]) => SetMetadata(REQUIRED_SCOPES, scopes);

/** A route without a key: liveness, signed links. */
export const Public = () => SetMetadata(PUBLIC, true);

/** `@CallerLeft() left: AbortSignal` */
export const CallerLeft = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  return callerLeft(context.switchToHttp().getResponse<Response>());
});

/** Returns a signal that aborts when the caller closes the connection before the answer is there. */
export function callerLeft(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished)
      left.abort(new DomainError('invalid_operation', 'The caller left before there was an answer.'));
  });
  return left.signal;
}
