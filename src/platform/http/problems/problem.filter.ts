import { Catch, Inject, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import { LOGGER, type Logger } from '../../telemetry/logger.js';
import { NotReady } from '../server/not-ready.js';
import { NO_STORE } from '../server/not-stored.js';
import { toDomainError } from './foreseen-errors.js';
import { nearestPath } from './nearest-path.js';
import { problemOf, RETRY_AFTER, UNKNOWN_PATH, internalProblem } from './problem.js';
import { correlationIdOf } from '../auth/caller.js';
import { delayRefusal, TooManyRequests } from '../rate-limits/too-many-requests.js';
import { endResponse } from '../body/end-response.js';

/** Turns every error of a request into its answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly adapter: HttpAdapterHost,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const correlationId = correlationIdOf(request);
    const error = this.#ofRouter(thrown, request, response) ?? toDomainError(thrown);
    const problem = error ? problemOf(error, correlationId) : internalProblem(correlationId);
    const isFailure = problem.status >= 500 && !(error instanceof NotReady);
    if (isFailure) this.log.error({ err: thrown, correlationId }, 'A request failed.');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const retryAfter =
      error instanceof TooManyRequests ? String(error.retryAfterSeconds) : error && RETRY_AFTER[error.code];
    if (retryAfter) response.setHeader('Retry-After', retryAfter);
    if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Token');
    response.setHeader('Cache-Control', NO_STORE);
    response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
    response.status(problem.status);
    const end = (): void => endResponse(request, response, JSON.stringify(problem));
    if (error instanceof TooManyRequests) delayRefusal(response, end);
    else end();
  }

  /** Returns a refusal of a path that the router knows with other methods, or does not know; undefined for other errors. */
  #ofRouter(thrown: unknown, request: Request, response: Response): DomainError | undefined {
    if (!(thrown instanceof NotFoundException)) return undefined;
    const express: RouterOfExpress = this.adapter.httpAdapter.getInstance();
    const methods = methodsAt(express, request.path);
    if (methods.length === 0) return unknownPath(express, request.path);
    response.setHeader('Allow', methods.join(', '));
    return new DomainError('method_not_allowed', `Use ${methods.join(' or ')} here, not ${request.method}.`);
  }
}

/** Part of Express's router that lists the routes. */
interface RouterOfExpress {
  readonly router: {
    readonly stack: readonly {
      readonly route?: {
        readonly path: string | readonly string[];
        readonly methods: Readonly<Record<string, boolean>>;
      };
      match(path: string): boolean;
    }[];
  };
}

/** Returns the methods of a path; empty for an unknown path. */
function methodsAt(express: RouterOfExpress, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of express.router.stack) {
    if (!layer.route || !matches(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  return [...methods].sort();
}

/** Returns a refusal that names the nearest path, or where all paths are. */
function unknownPath({ router }: RouterOfExpress, path: string): DomainError {
  const routes = router.stack.flatMap(({ route }) => route?.path ?? []).filter((one) => !/[*\\]/.test(one));
  const nearest = nearestPath(path, routes);
  const detail = nearest ? `There is nothing at this path. Did you mean ${nearest}?` : UNKNOWN_PATH;
  return new DomainError('not_found', detail);
}

/** Matches a route; a path that cannot be decoded matches none. */
function matches(layer: { match(path: string): boolean }, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
