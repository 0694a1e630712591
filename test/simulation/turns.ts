/** Numbers that a seed decides: the same ones on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let n = 0; n < 8; n++) this.next();
  }

  /** From 0 up to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `min` to `max`, both among them. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }
}

/** Empty turns of the event loop in a row after which whoever still works waits for something that never comes. */
const STUCK_AFTER = 50;

/**
 * Tasks that run side by side, one at a time: whoever is about to touch what others see waits for its turn, and chance
 * decides whose it is. There is no other wait, so that a seed decides everything that happens.
 */
export class Turns {
  #waiting: (() => void)[] = [];

  constructor(private readonly random: Random) {}

  take(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Until all tasks have ended, well or not. */
  async untilDone(tasks: readonly Promise<unknown>[]): Promise<void> {
    let ended = 0;
    const all = tasks.map((task) => task.then(noop, noop).finally(() => (ended += 1)));
    for (let empty = 0; ended < tasks.length;) {
      await new Promise(setImmediate);
      empty = this.#waiting.length === 0 ? empty + 1 : 0;
      if (empty > STUCK_AFTER) throw new Error('a task waits for something that is not a turn');
      const [next] = this.#waiting.splice(this.random.integer(0, this.#waiting.length - 1), 1);
      next?.();
    }
    await Promise.all(all);
  }
}

const noop = (): void => undefined;
