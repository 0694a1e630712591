interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Bounds {
  /** Limit of items in a batch. */
  readonly most: number;
  /** Concurrent batches, default 1; more where one batch can take long. */
  readonly atOnce?: number;
  /** Returns whether one item may have caused the error: then each item runs, and fails, alone. */
  readonly isFaultOfItem?: (error: unknown) => boolean;
}

/**
 * Collects items into batches: items that come while a batch runs join the next one, so that under load one statement
 * serves all of them. An item that comes alone starts at once. Batches
 * wait for the one before, which is what makes them grow under load (docs/tooling.md#own-code-and-why).
 */
export class Batcher<Item, Outcome> {
  #waiting: Waiting<Item, Outcome>[] = [];
  #running = 0;

  /** @param work outcomes in the order of the items, an Error for one that fails alone; when it throws, all fail */
  constructor(
    private readonly work: (group: readonly Item[]) => Promise<readonly (Outcome | Error)[]>,
    private readonly bounds: Bounds,
  ) {}

  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running < (this.bounds.atOnce ?? 1)) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running += 1;
    do {
      // A turn of the event loop, so that what comes in the same turn shares the group.
      await new Promise(setImmediate);
      if (this.#waiting.length > 0) await this.#do(this.#waiting.splice(0, this.bounds.most));
    } while (this.#waiting.length > 0);
    this.#running -= 1;
  }

  async #do(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.work(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, place) => {
        const outcome = outcomes[place]!;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      if (group.length > 1 && this.bounds.isFaultOfItem?.(error)) {
        for (const member of group) await this.#do([member]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}

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

interface Flight<Answer> {
  readonly answer: Promise<Answer>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Runs equal concurrent calls once, like `SingleFlight`, and aborts the work when every caller has left. A call that comes
 * while the work runs shares the next run, so that no result is older than its call.
 */
export class AbortableSingleFlight<Answer> {
  readonly #running = new Map<string, Flight<Answer>>();
  readonly #next = new Map<string, Flight<Answer>>();

  /** @throws the signal's reason when it aborts before there is an answer */
  run(
    question: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const next = this.#next.get(question);
    // An aborted run answers nobody.
    return this.#join(next && !next.stop.signal.aborted ? next : this.#begin(question, work), signal);
  }

  #begin(question: string, work: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> {
    const running = this.#running.get(question);
    const stop = new AbortController();
    const start = async (): Promise<Answer> => {
      if (this.#next.get(question) === flight) this.#next.delete(question);
      stop.signal.throwIfAborted();
      this.#running.set(question, flight);
      return work(stop.signal).finally(() => {
        if (this.#running.get(question) === flight) this.#running.delete(question);
      });
    };
    // Aborted work ends by itself.
    const isAwaited = running && !running.stop.signal.aborted;
    const ended = isAwaited
      ? running.answer.then(
          () => undefined,
          () => undefined,
        )
      : undefined;
    const answer = (ended ?? Promise.resolve()).then(start);
    answer.catch(() => undefined);
    const flight: Flight<Answer> = { stop, waiting: 0, answer };
    // Until it has begun, whoever comes in the same turn shares it as well.
    this.#next.set(question, flight);
    return flight;
  }

  async #join(flight: Flight<Answer>, signal: AbortSignal): Promise<Answer> {
    flight.waiting += 1;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error);
    });
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await Promise.race([flight.answer, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.stop.abort(new Error('nobody waits for the answer'));
    }
  }
}
