import {
  ZERO,
  add,
  ceil,
  compareQuantities,
  divide,
  floor,
  maxQuantity,
  minQuantity,
  multiply,
  ONE,
  quantity,
  ratio,
  roundHalfAwayFromZero,
  subtract,
} from '../kernel/quantity.js';
import type { Quantity } from '../kernel/quantity.js';

export type BatchRounding = 'round_up' | 'round_down' | 'round_nearest' | 'no_rounding';

/** One price tier as it stands in events: numbers as decimal text, `rangeEnd` null for an open tier. */
export interface Tier {
  readonly type: 'flat' | 'per_unit' | 'free';
  readonly rangeStart: string;
  readonly rangeEnd: string | null;
  readonly costPerBatch: string | null;
  readonly unitsPerBatch: string | null;
  readonly rounding: BatchRounding | null;
}

/** A tier read into exact numbers, after the gap-of-one reading. */
export interface Range {
  readonly type: Tier['type'];
  readonly start: Quantity;
  readonly end: Quantity | null;
  readonly cost: Quantity;
  readonly batch: Quantity;
  readonly rounding: BatchRounding;
}

/** The tiers of a version never change, so that reading them once is enough, however often they rate. */
const frozenView = new WeakMap<readonly Tier[], readonly Range[]>();

/**
 * The exact amount, in major units and not yet rounded, that a quantity costs (docs/billing.md#tiers). `volume` is bulk
 * pricing: the whole quantity at the tier that contains it. A negative quantity is rated as 0.
 */
export function rate(tiers: readonly Tier[], q: Quantity, volume: boolean): Quantity {
  let ranges = frozenView.get(tiers);
  if (!ranges) frozenView.set(tiers, (ranges = readTiers(tiers)));
  const used = maxQuantity(q, ZERO);
  return volume
    ? rateVolume(ranges, used)
    : ranges.reduce((sum, range) => plus(sum, graduated(range, used)), ZERO);
}

/** Most tiers add nothing, and arithmetic with exact numbers is dear. */
const plus = (a: Quantity, b: Quantity): Quantity => (b === ZERO ? a : a === ZERO ? b : add(a, b));

/** Reads the tiers; one that starts exactly 1 above the last end is contiguous, so fractions between are not lost. */
export function readTiers(tiers: readonly Tier[]): Range[] {
  const ranges: Range[] = [];
  for (const tier of tiers) {
    const written = quantity(tier.rangeStart);
    const before = ranges.at(-1)?.end;
    const oneAbove = before && compareQuantities(written, add(before, ONE)) === 0;
    ranges.push({
      type: tier.type,
      start: oneAbove ? before : written,
      end: tier.rangeEnd === null ? null : quantity(tier.rangeEnd),
      cost: tier.costPerBatch === null ? ZERO : quantity(tier.costPerBatch),
      batch: tier.unitsPerBatch === null ? ONE : quantity(tier.unitsPerBatch),
      rounding: tier.rounding ?? 'no_rounding',
    });
  }
  return ranges;
}

/** Amount that one tier adds for the whole quantity. */
function graduated(range: Range, used: Quantity): Quantity {
  const above = compareQuantities(used, range.start) > 0;
  switch (range.type) {
    case 'free':
      return ZERO;
    case 'flat':
      return above || compareQuantities(range.start, ZERO) === 0 ? range.cost : ZERO;
    case 'per_unit': {
      if (!above) return ZERO;
      const inRange = range.end === null ? used : minQuantity(used, range.end);
      return batches(range, subtract(inRange, range.start));
    }
  }
}

/** The first tier whose end is not below the quantity; above a closed last tier, the last. */
function rateVolume(ranges: readonly Range[], used: Quantity): Quantity {
  const range = ranges.find(({ end }) => end === null || compareQuantities(used, end) <= 0) ?? ranges.at(-1);
  if (!range || range.type === 'free') return ZERO;
  return range.type === 'flat' ? range.cost : batches(range, used);
}

function batches({ batch, rounding, cost }: Range, units: Quantity): Quantity {
  const exact = divide(units, batch);
  switch (rounding) {
    case 'no_rounding':
      return multiply(exact, cost);
    case 'round_up':
      return multiply(ratio(ceil(exact), 1n), cost);
    case 'round_down':
      return multiply(ratio(floor(exact), 1n), cost);
    case 'round_nearest':
      return multiply(ratio(roundHalfAwayFromZero(exact), 1n), cost);
  }
}
