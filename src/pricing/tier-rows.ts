import {
  ZERO,
  compareQuantities,
  divide,
  isZero,
  maxQuantity,
  minQuantity,
  quantity,
  subtract,
  type Quantity,
} from '../kernel/quantity.js';
import { partsByTier, readTiers, type TierRange, type Tier } from './tiers.js';

/** Part of the price of a quantity that one tier adds. */
export interface TierRow {
  readonly tier: Tier;
  readonly from: Quantity;
  /** Null for an open tier. */
  readonly to: Quantity | null;
  /** Units that the tier prices. */
  readonly units: Quantity;
  /** Charged batches after the tier's rounding; null for a tier that is not per unit. */
  readonly batches: Quantity | null;
  /** Exact, in major units. */
  readonly amount: Quantity;
}

/** Splits the price of a quantity by tier: the amounts of the rows sum to `priceByTiers`. */
export function tierRows(tiers: readonly Tier[], q: Quantity, volume: boolean): TierRow[] {
  const used = maxQuantity(q, ZERO);
  const ranges = readTiers(tiers);
  const chosen = volume ? tierOfVolume(ranges, used) : -1;
  const amounts = partsByTier(tiers, used, volume);
  return tiers.map((tier, index) => {
    const amount = amounts[index]!;
    const range = ranges[index]!;
    return {
      tier,
      from: range.start,
      to: range.end,
      amount,
      units: volume ? (index === chosen ? used : ZERO) : unitsIn(range, used),
      batches: tier.type === 'per_unit' ? batchesOf(tier, amount) : null,
    };
  });
}

function tierOfVolume(ranges: readonly TierRange[], used: Quantity): number {
  const index = ranges.findIndex(({ end }) => end === null || compareQuantities(used, end) <= 0);
  return index < 0 ? ranges.length - 1 : index;
}

const unitsIn = ({ start, end }: TierRange, used: Quantity): Quantity =>
  maxQuantity(subtract(end === null ? used : minQuantity(used, end), start), ZERO);

/** Returns null for a tier that costs 0, as its amount does not show its batches. */
function batchesOf({ costPerBatch }: Tier, amount: Quantity): Quantity | null {
  const cost = costPerBatch === null ? ZERO : quantity(costPerBatch);
  return isZero(cost) ? null : divide(amount, cost);
}
