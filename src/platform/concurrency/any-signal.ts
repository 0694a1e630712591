/** A signal that aborts when one of several does. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the several, which may live longer. */
  release(): void;
}

/**
 * Unlike `AbortSignal.any` it holds what it listens to, and is held by it until it is released: on Node 20 the garbage
 * collector takes a signal that only `AbortSignal.any` refers to, and its abort is never heard.
 */
export function anySignal(...signals: readonly AbortSignal[]): CombinedSignal {
  const joined = new AbortController();
  const abort = (): void => joined.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: joined.signal,
    release: () => signals.forEach((signal) => signal.removeEventListener('abort', abort)),
  };
}
