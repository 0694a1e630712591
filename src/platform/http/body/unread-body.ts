import type { IncomingMessage, ServerResponse } from 'node:http';

/** Limits of reading and dropping an unwanted body, so that its sender sees the answer. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_MS = 5_000;

/** Requests whose sender waits for `100 Continue` before it sends the body. */
const waiting = new WeakSet<IncomingMessage>();

/** The sender of this request asked with `Expect: 100-continue`. */
export const expectsContinue = (request: IncomingMessage): void => void waiting.add(request);

/** Before a body is read. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Sends the last part of an answer. When the body of the request is still coming in, the answer does not wait for it:
 * the connection is closed afterwards, and until its sender closes it a bounded part of the body is read and dropped.
 * A connection closed with bytes unread is reset, and the answer on its way may be lost with it.
 */
export function endResponse(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (!hasBody(request) || request.complete || waiting.has(request)) {
    if (waiting.has(request)) response.setHeader('Connection', 'close');
    response.end(text);
    return;
  }
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  let left = MOST_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', drop);
    response.end();
  };
  const drop = (part: Buffer): void => {
    left -= part.length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, MOST_MS);
  request.on('data', drop);
  request.once('close', end);
  request.once('end', end);
  request.once('error', end);
  request.resume();
}
