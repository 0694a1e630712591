import { readTiers, type Tier } from '../../billing/rating/tiers.js';
import { compareQuantities, ZERO, type Quantity } from '../../kernel/quantity.js';

/** How much of a metric a plan lets its customer use in one window; null: no limit. */
export interface MetricLimits {
  /** What costs nothing: the end of the free tiers that the plan begins with. */
  readonly free: Quantity | null;
  /** The end of the last tier: beyond it there is no price. */
  readonly total: Quantity | null;
}

/** A plan without the metric lets nothing of it be used (api-completed.md section 3). */
export const NOTHING_ALLOWED: MetricLimits = { free: ZERO, total: ZERO };

/** @param tiers of the component, ascending, at least one */
export function limitsOf(tiers: readonly Tier[]): MetricLimits {
  const ranges = readTiers(tiers);
  const firstPriced = ranges.findIndex(({ type }) => type !== 'free');
  const free = firstPriced < 0 ? ranges : ranges.slice(0, firstPriced);
  const lastFree = free.at(-1);
  return { free: lastFree ? lastFree.end : ZERO, total: ranges.at(-1)!.end };
}

/** While usage is below the limit: what reaches it has used it up. */
export const allows = ({ total }: MetricLimits, used: Quantity): boolean =>
  total === null || compareQuantities(used, total) < 0;
