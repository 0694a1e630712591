import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../../../kernel/errors.js';
import { NO_STORE } from './caching.js';
import { problemOf } from '../problems/problem.js';

/** Bytes and time for which the server reads and drops what a refused sender still sends. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_MS = 5_000;

/** Node's parser reports each later part of an unreadable request as another error, with the part. */
type UnreadableError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Bytes that the server still reads and drops, by connection. */
const refused = new WeakMap<Socket, number>();

/** Answers input that is no HTTP and never becomes a request, in the shape of every refusal. */
export function answerUnreadableRequests(server: Server): void {
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
