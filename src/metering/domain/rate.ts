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
 * The highest that an aggregate comes to in a period (docs/billing.md#rates): for each event over the stretch that ends
 * with it, both ends included. It is told of events in the order of time as they enter the stretch and as they leave
 * it, of one instant first all that enter and in the same order those that leave; 0 where there was no event.
 */
export class Rate {
  private count = 0n;
  private present = 0;
  private total: Quantity = ZERO;
  /** Values inside, each at least as high as those that came after it: the first is the highest. */
  private readonly descending: Quantity[] = [];
  private highest: Quantity | undefined;
  /** The instant whose events are entering: looked at when all of them have. */
  private entering: Instant | undefined;

  /** @param from start of the period: an event before it is inside the stretches of others and has none of its own */
  constructor(
    private readonly aggregation: MetricDefinition['aggregation'],
    private readonly from: Instant,
  ) {}

  /** @param value null where it is absent, and where events are counted */
  enter(at: Instant, value: Quantity | null): void {
    if (this.entering !== at) this.look();
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

  /** @param value of the event that entered first among those inside */
  leave(value: Quantity | null): void {
    this.look();
    this.count -= 1n;
    if (value === null) return;
    this.present -= 1;
    this.total = subtract(this.total, value);
    const [first] = this.descending;
    if (first && compareQuantities(first, value) === 0) this.descending.shift();
  }

  /** Only after the last event. */
  quantity(): Quantity {
    this.look();
    return this.highest ?? ZERO;
  }

  private look(): void {
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
