import type { MetricDefinition } from '../../pricing/price-content.js';
import type { Instant } from '../../kernel/instant.js';
import {
  add,
  compareQuantities,
  maxQuantity,
  ratio,
  subtract,
  ZERO,
  type Quantity,
} from '../../kernel/quantity.js';
import { averageOf } from './counter.js';

/**
 * Highest aggregate over a sliding window in a period (docs/billing.md#rates); each event has a window that ends with
 * it, both ends included. Events enter and leave in the order of time; of one instant all enter first, then others
 * leave in the order in which they entered. Without events it is 0.
 */
export class Rate {
  private count = 0n;
  private present = 0;
  private total: Quantity = ZERO;
  /** Values in the window that no later value exceeds, descending: the first is the highest. */
  private readonly descending: Quantity[] = [];
  private highest: Quantity | undefined;
  /** Instant of the events that enter now. The aggregate is compared when all of them have entered. */
  private entering: Instant | undefined;

  /** @param from start of the period: an earlier event is in the windows of later ones and has none of its own */
  constructor(
    private readonly aggregation: MetricDefinition['aggregation'],
    private readonly from: Instant,
  ) {}

  /** @param value null where it is absent, and for a count of events */
  enter(at: Instant, value: Quantity | null): void {
    if (this.entering !== at) this.compare();
    this.entering = at;
    this.count += 1n;
    if (value === null) return;
    this.present += 1;
    this.total = add(this.total, value);
    if (this.aggregation !== 'max') return;
    while (this.descending.length > 0 && compareQuantities(this.descending.at(-1)!, value) < 0) {
      this.descending.pop();
    }
    this.descending.push(value);
  }

  /** @param value of the oldest event in the window */
  leave(value: Quantity | null): void {
    this.compare();
    this.count -= 1n;
    if (value === null) return;
    this.present -= 1;
    this.total = subtract(this.total, value);
    const [first] = this.descending;
    if (first && compareQuantities(first, value) === 0) this.descending.shift();
  }

  /** Ends the rate after the last event. */
  quantity(): Quantity {
    this.compare();
    return this.highest ?? ZERO;
  }

  private compare(): void {
    if (this.entering !== undefined && this.entering >= this.from) {
      const now = this.aggregate();
      this.highest = this.highest ? maxQuantity(this.highest, now) : now;
    }
    this.entering = undefined;
  }

  private aggregate(): Quantity {
    switch (this.aggregation) {
      case 'count':
        return ratio(this.count, 1n);
      case 'sum':
        return this.total;
      case 'average':
        return averageOf(this.total, this.present);
      case 'max':
        return maxQuantity(this.descending[0] ?? ZERO, ZERO);
      case 'unique':
        throw new RangeError('a rate has no distinct values');
    }
  }
}
