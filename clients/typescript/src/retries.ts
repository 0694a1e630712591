const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Result of an attempt; undefined: no answer arrived. */
type Outcome = { readonly status: number; readonly headers: Headers } | undefined;

/**
 * Returns how long to wait before the request is sent again; undefined: do not retry. A 429 is refused before
 * anything is done, so every request is repeated. After 503, without an answer, and while the first request
 * under the same Idempotency-Key runs (409 with Retry-After), only a request is repeated that may arrive
 * twice.
 */
export function waitBeforeRetry(
  outcome: Outcome,
  attempt: number,
  mayArriveTwice: boolean,
): number | undefined {
  const after = outcome && retryAfterMs(outcome.headers);
  const isPassing =
    outcome === undefined || outcome.status === 503 || (outcome.status === 409 && after !== undefined);
  if (outcome?.status !== 429 && !(isPassing && mayArriveTwice)) return undefined;
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
  return Math.max(after ?? 0, backoff);
}

/** The header is a number of seconds or a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : ms;
}

/** Resolves after the time, or rejects when the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
