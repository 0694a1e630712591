import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../kernel/errors.js';

/** The caller sends more than it may; `Retry-After` says when it may go on. */
export class TooManyRequests extends DomainError {
  constructor(
    detail: string,
    readonly retryAfterSeconds: number,
  ) {
    super('throttled', detail);
  }
}

/** So late comes the refusal to those who send too much: most of them send the next request when it is there. */
const DELAY_MS = 500;
const MOST_DELAYED = 2_000;
let delayed = 0;

/** Answers late, unless as many as may wait are waiting already; not at all when the caller has gone. */
export function delayRefusal(response: ServerResponse, answer: () => void): void {
  if (delayed >= MOST_DELAYED) {
    answer();
    return;
  }
  delayed += 1;
  const timer = setTimeout(() => {
    response.off('close', give);
    delayed -= 1;
    answer();
  }, DELAY_MS);
  const give = (): void => {
    clearTimeout(timer);
    delayed -= 1;
  };
  response.once('close', give);
}
