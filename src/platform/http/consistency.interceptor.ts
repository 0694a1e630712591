import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, from, mergeMap, tap, type Observable } from 'rxjs';
import { comparePositions, formatPosition, parsePosition, type Position } from '../../kernel/event.js';
import { forgetPosition, requestPosition, trackPosition } from '../commands/request-position.js';
import type { Caller } from './caller.js';
import { InvalidRequest } from './invalid-request.js';
import { LastWrites } from './last-writes.js';
import { READ_MODELS, type ReadModels } from './read-models.js';
import { stateOf } from './request-state.js';

const HEADER = 'X-Recount-Position';
/** A read waits no longer for the caller's own write; then it says that it may be stale. */
const LONGEST_WAIT_MS = 2_000;

/** Who wrote reads what was written: commands answer their position, reads wait for it (architecture.md section 3.2). */
@Injectable()
export class ConsistencyInterceptor implements NestInterceptor {
  readonly #lastWrites = new LastWrites();

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const { caller, correlationId } = stateOf(request);
    if (!caller) return next.handle();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return this.#afterWrite(caller, correlationId, response, next);
    if (this.readModels.isIncomplete(caller.org)) response.setHeader('X-Recount-Stale', 'true');
    const seen = newest(positionSent(request), this.#lastWrites.of(caller.keyId));
    if (!seen) return next.handle();
    return from(this.readModels.waitFor(seen, LONGEST_WAIT_MS)).pipe(
      tap((isThere) => {
        if (!isThere) response.setHeader('X-Recount-Stale', 'true');
      }),
      mergeMap(() => next.handle()),
    );
  }

  /** A command that failed may have written before it did. */
  #afterWrite(
    caller: Caller,
    correlationId: string,
    response: Response,
    next: CallHandler,
  ): Observable<unknown> {
    trackPosition(correlationId);
    return next.handle().pipe(
      tap(() => {
        const position = newest(requestPosition(correlationId), this.#lastWrites.of(caller.keyId));
        if (position) response.setHeader(HEADER, formatPosition(position));
      }),
      finalize(() => {
        const position = requestPosition(correlationId);
        if (position) this.#lastWrites.note(caller.keyId, position);
        forgetPosition(correlationId);
      }),
    );
  }
}

function positionSent(request: Request): Position | undefined {
  const text = request.headers[HEADER.toLowerCase()];
  if (text === undefined) return undefined;
  const position = typeof text === 'string' ? parsePosition(text) : undefined;
  if (position) return position;
  throw new InvalidRequest({
    code: 'invalid',
    detail: `Send ${HEADER} as a command answered it.`,
    attr: HEADER,
  });
}

function newest(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (!a || !b) return a ?? b;
  return comparePositions(a, b) < 0 ? b : a;
}
