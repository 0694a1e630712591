import { toDecimalText, type Quantity } from '../../../src/kernel/quantity.js';
import { readTiers, type TierRange } from '../../../src/pricing/tiers.js';
import { toChartNumber } from '../shared/chart-number.js';
import { priceOf, type TierPrices } from './tier-prices.js';

export interface CurvePoint {
  readonly units: number;
  readonly price: number;
}

/** Number of steps drawn one by one in a tier with rounded batches. */
const MOST_STEPS = 60;
/** Precision of drawn prices, finer than a chart shows. */
const DIGITS = 6;

/** Returns the largest quantity on a chart: the last threshold and half as much again. */
export function chartMaximum({ tiers }: TierPrices): number {
  const last = Math.max(0, ...tiers.map(({ rangeStart, rangeEnd }) => toChartNumber(rangeEnd ?? rangeStart)));
  const batch = Math.max(1, ...tiers.map(({ unitsPerBatch }) => toChartNumber(unitsPerBatch ?? '1')));
  return Math.max(last * 1.5, batch * 10);
}

/**
 * Returns points of the price over the quantity, up to `most` units. Between two points the price is a
 * straight line: a step has one point on each side.
 */
export function curveOf(prices: TierPrices, most: number): CurvePoint[] {
  const beside = most / 1e6;
  const bends = readTiers(prices.tiers).flatMap((range) => {
    const [from, to] = [drawn(range.start), range.end === null ? most : drawn(range.end)];
    return [from, to, ...stepsOf(range, prices.isBulk ? 0 : from, from, Math.min(to, most))];
  });
  const places = [0, most, ...bends.flatMap((bend) => [bend - beside, bend, bend + beside])];
  return [...new Set(places)]
    .filter((units) => units >= 0 && units <= most)
    .toSorted((a, b) => a - b)
    .map((units) => ({ units, price: Number(priceOf(prices, String(units), DIGITS)) }));
}

/**
 * Returns quantities from `from` to `to` at which one more batch is charged; batches are counted from
 * `start`.
 */
function stepsOf({ type, rounding, batch }: TierRange, start: number, from: number, to: number): number[] {
  if (type !== 'per_unit' || rounding === 'no_rounding') return [];
  const size = drawn(batch);
  const first = Math.floor((from - start) / size);
  const count = Math.ceil((to - start) / size) - first + 1;
  if (count > MOST_STEPS) return [];
  const shift = rounding === 'round_nearest' ? 0.5 : 0;
  return Array.from(
    { length: Math.max(count, 0) },
    (_, index) => start + (first + index + shift) * size,
  ).filter((units) => units >= from && units <= to);
}

/** Rounded coordinate of a drawing. */
const drawn = (value: Quantity): number => Number(toDecimalText(value));
