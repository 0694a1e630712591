import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AsOf } from '../as-of/as-of.js';
import { BodyLimiter } from '../body/body-limiter.js';
import { Consistency } from '../consistency/consistency.js';
import { Etags } from '../etag/etags.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { isMultipart, readMultipart } from '../body/body-parsers.js';
import { withPageLink } from '../query/page.js';
import { refuseUnknownParams } from '../query/strict-query.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { PLACES_AS_OF, placesForBody } from '../rate-limits/rate-limits.js';
import { stateOf } from './request-state.js';

/**
 * Wraps every request between guards and pipe, the outermost step first. One interceptor for all steps: each further
 * interceptor costs every request the overhead of rxjs.
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly consistency: Consistency,
    private readonly idempotency: Idempotency,
    private readonly etags: Etags,
    private readonly shares: FairRequestLimiter,
    private readonly bodies: BodyLimiter,
    private readonly past: AsOf,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.#answer(context, () => lastValueFrom(next.handle())));
  }

  async #answer(context: ExecutionContext, handle: () => Promise<unknown>): Promise<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    refuseUnknownParams(request, context.getHandler());
    const state = stateOf(request);
    const { caller } = state;
    if (caller && isMultipart(request)) {
      await this.bodies.receive(caller.org, (body) => readMultipart(request, context, body));
    }
    const shown = async (): Promise<unknown> => withPageLink(await handle(), request, response);
    const versioned = (): Promise<unknown> => this.etags.around(request, response, shown);
    const at = await this.past.momentOf(request, context.getHandler());
    const once = (): Promise<unknown> =>
      at === undefined
        ? this.idempotency.around(request, versioned)
        : this.past.around(request, response, at, versioned);
    const asked = {
      places: placesForBody(state.bodyBytes ?? 0) + (at === undefined ? 0 : PLACES_AS_OF),
      isBegun: true,
      hasLeft: () => request.socket.destroyed,
    };
    const inShare = (): Promise<unknown> => (caller ? this.shares.run(caller.org, once, asked) : once());
    return this.consistency.around(request, response, inShare);
  }
}
