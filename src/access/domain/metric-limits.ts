import { readTiers, type Tier } from '../../pricing/tiers.js';
import { compareQuantities, maxQuantity, ZERO, type Quantity } from '../../kernel/quantity.js';

/** How much of a metric a plan lets its customer use in one window; null: no limit. */
export interface MetricLimits {
  /** Units without further cost: the end of the free tiers that the plan begins with, or the units paid for beforehand. */
  readonly free: Quantity | null;
  /** The end of the last tier, beyond which there is no price; at least the units paid for beforehand. */
  readonly total: Quantity | null;
}

/** A plan without the metric lets nothing of it be used (docs/contract.md#metric-access). */
export const NOTHING_ALLOWED: MetricLimits = { free: ZERO, total: ZERO };

/**
 * @param tiers of the component, ascending, at least one
 * @param prepaid units of the window; what was paid for may be used
 */
export function limitsOf(tiers: readonly Tier[], prepaid: Quantity = ZERO): MetricLimits {
  const ranges = readTiers(tiers);
  const firstPriced = ranges.findIndex(({ type }) => type !== 'free');
  const free = firstPriced < 0 ? ranges : ranges.slice(0, firstPriced);
  const lastFree = free.at(-1);
  const withPrepaid = (end: Quantity | null) => end && maxQuantity(end, prepaid);
  return { free: withPrepaid(lastFree ? lastFree.end : ZERO), total: withPrepaid(ranges.at(-1)!.end) };
}

/** While usage is below the limit: what reaches it has used it up. */
export const allows = ({ total }: MetricLimits, used: Quantity): boolean =>
  total === null || compareQuantities(used, total) < 0;
