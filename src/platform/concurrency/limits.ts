import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';

/**
 * Runs work on every item, at most `atOnce` at a time. It takes the next item only when work ends, so that a long source
 * is never held in memory. After the first failure, of the source or of work, it takes no more items and throws when the
 * work under way has ended.
 * p-map rejects while other work still runs, which then meets closed pools, and keeps a result per item.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let underWay = 0;
  let notifyEnd = (): void => undefined;
  const nextEnd = (): Promise<void> => new Promise((resolve) => (notifyEnd = resolve));
  const failures: unknown[] = [];
  const begin = async (item: T): Promise<void> => {
    underWay += 1;
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
    underWay -= 1;
    notifyEnd();
  };
  try {
    for await (const item of items) {
      if (failures.length > 0) break;
      void begin(item);
      if (underWay >= atOnce) await nextEnd();
    }
  } catch (error) {
    // The source failed. Work that it has begun still runs.
    failures.push(error);
  }
  while (underWay > 0) await nextEnd();
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
  /** Limit of concurrent work of all organizations. */
  readonly slots: number;
  /** Longest wait for a slot; then the work is refused. */
  readonly waitMs: number;
  /** Limit of waiting work of one organization; further work is refused at once. */
  readonly mostWaiting: number;
  /** Detail of the refusal. */
  readonly refusal: string;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Limits costly work by organization. An organization gets a slot only while it holds fewer slots than are free, so one
 * organization holds at most half of them. Other work waits in order, and a free slot goes to the organization that holds
 * the fewest.
 */
export class FairShare {
  readonly #held = new Map<Uuid, number>();
  readonly #waiting = new Map<Uuid, Waiting[]>();
  #free: number;

  constructor(private readonly limits: FairShareLimits) {
    this.#free = limits.slots;
  }

  /** Runs work in a slot. @throws DomainError `throttled` after the longest wait; the signal's reason if it aborts first */
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
      const fail = (reason: unknown): void => {
        end();
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#waiting.delete(org);
        reject(reason as Error);
      };
      const leave = (): void => fail(signal.reason);
      const timer = setTimeout(() => fail(this.#refusal()), this.limits.waitMs);
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
