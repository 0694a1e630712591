import type { NextFunction, Request, Response } from 'express';
import type { PrometheusMeter } from './prometheus-meter.js';

/** Measures every answer, by the pattern of its route, as paths contain customers' ids. */
export const meterRequests =
  (meter: PrometheusMeter) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const began = performance.now();
    response.on('finish', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      meter.answered(
        request.method,
        typeof route === 'string' ? route : 'none',
        response.statusCode,
        (performance.now() - began) / 1000,
      );
    });
    next();
  };
