import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../kernel/errors.js';

/** Refusal of a caller that sends too much; `Retry-After` says when it may continue. */
export class TooManyRequests extends DomainError {
  constructor(
    detail: string,
    readonly retryAfterSeconds: number,
  ) {
    super('throttled', detail);
  }
}

/** Delay of the refusal: most callers send the next request only after it. */
const DELAY_MS = 500;
const MAX_DELAYED = 2_000;
let delayed = 0;

/** Answers after a delay, at once if too many refusals wait, and not at all if the client has disconnected. */
export function delayRefusal(response: ServerResponse, answer: () => void): void {
  if (delayed >= MAX_DELAYED) {
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
