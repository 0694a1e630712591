import { runningWindow, usageBasisOf } from '../../billing/rating/usage-windows.js';
import type { Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import { ZERO, compareQuantities, maxQuantity, type Quantity } from '../../kernel/quantity.js';
import type { UsageQuestion } from '../../metering/domain/counter.js';
import type { PlanComponent, PricedTerm } from '../../pricing/price-content.js';
import { readTiers, type Tier } from '../../pricing/tiers.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';

/** Limits of a metric in one window; null: no limit. */
export interface MetricLimits {
  /** Units without further cost: the end of the leading free tiers, or the prepaid units. */
  readonly free: Quantity | null;
  /** End of the last tier, after which there is no price; at least the prepaid units. */
  readonly total: Quantity | null;
}

/** Limits of a plan without the metric (docs/contract.md#metric-access). */
export const ZERO_LIMITS: MetricLimits = { free: ZERO, total: ZERO };

/**
 * Derives the limits of a component from its tiers.
 * @param tiers in ascending order, at least one
 * @param prepaid prepaid units of the window, which may be used in any case
 */
export function limitsOf(tiers: readonly Tier[], prepaid: Quantity = ZERO): MetricLimits {
  const ranges = readTiers(tiers);
  const firstPriced = ranges.findIndex(({ type }) => type !== 'free');
  const free = firstPriced < 0 ? ranges : ranges.slice(0, firstPriced);
  const lastFree = free.at(-1);
  const withPrepaid = (end: Quantity | null) => end && maxQuantity(end, prepaid);
  return { free: withPrepaid(lastFree ? lastFree.end : ZERO), total: withPrepaid(ranges.at(-1)!.end) };
}

/** Allows usage below the limit. A reached limit is used up. */
export const allows = ({ total }: MetricLimits, used: Quantity): boolean =>
  total === null || compareQuantities(used, total) < 0;

export interface MeteredTerm extends PricedTerm {
  readonly customerKey: Uuid;
  readonly filters: readonly SubscriptionFilter[];
}

/**
 * Returns the query of the usage log that counts the used part of a limit, over the component's running
 * window. A gauge counts its current level, with which a window beginning now would start
 * (docs/contract.md#metric-access).
 */
export function usageQuestion(term: MeteredTerm, component: PlanComponent, now: Instant): UsageQuestion {
  const { customerKey, filters } = term;
  if (component.metric.metricType === 'gauge') {
    const window = { start: plusMicros(now, 1n), end: plusMicros(now, 2n) };
    return { customerKey, filters, definition: { ...component.metric, proration: null }, window };
  }
  const { window, period } = runningWindow(term, component, now);
  const question = { customerKey, filters, definition: component.metric, window };
  if (component.metric.metricType === 'counter') return question;
  return { ...question, basis: usageBasisOf(component, period, term) };
}
