/** A signal that aborts when one of several does. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Removes its listeners from the source signals, which may live longer. */
  release(): void;
}

/**
 * Returns a signal that aborts when one of several does, with its reason. Its sources hold it until it is released. On
 * Node 20 the garbage collector can take a signal of `AbortSignal.any`, and its abort is lost.
 */
export function anySignal(...signals: readonly AbortSignal[]): CombinedSignal {
  const joined = new AbortController();
  const sources = signals.map((signal) => ({ signal, abort: (): void => joined.abort(signal.reason) }));
  for (const { signal, abort } of sources) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: joined.signal,
    release: () => sources.forEach(({ signal, abort }) => signal.removeEventListener('abort', abort)),
  };
}

/** Wakes loops of one process that wait for work. */
export class WakeUp {
  private waiting: (() => void)[] = [];

  notify(): void {
    if (this.waiting.length === 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves with the next `notify`, or after `ms` if it is given. */
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
