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
