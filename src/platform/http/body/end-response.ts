import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue, hasBody } from './receive-body.js';

/** Limits of reading and dropping a refused body, so that its sender gets the answer. */
const MAX_DROPPED_BYTES = 8 * 1024 * 1024;
const MAX_DROPPING_MS = 15_000;
/** Pause of a sender after each dropped part of 64 kB: 8 MB take about a second. */
const DROP_PAUSE_MS = 8;
/**
 * Time between two dropped parts of all senders. V8 collects its whole heap after every few megabytes of received bytes,
 * which takes 10 to 20 ms: eight senders of 5 MB kept a processor busy.
 */
const BETWEEN_DROPS_MS = 4;
let nextDrop = 0;

/** Returns the time until a sender may send the next part of a refused body, and takes its place. */
function msUntilDrop(): number {
  const now = performance.now();
  nextDrop = Math.max(now, nextDrop) + BETWEEN_DROPS_MS;
  return Math.max(DROP_PAUSE_MS, nextDrop - now);
}

/**
 * Ends an answer. If the body of the request is still arriving, the answer is sent at once and the connection is closed
 * afterwards; until then a limited part of the body is read and dropped. A connection that is closed with unread bytes is
 * reset, and the client could lose the answer.
 */
export function endResponse(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (!hasBody(request) || request.complete || awaitsContinue(request)) {
    if (awaitsContinue(request)) response.setHeader('Connection', 'close');
    response.end(text);
    return;
  }
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  let left = MAX_DROPPED_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', drop);
    response.end();
  };
  const drop = (part: Buffer): void => {
    left -= part.length;
    if (left < 0) {
      end();
      return;
    }
    // Otherwise Node would read up to 2 MB in one turn of the event loop, and as fast as the sender sends.
    request.pause();
    setTimeout(() => request.resume(), msUntilDrop());
  };
  const timer = setTimeout(end, MAX_DROPPING_MS);
  request.on('data', drop);
  request.once('close', end);
  request.once('end', end);
  request.once('error', end);
  request.resume();
}
