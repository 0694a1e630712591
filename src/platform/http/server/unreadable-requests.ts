import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../../../kernel/errors.js';
import { NO_STORE } from './caching.js';
import { problemOf } from '../problems/problem.js';

/** What is no HTTP never becomes a request; it is refused in the shape of every refusal all the same. */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
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
        '',
        body,
      ].join('\r\n'),
    );
  });
}

const toRefusal = (code: string | undefined): DomainError =>
  code === 'HPE_HEADER_OVERFLOW'
    ? new DomainError('payload_too_large', 'The path, query and headers are longer than what is read.')
    : new DomainError('parse_error', 'The request cannot be read: it is not HTTP, or did not arrive whole.');
