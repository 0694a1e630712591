import { randomUUID } from 'node:crypto';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CommandContext } from '../commands/command-context.js';
import { stateOf, type Caller as RequestCaller, type KeyScope } from './request-state.js';

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
    ...(state.resource ? { resource: state.resource } : {}),
    ...(state.receivedAt ? { receivedAt: state.receivedAt } : { isNew: true }),
  };
});

export const REQUIRED_SCOPE = 'recount:scope';
export const PUBLIC = 'recount:public';

/** The scope a route asks for where the default (read for GET, write for the rest) is not right. */
export const RequireScope = (scope: KeyScope) => SetMetadata(REQUIRED_SCOPE, scope);

/** A route without a key: liveness, signed links. */
export const Public = () => SetMetadata(PUBLIC, true);
