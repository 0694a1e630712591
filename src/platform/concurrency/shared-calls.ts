import { isInBackground } from './long-work.js';

interface WaitingItem<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface BatchLimits {
  /** Limit of items in a batch. */
  readonly most: number;
  /** Concurrent batches, default 1; more if one batch can take long. */
  readonly atOnce?: number;
  /** Time that items wait for a running batch before they start another one, default 0. */
  readonly patienceMs?: number;
  /** Returns whether one item may have caused the error; each item of the batch then runs alone. */
  readonly isFaultOfItem?: (error: unknown) => boolean;
}

/**
 * Collects items into batches. A single item starts at once; items that come while a batch runs join the next one, so
 * that batches grow under load and one statement serves many items (docs/tooling.md#own-code-and-why). Background work has
 * batches of its own, which do not wait for a batch of requests that waits for a connection.
 */
export class Batcher<Item, Outcome> {
  readonly #requested: Batches<Item, Outcome>;
  readonly #background: Batches<Item, Outcome>;

  /** @param work returns outcomes in the order of the items, an Error for an item that failed; if it throws, all fail */
  constructor(work: (batch: readonly Item[]) => Promise<readonly (Outcome | Error)[]>, limits: BatchLimits) {
    this.#requested = new Batches(work, limits);
    this.#background = new Batches(work, limits);
  }

  add(item: Item): Promise<Outcome> {
    return (isInBackground() ? this.#background : this.#requested).add(item);
  }
}

class Batches<Item, Outcome> {
  #waiting: WaitingItem<Item, Outcome>[] = [];
  #running = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(
    private readonly work: (batch: readonly Item[]) => Promise<readonly (Outcome | Error)[]>,
    private readonly limits: BatchLimits,
  ) {}

  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running >= (this.limits.atOnce ?? 1)) return;
      if (this.#running === 0 || !this.limits.patienceMs) void this.#run();
      else this.#patience ??= setTimeout(() => this.#runConcurrently(), this.limits.patienceMs);
    });
  }

  /** Begins a further batch while the ones before it are still running. */
  #runConcurrently(): void {
    this.#patience = undefined;
    if (this.#waiting.length > 0 && this.#running < (this.limits.atOnce ?? 1)) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running += 1;
    do {
      // Items of the same turn of the event loop share the batch.
      await new Promise(setImmediate);
      clearTimeout(this.#patience);
      this.#patience = undefined;
      if (this.#waiting.length > 0) await this.#do(this.#waiting.splice(0, this.limits.most));
    } while (this.#waiting.length > 0);
    this.#running -= 1;
  }

  async #do(batch: readonly WaitingItem<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      if (batch.length > 1 && this.limits.isFaultOfItem?.(error)) {
        for (const member of batch) await this.#do([member]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}

/**
 * Runs concurrent calls of one key once. Calls that come during a run share the next run, so that no result is older than
 * its call.
 */
export class SingleFlight<Key, Result> {
  readonly #running = new Map<Key, Promise<void>>();
  readonly #next = new Map<Key, Promise<Result>>();

  constructor(private readonly work: (key: Key) => Promise<Result>) {}

  run(key: Key): Promise<Result> {
    const next = this.#next.get(key);
    if (next) return next;
    const running = this.#running.get(key);
    return running ? this.#startAfter(running, key) : this.#start(key);
  }

  /** Starts one turn of the event loop after the running call, so that calls of that turn share the result. */
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
    const result = this.work(key);
    const end = (): void => {
      if (this.#running.get(key) === ended) this.#running.delete(key);
    };
    const ended: Promise<void> = result.then(end, end);
    this.#running.set(key, ended);
    return result;
  }
}

/**
 * Runs calls like `SingleFlight`, but those of background work apart from those of requests: a run of a request may wait
 * for a connection. Two runs of one key may be under way.
 */
export class SeparateFlights<Key, Result> {
  readonly #requested: SingleFlight<Key, Result>;
  readonly #background: SingleFlight<Key, Result>;

  constructor(work: (key: Key) => Promise<Result>) {
    this.#requested = new SingleFlight(work);
    this.#background = new SingleFlight(work);
  }

  run(key: Key): Promise<Result> {
    return (isInBackground() ? this.#background : this.#requested).run(key);
  }
}

interface Flight<Answer> {
  readonly answer: Promise<Answer>;
  readonly stop: AbortController;
  waiting: number;
}

/** Runs concurrent calls of one key once, like `SingleFlight`, and aborts the work when every caller has left. */
export class AbortableSingleFlight<Answer> {
  readonly #running = new Map<string, Flight<Answer>>();
  readonly #next = new Map<string, Flight<Answer>>();

  /** @throws the signal's reason if it aborts before the answer is there */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const next = this.#next.get(key);
    // An aborted run has no answer.
    return this.#join(next && !next.stop.signal.aborted ? next : this.#begin(key, work), signal);
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> {
    const running = this.#running.get(key);
    const stop = new AbortController();
    const start = async (): Promise<Answer> => {
      if (this.#next.get(key) === flight) this.#next.delete(key);
      stop.signal.throwIfAborted();
      this.#running.set(key, flight);
      return work(stop.signal).finally(() => {
        if (this.#running.get(key) === flight) this.#running.delete(key);
      });
    };
    // The next run need not wait for aborted work.
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
    // Calls share the run until it starts.
    this.#next.set(key, flight);
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
      if (flight.waiting === 0) flight.stop.abort(new Error('No caller waits for the answer.'));
    }
  }
}

/** Longest wait for a turn; the work then starts anyway, so that nothing queues behind a store that hangs. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Serializes work on one key in this process. It saves the work of commands that would conflict; correctness comes from
 * the expected revision of the append, not from this mutex.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #counts = new Map<string, number>();

  constructor(private readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>) {}

  /** Counts the calls of a key that run or wait. */
  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  async take<Result>(
    key: string,
    work: () => Promise<Result>,
    longestWaitMs = LONGEST_WAIT_MS,
  ): Promise<Result> {
    this.#counts.set(key, this.count(key) + 1);
    const before = this.#last.get(key);
    const running = before ? this.#after(before, longestWaitMs).then(work) : work();
    const ended = running.catch(() => undefined);
    this.#last.set(key, ended);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
      const left = this.count(key) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    }
  }

  async #after(before: Promise<unknown>, longestWaitMs: number): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([before, this.pause(longestWaitMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
  }
}
