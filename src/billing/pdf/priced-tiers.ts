import { fromExact, minorOf, type Money } from '../../kernel/money.js';
import {
  compareQuantities,
  exactDecimalText,
  isZero,
  minQuantity,
  quantity,
  subtract,
  toDecimalText,
  type Quantity,
} from '../../kernel/quantity.js';
import type { PlanComponent } from '../../pricing/price-content.js';
import { partsByTier, priceByTiers, readTiers, type TierRange, type Tier } from '../../pricing/tiers.js';

/** The part of a quantity that one tier prices. Numbers are decimal text. */
export interface PricedTier {
  readonly type: Tier['type'];
  readonly start: string;
  readonly end: string | null;
  readonly quantity: string;
  /** Price of `batch` units. */
  readonly price: string;
  readonly batch: string;
  /** Exact amount in major units. */
  readonly amount: string;
}

/**
 * Splits a quantity by tiers. Returns undefined where the tiers do not sum to the amount: for a difference to an
 * earlier count, units that were paid ahead, or a reversal.
 */
export function pricedTiers(
  { tiers, volume }: PlanComponent,
  units: string,
  base: Money,
  currency: string,
): readonly PricedTier[] | undefined {
  const used = quantity(units);
  if (minorOf(fromExact(priceByTiers(tiers, used, volume), currency)) !== minorOf(base)) return undefined;
  const ranges = readTiers(tiers);
  if (volume) {
    const range =
      ranges.find(({ end }) => end === null || compareQuantities(used, end) <= 0) ?? ranges.at(-1);
    return range && [priced(range, used, priceByTiers(tiers, used, true))];
  }
  const amounts = partsByTier(tiers, used, volume);
  return ranges.flatMap((range, index) => {
    if (compareQuantities(used, range.start) <= 0 && !isZero(range.start)) return [];
    const end = range.end === null ? used : minQuantity(used, range.end);
    return [priced(range, subtract(end, range.start), amounts[index]!)];
  });
}

const priced = (
  { type, start, end, cost, batch }: TierRange,
  units: Quantity,
  amount: Quantity,
): PricedTier => ({
  type,
  start: exactDecimalText(start),
  end: end && exactDecimalText(end),
  quantity: toDecimalText(units),
  price: exactDecimalText(cost),
  batch: exactDecimalText(batch),
  amount: toDecimalText(amount),
});
