import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';

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

/**
 * Runs the work on every item, at most `atOnce` at a time, and takes items as places become free, so that a long source is
 * never held in memory. The first failure stops the taking and is thrown after the work under way ends. p-map rejects
 * while other work still runs, which then meets closed pools, and keeps a result per item.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let underWay = 0;
  let ended = (): void => undefined;
  const oneHasEnded = (): Promise<void> => new Promise((resolve) => (ended = resolve));
  const failures: unknown[] = [];
  for await (const item of items) {
    if (failures.length > 0) break;
    underWay += 1;
    void work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        underWay -= 1;
        ended();
      });
    if (underWay >= atOnce) await oneHasEnded();
  }
  while (underWay > 0) await oneHasEnded();
  if (failures.length > 0) throw failures[0];
}

/** Maps items concurrently, at most `atOnce` at a time; results are in the order of the items. */
export async function mapConcurrent<T, Result>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  await forEachConcurrent(items.entries(), atOnce, async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
}

interface FairShareLimits {
  /** Limit of concurrent work, all organizations together. */
  readonly places: number;
  /** Work that waited this long is refused. */
  readonly waitMs: number;
  /** Limit of waiting work of one organization; more is refused at once. */
  readonly mostWaiting: number;
  /** The detail of the refusal. */
  readonly refusal: string;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Limits costly work by organization. An organization takes a place only while it holds fewer than are free, so a single
 * one holds at most half of them. Other work waits in order for a bounded time, and a free place goes to the organization
 * that holds the fewest.
 */
export class FairShare {
  readonly #held = new Map<Uuid, number>();
  readonly #waiting = new Map<Uuid, Waiting[]>();
  #free: number;

  constructor(private readonly limits: FairShareLimits) {
    this.#free = limits.places;
  }

  /** @throws DomainError `throttled` after the longest wait; the signal's reason when it aborts before the work begins */
  async run<Result>(org: Uuid, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#enter(org, signal);
    try {
      return await work();
    } finally {
      this.#leave(org);
    }
  }

  #enter(org: Uuid, signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted();
    const line = this.#waiting.get(org) ?? [];
    if (line.length === 0 && this.#mayTake(org)) {
      this.#take(org);
      return undefined;
    }
    if (line.length >= this.limits.mostWaiting) throw this.#refusal();
    this.#waiting.set(org, line);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
      const waiting: Waiting = {
        begin: () => {
          end();
          resolve();
        },
      };
      const giveUp = (reason: unknown): void => {
        end();
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#waiting.delete(org);
        reject(reason as Error);
      };
      const leave = (): void => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(this.#refusal()), this.limits.waitMs);
      signal.addEventListener('abort', leave, { once: true });
      line.push(waiting);
    });
  }

  #leave(org: Uuid): void {
    this.#free += 1;
    const left = this.#holding(org) - 1;
    if (left > 0) this.#held.set(org, left);
    else this.#held.delete(org);
    for (let next = this.#next(); next; next = this.#next()) {
      const line = this.#waiting.get(next)!;
      const waiting = line.shift()!;
      if (line.length === 0) this.#waiting.delete(next);
      this.#take(next);
      waiting.begin();
    }
  }

  #next(): Uuid | undefined {
    const allowed = [...this.#waiting.keys()].filter((org) => this.#mayTake(org));
    return allowed.sort((a, b) => this.#holding(a) - this.#holding(b))[0];
  }

  #holding(org: Uuid): number {
    return this.#held.get(org) ?? 0;
  }

  #mayTake(org: Uuid): boolean {
    return this.#holding(org) < this.#free;
  }

  #take(org: Uuid): void {
    this.#free -= 1;
    this.#held.set(org, this.#holding(org) + 1);
  }

  #refusal(): DomainError {
    return new DomainError('throttled', this.limits.refusal);
  }
}
