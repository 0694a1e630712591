import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../../../kernel/errors.js';
import { problemOf } from '../problems/problem.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Config } from '../../config/config.js';
import type { Logger } from '../../telemetry/logger.js';
import { trustProxies } from './base-url.js';
import { parseBodies } from '../body/body-parsers.js';
import { API_INFO, type ApiInfo } from '../openapi/api-document.js';
import { type RequestState, setRequestState } from '../auth/caller.js';
import { expectsContinue } from '../body/receive-body.js';

/** Answers are one organization's own, and true at this moment. */
export const NO_STORE = 'no-store';
/** The API document and its page are the same for everybody until the next release. */
export const DOCS_CACHE = 'public, max-age=300';

/** No answer is kept by anybody, and none is given to a caller with another key. The docs say otherwise for themselves. */
function forbidCaching(_: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', NO_STORE);
  response.setHeader('Vary', 'Authorization, X-API-KEY');
  next();
}

/** Bytes and time for which the server reads and drops what a refused sender still sends. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_MS = 5_000;

/** Node's parser reports each later part of an unreadable request as another error, with the part. */
type UnreadableError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Bytes that the server still reads and drops, by connection. */
const refused = new WeakMap<Socket, number>();

/** Answers input that is no HTTP and never becomes a request, in the shape of every refusal. */
function answerUnreadableRequests(server: Server, apiVersion: string): void {
  server.on('clientError', (error: UnreadableError, socket: Socket) => {
    if (refused.has(socket)) {
      drop(error, socket);
      return;
    }
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refused.set(socket, MOST_BYTES);
    const timer = setTimeout(() => socket.destroy(), MOST_MS);
    socket.once('close', () => clearTimeout(timer));
    const problem = problemOf(toRefusal(error.code), randomUUID());
    const body = JSON.stringify(problem);
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
        'Connection: close',
        `Cache-Control: ${NO_STORE}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${problem.instance}`,
        `X-API-Version: ${apiVersion}`,
        '',
        body,
      ].join('\r\n'),
    );
  });
}

/**
 * Reads on until the sender closes the connection: a connection closed with bytes unread is reset, and the sender loses
 * the answer.
 */
function drop({ rawPacket }: UnreadableError, socket: Socket): void {
  const left = refused.get(socket)! - (rawPacket?.length ?? 0);
  refused.set(socket, left);
  if (!rawPacket || left < 0) socket.destroy();
}

const toRefusal = (code: string | undefined): DomainError =>
  code === 'HPE_HEADER_OVERFLOW'
    ? new DomainError('payload_too_large', 'The path, query and headers are longer than what is read.')
    : new DomainError('parse_error', 'The request cannot be read: it is not HTTP, or did not arrive whole.');

/** Longer than the idle timeout of the usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65_000;

/** Installs the middleware before Nest's router, in this order. */
export function configureHttp(app: NestExpressApplication, config: Config, log: Logger): void {
  // ETags are stream revisions where there are any, not hashes of bodies.
  app.set('etag', false);
  // The raw query is read in one place (query-params.ts).
  app.set('query parser', false);
  trustProxies(app, config);
  const { version } = app.get<ApiInfo>(API_INFO);
  app.use((_: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-API-Version', version);
    next();
  });
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
  answerUnreadableRequests(server, version);
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

/** A caller's own correlation id: short, and unable to hold an address or a name with blanks. */
const SAFE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the first middleware. It gives the request a correlation id and logs the end of the request. The log line has
 * the route's pattern and never the path, the query or the body, which can name persons.
 */
function requestScope(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    const sent = request.headers['x-request-id'];
    const correlationId = typeof sent === 'string' && SAFE_ID.test(sent) ? sent : randomUUID();
    const state: RequestState = { correlationId };
    setRequestState(request, state);
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
