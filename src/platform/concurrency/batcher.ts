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
