import { add, compareQuantities, multiply, ratio, ZERO, type Quantity } from '../../kernel/quantity.js';
import type { Segment } from './granularity.js';

/** Time with one level, of the buckets of a gauge. */
export interface GaugeRun extends Segment {
  /** Level that the buckets reach. */
  readonly peak: Quantity;
  /** Length of the granularity's segment in microseconds: level × time ÷ length is what the run counts. */
  readonly length: bigint;
  /** Time at which the first bucket reaches the level. */
  readonly peakAt: bigint;
}

/** Limit of runs that are listed. */
export const MOST_RUNS = 50;

/**
 * Lists the runs that sum to the quantity of a gauge: adjacent buckets of equal peak are one run, a level of 0 is none.
 * Runs after the first `MOST_RUNS` are only summed.
 */
export class GaugeRuns {
  readonly #runs: GaugeRun[] = [];
  #further = { runs: 0, quantity: ZERO };
  #last: GaugeRun | undefined;

  get runs(): readonly GaugeRun[] {
    return this.#runs;
  }

  /** Number and sum of the runs that are not listed. */
  get further(): { readonly runs: number; readonly quantity: Quantity } {
    return this.#further;
  }

  /** Adds a part that follows the parts before it. */
  add(part: GaugeRun): void {
    const last = this.#last;
    const isContinued =
      last?.end === part.start &&
      last.length === part.length &&
      compareQuantities(last.peak, part.peak) === 0;
    const run = isContinued ? { ...last, end: part.end } : part;
    const isListed = isContinued ? this.#further.runs === 0 : this.#runs.length < MOST_RUNS;
    if (isListed) {
      if (isContinued) this.#runs.pop();
      this.#runs.push(run);
    } else {
      this.#further = {
        runs: this.#further.runs + (isContinued ? 0 : 1),
        quantity: add(this.#further.quantity, quantityOfRun(part)),
      };
    }
    this.#last = run;
  }
}

/** Returns what a run counts: its peak × its time ÷ the length of the granularity's segment. */
export const quantityOfRun = ({ peak, start, end, length }: GaugeRun): Quantity =>
  multiply(peak, ratio(end - start, length));
