import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../../../kernel/errors.js';
import { type Problem, problemOf, UNKNOWN_PATH } from '../problems/problem.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Config } from '../../config/config.js';
import type { Logger } from '../../telemetry/logger.js';
import { trustProxies } from './base-url.js';
import { authenticateSenders } from '../body/body-parsers.js';
import { API_INFO, type ApiInfo } from '../openapi/api-info.js';
import { type RequestState, setRequestState } from '../auth/caller.js';
import { NOT_STORED } from './not-stored.js';
import { expectsContinue } from '../body/receive-body.js';

/** Cache-Control of the API document and its page, which are public and change with a release. */
export const DOCS_CACHE = 'public, max-age=300';

/** Forbids caches to store answers; the controllers of the API document override it. */
function forbidCaching(_: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of Object.entries(NOT_STORED)) response.setHeader(name, value);
  next();
}

/** Limits of reading and dropping the rest of a refused request. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MS = 5_000;

/** Error of Node's parser, which reports each further part of an unreadable request as another error. */
type UnreadableError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Bytes that the server still reads and drops, by connection. */
const refused = new WeakMap<Socket, number>();

/** Answers input that is no HTTP request, in the shape of every refusal. */
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
    refused.set(socket, MAX_BYTES);
    const timer = setTimeout(() => socket.destroy(), MAX_MS);
    socket.once('close', () => clearTimeout(timer));
    const { status, headers, body } = refusalOf(problemOf(toRefusal(error.code), randomUUID()), apiVersion);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  });
}

/** Answers a request with an unknown `Expect`, which Node would refuse without a body. */
function answerUnknownExpectations(server: Server, apiVersion: string): void {
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const problem = problemOf(new DomainError('parse_error', UNKNOWN_EXPECTATION), randomUUID());
    const { status, headers, body } = refusalOf({ ...problem, status: 417 }, apiVersion);
    response.writeHead(status, headers).end(body);
  });
}

const UNKNOWN_EXPECTATION =
  'The header Expect asks for something that this service does not do. Send 100-continue, or leave it out.';

/** Returns an answer from outside of the routes, after which the connection is closed. */
function refusalOf(problem: Problem, apiVersion: string) {
  const body = JSON.stringify(problem);
  const headers = {
    Connection: 'close',
    ...NOT_STORED,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': problem.instance,
    'X-API-Version': apiVersion,
  };
  return { status: problem.status, headers, body };
}

/** Reads on until the client closes the connection: with unread bytes it would be reset, and the client would lose the answer. */
function drop({ rawPacket }: UnreadableError, socket: Socket): void {
  const left = refused.get(socket)! - (rawPacket?.length ?? 0);
  refused.set(socket, left);
  if (!rawPacket || left < 0) socket.destroy();
}

const toRefusal = (code: string | undefined): DomainError =>
  code === 'HPE_HEADER_OVERFLOW'
    ? new DomainError('payload_too_large', 'The path, query and headers are too long. Send shorter ones.')
    : new DomainError('parse_error', 'The request is not HTTP, or did not arrive whole. Send it again.');

/** Keep-alive time, longer than the idle timeout of usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65_000;

/** Installs the middleware before Nest's router, in this order. */
export function configureHttp(app: NestExpressApplication, config: Config, log: Logger): void {
  // ETags are stream revisions, not hashes of bodies.
  app.set('etag', false);
  // query-params.ts reads the raw query.
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
  app.use(requireHost);
  app.use(refuseUnreadablePath);
  authenticateSenders(app);
  const server: Server = app.getHttpServer();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expectsContinue(request);
    server.emit('request', request, response);
  });
  answerUnknownExpectations(server, version);
  // Node would refuse a request without Host itself, without a body and headers.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerUnreadableRequests(server, version);
}

function requireHost({ headers, httpVersion }: Request, _: Response, next: NextFunction): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    next(new DomainError('parse_error', 'A request of HTTP/1.1 names its host. Send the header Host.'));
  } else next();
}

/** Answers 404 for a path that is no percent-encoded text. */
function refuseUnreadablePath(request: Request, _: Response, next: NextFunction): void {
  if (request.path.includes('%') && !isText(request.path)) {
    next(new DomainError('not_found', UNKNOWN_PATH));
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
        'A request ended.',
      ),
    );
    next();
  };
}
