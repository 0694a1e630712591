import {
  compareQuantities,
  quantity,
  toDecimalText,
  ZERO,
  type Quantity,
} from '../../../src/kernel/quantity.js';
import { priceByTiers, type Tier } from '../../../src/pricing/tiers.js';
import type { CalculationStep, PlanComponent } from '../../../clients/typescript/src/index.js';

/** Converts tiers to the type of the pricing core. */
export interface TierPrices {
  readonly tiers: readonly Tier[];
  /** Bulk pricing: the tier that holds the whole quantity prices all of it. */
  readonly isBulk: boolean;
}

const textOf = (value: number | null): string | null => (value === null ? null : String(value));

export const pricesOfComponent = ({
  tiers,
  bulk_pricing_enabled: isBulk,
}: Pick<PlanComponent, 'tiers' | 'bulk_pricing_enabled'>): TierPrices => ({
  isBulk,
  tiers: tiers.map((tier) => ({
    type: tier.type,
    rangeStart: String(tier.range_start),
    rangeEnd: textOf(tier.range_end),
    costPerBatch: textOf(tier.cost_per_batch),
    unitsPerBatch: textOf(tier.metric_units_per_batch),
    rounding: tier.batch_rounding_type,
  })),
});

/** Prices of a step of a calculated line. */
export const pricesOfStep = ({
  tiers,
  bulk_pricing_enabled: isBulk,
}: Pick<CalculationStep, 'tiers' | 'bulk_pricing_enabled'>): TierPrices => ({
  isBulk,
  tiers: tiers.map((tier) => ({
    type: tier.type,
    rangeStart: tier.from,
    rangeEnd: tier.to,
    costPerBatch: tier.type === 'flat' ? tier.flat_fee : tier.unit_price,
    unitsPerBatch: tier.units_per_batch,
    rounding: tier.rounding as Tier['rounding'],
  })),
});

/**
 * Returns the price of a quantity in major units as decimal text, rounded half away from zero to `digits`, as
 * the service bills it (docs/billing.md#tiers). Undefined: the quantity is not a number, or below zero.
 */
export function priceOf({ tiers, isBulk }: TierPrices, units: string, digits: number): string | undefined {
  const used = readQuantity(units);
  return used && toDecimalText(priceByTiers(tiers, used, isBulk), digits);
}

function readQuantity(text: string): Quantity | undefined {
  try {
    const read = quantity(text);
    return compareQuantities(read, ZERO) < 0 ? undefined : read;
  } catch {
    return undefined;
  }
}
