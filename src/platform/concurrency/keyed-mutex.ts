/** Work that waited this long starts anyway, so that nothing queues behind a store that hangs. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Commands on one stream reserve turns in this process, so that of hundreds at once not all but one are decided in vain.
 * A turn saves work and guards nothing: the expected revision does.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>) {}

  async take<Result>(
    stream: string,
    work: () => Promise<Result>,
    longestWaitMs = LONGEST_WAIT_MS,
  ): Promise<Result> {
    const before = this.#last.get(stream);
    const mine = before ? this.#after(before, longestWaitMs).then(work) : work();
    const over = mine.catch(() => undefined);
    this.#last.set(stream, over);
    try {
      return await mine;
    } finally {
      if (this.#last.get(stream) === over) this.#last.delete(stream);
    }
  }

  async #after(before: Promise<unknown>, longestWaitMs: number): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([before, this.pause(longestWaitMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
  }
}
