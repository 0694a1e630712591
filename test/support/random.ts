import fc from 'fast-check';

/** Draws values from fast-check that a seed decides, for what is no property: books and deaths that are run once. */
export class Random {
  readonly #draw: fc.GeneratorValue;

  constructor(seed: number) {
    [this.#draw] = fc.sample(fc.gen(), { seed, numRuns: 1, unbiased: true }) as [fc.GeneratorValue];
  }

  /** Draws from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return this.#draw(fc.integer, { min, max });
  }

  chance(probability: number): boolean {
    return this.integer(1, 1_000) <= probability * 1_000;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }
}
