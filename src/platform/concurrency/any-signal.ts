/** A signal that aborts when one of several does. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the several, which may live longer. */
  release(): void;
}

/**
 * Returns a signal that aborts when one of several does. Unlike `AbortSignal.any` it is held by its sources until it is
 * released: on Node 20 the garbage collector can take a signal that only `AbortSignal.any` refers to, and its abort is lost.
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
