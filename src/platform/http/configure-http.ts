import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { DomainError } from '../../kernel/errors.js';
import type { Logger } from '../telemetry/logger.js';
import { readBodies } from './bodies.js';
import { requestScope } from './request-scope.js';
import { answerUnreadableRequests } from './unreadable-requests.js';

/** Longer than the idle timeout of the usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65_000;

/** What stands before Nest's router, in this order. */
export function configureHttp(app: NestExpressApplication, log: Logger): void {
  // ETags are stream revisions where there are any, not hashes of bodies.
  app.set('etag', false);
  // The raw query is read in one place (query-params.ts).
  app.set('query parser', false);
  app.use(requestScope(log));
  app.use(helmet());
  app.use(refuseUnreadablePath);
  readBodies(app);
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerUnreadableRequests(server);
}

/** A path id that is no text names nothing. */
function refuseUnreadablePath(request: Request, _: Response, next: NextFunction): void {
  if (request.path.includes('%') && !isText(request.path)) {
    next(new DomainError('not_found', 'There is nothing at this path.'));
  } else next();
}

function isText(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
