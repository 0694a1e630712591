import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../telemetry/logger.js';
import { beginRequest, type RequestState } from './request-state.js';

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
