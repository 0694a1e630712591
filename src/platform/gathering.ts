interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does work for many at once: what comes while a group is under way gathers into the next one, so that under load a
 * statement serves all who wait for it. What comes alone goes at once.
 */
export class Gathering<Item, Outcome> {
  #waiting: Waiting<Item, Outcome>[] = [];
  #isRunning = false;

  /**
   * @param work outcomes in the order of the items, an Error for one that fails alone; when it throws, all fail
   * @param most items of one group
   */
  constructor(
    private readonly work: (group: readonly Item[]) => Promise<readonly (Outcome | Error)[]>,
    private readonly most: number,
  ) {}

  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // A turn of the event loop, so that what comes in the same turn shares the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.most);
      try {
        const outcomes = await this.work(group.map(({ item }) => item));
        group.forEach(({ resolve, reject }, place) => {
          const outcome = outcomes[place]!;
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
