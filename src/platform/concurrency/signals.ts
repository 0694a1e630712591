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

/** A signal between loops of one process: whoever waits goes on when `notify` is called, or when the time is over. */
export class WakeUp {
  private waiting: (() => void)[] = [];

  notify(): void {
    if (this.waiting.length === 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves with the next `notify`, at the latest after `ms` (default: however long it takes). */
  wait(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      if (ms === undefined) {
        this.waiting.push(resolve);
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== wake);
        resolve();
      }, ms);
      this.waiting.push(wake);
    });
  }
}
