import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { DomainError } from '../../../kernel/errors.js';
import type { Config } from '../../config/config.js';
import type { Logger } from '../../telemetry/logger.js';
import { trustProxies } from './base-url.js';
import { parseBodies } from '../body/body-parsers.js';
import { forbidCaching } from './caching.js';
import { requestScope } from './request-scope.js';
import { expectsContinue } from '../body/unread-body.js';
import { answerUnreadableRequests } from './unreadable-requests.js';

/** Longer than the idle timeout of the usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65_000;

/** Installs the middleware before Nest's router, in this order. */
export function configureHttp(app: NestExpressApplication, config: Config, log: Logger): void {
  // ETags are stream revisions where there are any, not hashes of bodies.
  app.set('etag', false);
  // The raw query is read in one place (query-params.ts).
  app.set('query parser', false);
  trustProxies(app, config);
  app.use(requestScope(log));
  app.use(helmet());
  app.use(forbidCaching);
  app.use(refuseUnreadablePath);
  parseBodies(app);
  const server: Server = app.getHttpServer();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expectsContinue(request);
    server.emit('request', request, response);
  });
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
