import type { FieldErrorCode } from '../kernel/errors.js';
import {
  ONE,
  ZERO,
  add,
  ceil,
  compareQuantities,
  divide,
  floor,
  isNegative,
  isZero,
  maxQuantity,
  minQuantity,
  multiply,
  quantity,
  ratio,
  roundHalfAwayFromZero,
  subtract,
  type Quantity,
} from '../kernel/quantity.js';

export type BatchRounding = 'round_up' | 'round_down' | 'round_nearest' | 'no_rounding';

/** Price tier as events store it: numbers as decimal text; `rangeEnd` is null for an open tier. */
export interface Tier {
  readonly type: 'flat' | 'per_unit' | 'free';
  readonly rangeStart: string;
  readonly rangeEnd: string | null;
  readonly costPerBatch: string | null;
  readonly unitsPerBatch: string | null;
  readonly rounding: BatchRounding | null;
}

/** Price tier in exact numbers. Its start is the end of the tier before it. */
export interface TierRange {
  readonly type: Tier['type'];
  readonly start: Quantity;
  readonly end: Quantity | null;
  readonly cost: Quantity;
  readonly batch: Quantity;
  readonly rounding: BatchRounding;
}

/** Parsed tiers, cached because the tiers of a version never change. */
const rangesByTiers = new WeakMap<readonly Tier[], readonly TierRange[]>();

/**
 * Returns the exact price of a quantity in major units (docs/billing.md#tiers). `volume` is bulk pricing: the tier that
 * contains the quantity prices all of it. A negative quantity costs as much as 0.
 */
export function priceByTiers(tiers: readonly Tier[], q: Quantity, volume: boolean): Quantity {
  const ranges = rangesOf(tiers);
  const used = maxQuantity(q, ZERO);
  return volume
    ? priceByVolume(ranges, used)
    : ranges.reduce((sum, range) => plus(sum, graduated(range, used)), ZERO);
}

/** Returns the part of a price that each tier adds, in the order of the tiers: the parts sum to `priceByTiers`. */
export function partsByTier(tiers: readonly Tier[], q: Quantity, volume: boolean): Quantity[] {
  const ranges = rangesOf(tiers);
  const used = maxQuantity(q, ZERO);
  const chosen = volume ? rangeOfVolume(ranges, used) : undefined;
  return ranges.map((range) => {
    if (!volume) return graduated(range, used);
    return range === chosen ? priceByVolume(ranges, used) : ZERO;
  });
}

function rangesOf(tiers: readonly Tier[]): readonly TierRange[] {
  let ranges = rangesByTiers.get(tiers);
  if (!ranges) rangesByTiers.set(tiers, (ranges = readTiers(tiers)));
  return ranges;
}

/** Adds without arithmetic if one side is zero: most tiers add nothing, and exact arithmetic is slow. */
const plus = (a: Quantity, b: Quantity): Quantity => (b === ZERO ? a : a === ZERO ? b : add(a, b));

/** Parses tiers. A tier that starts exactly 1 above the last end starts at that end, so that fractions between are priced. */
export function readTiers(tiers: readonly Tier[]): TierRange[] {
  const ranges: TierRange[] = [];
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
function graduated(range: TierRange, used: Quantity): Quantity {
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

/** Returns the first tier whose end is not below the quantity, or the last tier. */
const rangeOfVolume = (ranges: readonly TierRange[], used: Quantity): TierRange | undefined =>
  ranges.find(({ end }) => end === null || compareQuantities(used, end) <= 0) ?? ranges.at(-1);

/** Rates by the tier that contains the quantity. */
function priceByVolume(ranges: readonly TierRange[], used: Quantity): Quantity {
  const range = rangeOfVolume(ranges, used);
  if (!range || range.type === 'free') return ZERO;
  return range.type === 'flat' ? range.cost : batches(range, used);
}

function batches({ batch, rounding, cost }: TierRange, units: Quantity): Quantity {
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

/** A fault in one tier; `field` is the field's name on the wire. */
export interface TierFault {
  readonly index: number;
  readonly field: 'range_start' | 'range_end' | 'cost_per_batch' | 'metric_units_per_batch' | 'type';
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/**
 * Checks whether tiers can price a component (docs/contract.md#plans, docs/billing.md#tiers). Returns all faults in order.
 * Numbers must be decimal text.
 */
export function checkTiers(tiers: readonly Tier[], volume: boolean): TierFault[] {
  const ranges = readTiers(tiers);
  return tiers.flatMap((tier, index) => [
    ...checkBounds(ranges, index),
    ...checkPrice(tier, index),
    ...checkEntryFee(ranges[index]!, index, volume),
  ]);
}

function checkBounds(ranges: readonly TierRange[], index: number): TierFault[] {
  const { start, end } = ranges[index]!;
  const before = ranges[index - 1];
  const faults: TierFault[] = [];
  const fault = (field: TierFault['field'], detail: string) =>
    faults.push({ index, field, code: 'invalid', detail });
  if (!before && !isZero(start)) fault('range_start', 'Start the first tier at 0.');
  if (before && before.end !== null && compareQuantities(start, before.end) !== 0) {
    fault('range_start', 'Start the tier where the one before it ends, or exactly 1 above.');
  }
  if (end === null && index < ranges.length - 1)
    fault('range_end', 'Give the tier an end. Only the last tier may be open.');
  if (end !== null && compareQuantities(end, start) < 0)
    fault('range_end', 'End the tier at its start or above.');
  return faults;
}

function checkPrice(tier: Tier, index: number): TierFault[] {
  if (tier.type === 'free') return [];
  const faults: TierFault[] = [];
  if (tier.costPerBatch === null) {
    faults.push({
      index,
      field: 'cost_per_batch',
      code: 'required',
      detail: 'Give the tier a cost, or make it free.',
    });
  } else if (isNegative(quantity(tier.costPerBatch))) {
    faults.push({ index, field: 'cost_per_batch', code: 'min_value', detail: 'Give a cost of 0 or more.' });
  }
  if (tier.type === 'per_unit' && tier.unitsPerBatch !== null) {
    const units = quantity(tier.unitsPerBatch);
    if (isZero(units) || isNegative(units)) {
      const detail = 'Give a batch more than 0 units.';
      faults.push({ index, field: 'metric_units_per_batch', code: 'min_value', detail });
    }
  }
  return faults;
}

/** Refuses entry fees with bulk pricing, where one tier prices the whole quantity. */
function checkEntryFee({ type, start, end }: TierRange, index: number, volume: boolean): TierFault[] {
  const isEntryFee = type === 'flat' && end !== null && compareQuantities(start, end) === 0;
  if (!volume || !isEntryFee) return [];
  const detail = 'Bulk pricing allows no flat tier that ends where it starts. End the tier above its start.';
  return [{ index, field: 'range_end', code: 'invalid', detail }];
}
