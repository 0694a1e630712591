import type { TierPrices } from '../../pricing/tier-prices.js';
import { toDrawn } from '../../shared/drawn-number.js';

/** Returns the largest quantity on a chart: the last threshold and half as much again. */
export function reachOf({ tiers }: TierPrices): number {
  const last = Math.max(0, ...tiers.map(({ rangeStart, rangeEnd }) => toDrawn(rangeEnd ?? rangeStart)));
  const batch = Math.max(1, ...tiers.map(({ unitsPerBatch }) => toDrawn(unitsPerBatch ?? '1')));
  return Math.max(last * 1.5, batch * 10);
}
