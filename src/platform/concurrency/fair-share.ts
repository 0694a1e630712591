import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';

interface Bounds {
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

  constructor(private readonly bounds: Bounds) {
    this.#free = bounds.places;
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
    if (line.length >= this.bounds.mostWaiting) throw this.#refusal();
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
      const timer = setTimeout(() => giveUp(this.#refusal()), this.bounds.waitMs);
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
    return new DomainError('throttled', this.bounds.refusal);
  }
}
