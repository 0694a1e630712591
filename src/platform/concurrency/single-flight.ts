/**
 * Runs equal concurrent calls once. Calls that come while the work runs share the next run, which begins after them, so
 * that no result is older than its call.
 */
export class SingleFlight<Key, Result> {
  readonly #running = new Map<Key, Promise<void>>();
  readonly #next = new Map<Key, Promise<Result>>();

  constructor(private readonly look: (key: Key) => Promise<Result>) {}

  run(key: Key): Promise<Result> {
    const next = this.#next.get(key);
    if (next) return next;
    const running = this.#running.get(key);
    return running ? this.#startAfter(running, key) : this.#start(key);
  }

  /** A turn of the event loop later, so that what comes in the same turn shares it. */
  #startAfter(running: Promise<void>, key: Key): Promise<Result> {
    const next = running
      .then(() => new Promise(setImmediate))
      .then(() => {
        this.#next.delete(key);
        return this.#start(key);
      });
    this.#next.set(key, next);
    return next;
  }

  #start(key: Key): Promise<Result> {
    const result = this.look(key);
    const end = (): void => {
      if (this.#running.get(key) === ended) this.#running.delete(key);
    };
    const ended: Promise<void> = result.then(end, end);
    this.#running.set(key, ended);
    return result;
  }
}
