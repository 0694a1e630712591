import { runningWindow } from '../../billing/rating/usage-windows.js';
import { usageBasisOf } from '../../billing/rating/usage-windows.js';
import type { Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import { ZERO, compareQuantities, maxQuantity, type Quantity } from '../../kernel/quantity.js';
import type { UsageQuestion } from '../../metering/domain/counter.js';
import type { PlanComponent } from '../../pricing/price-content.js';
import type { PricedTerm } from '../../pricing/term-basis.js';
import { readTiers, type Tier } from '../../pricing/tiers.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';

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

export interface UsingTerm extends PricedTerm {
  readonly customerKey: Uuid;
  readonly filters: readonly SubscriptionFilter[];
}

/**
 * Question to the usage log for how much of a limit is used: the component's running window. A gauge counts its
 * current level (docs/contract.md#metric-access), which is the one that any window beginning after now starts with.
 */
export function usageQuestion(term: UsingTerm, component: PlanComponent, now: Instant): UsageQuestion {
  const { customerKey, filters } = term;
  if (component.metric.metricType === 'gauge') {
    const window = { start: plusMicros(now, 1n), end: plusMicros(now, 2n) };
    return { customerKey, filters, definition: { ...component.metric, proration: null }, window };
  }
  const window = runningWindow(term, component, now);
  const question = { customerKey, filters, definition: component.metric, window };
  if (component.metric.metricType === 'counter') return question;
  return { ...question, basis: usageBasisOf(component, window, term) };
}
