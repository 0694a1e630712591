import type { Tier } from './history.js';
import {
  ZERO,
  compare,
  decimal,
  floor,
  integer,
  lower,
  minus,
  over,
  plus,
  rational,
  rounded,
  times,
  type Rational,
} from './rational.js';

interface Range {
  readonly tier: Tier;
  readonly start: Rational;
  /** Null: unbounded. */
  readonly end: Rational | null;
}

/** Returns the cost of a quantity (docs/billing.md#tiers). A negative quantity costs as much as 0. */
export function costOf(tiers: readonly Tier[], volume: boolean, used: Rational): Rational {
  const quantity = compare(used, ZERO) < 0 ? ZERO : used;
  const ranges = contiguous(tiers);
  if (!volume) return ranges.map((range) => inRange(range, quantity)).reduce(plus, ZERO);
  const range = ranges.find(({ end }) => end === null || compare(quantity, end) <= 0) ?? ranges.at(-1)!;
  return wholeAt(range.tier, quantity);
}

/** Joins tiers: one that starts exactly 1 above the end of the tier before starts at that end. */
function contiguous(tiers: readonly Tier[]): Range[] {
  let last: Rational | null = null;
  return tiers.map((tier) => {
    const declaredStart = decimal(tier.range_start);
    const start: Rational =
      last && compare(declaredStart, plus(last, integer(1))) === 0 ? last : declaredStart;
    const end = tier.range_end === null ? null : decimal(tier.range_end);
    last = end;
    return { tier, start, end };
  });
}

function inRange({ tier, start, end }: Range, quantity: Rational): Rational {
  switch (tier.type) {
    case 'free':
      return ZERO;
    case 'flat':
      return start.n === 0n || compare(quantity, start) > 0 ? decimal(tier.cost_per_batch!) : ZERO;
    case 'per_unit':
      return compare(quantity, start) <= 0
        ? ZERO
        : units(tier, minus(end ? lower(quantity, end) : quantity, start));
  }
}

function wholeAt(tier: Tier, quantity: Rational): Rational {
  if (tier.type === 'free') return ZERO;
  return tier.type === 'flat' ? decimal(tier.cost_per_batch!) : units(tier, quantity);
}

function units(tier: Tier, inside: Rational): Rational {
  const batches = over(inside, decimal(tier.metric_units_per_batch ?? '1'));
  return times(wholeBatches(batches, tier), decimal(tier.cost_per_batch!));
}

function wholeBatches(batches: Rational, { batch_rounding_type: rounding }: Tier): Rational {
  switch (rounding) {
    case 'round_up':
      return rational(-floor({ n: -batches.n, d: batches.d }));
    case 'round_down':
      return rational(floor(batches));
    case 'round_nearest':
      return rational(rounded(batches));
    default:
      return batches;
  }
}
