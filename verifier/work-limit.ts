import { RefusedBundle } from './refused-bundle.js';

/** Steps that each line of a customer allows. Of honest bundles, years of daily counts of a gauge take the most, some hundreds. */
const STEPS_A_LINE = 2_000;
/** Steps that are allowed whatever the number of lines. */
const STEPS_OF_ANY = 1_000_000;
/** Steps of applying an event to the state of its stream; a step is as long as passing a usage event. */
export const STEPS_OF_EVENT = 10;

/**
 * Limits the work of a customer's invoices, so that verifying takes a time in proportion to the bundle: invoices
 * which name the same events and usage over and over would take the square of it.
 */
export class WorkLimit {
  #left: number;

  /** @param lines number of events, usage events and invoices of the customer */
  constructor(
    private readonly customer: string,
    private readonly lines: number,
  ) {
    this.#left = STEPS_OF_ANY + STEPS_A_LINE * lines;
  }

  /** @throws RefusedBundle */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new RefusedBundle(
      `customer ${this.customer}: its invoices read its ${this.lines} lines so often that verifying would take too long, which those of no service do. Ask for a bundle of fewer invoices`,
    );
  }
}
