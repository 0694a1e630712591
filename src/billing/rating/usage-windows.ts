import {
  type ChargeSource,
  type PlanComponent,
  sourcesOf,
  boundaryAnchorOf,
  fullPeriodAt,
  type PricedTerm,
} from '../../pricing/price-content.js';
import { type Period, fullPeriodOf, isEmpty } from '../../kernel/period.js';
import type { UsageBasis } from '../../metering/domain/granularity.js';
import { windowAnchorOf, billingPeriodsOf, resetWindowsOf } from '../../pricing/proration.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import type { Instant } from '../../kernel/instant.js';
import { usageSince } from '../../pricing/carried-over-proration.js';
import {
  chargedPeriodsOf,
  inArrearsItems,
  scheduledWindows,
  type ScheduledItem,
  type ScheduledTerm,
} from './schedule.js';

/**
 * Computes the granularity basis of a component's gauges and rates in one billing period (docs/billing.md#granularity). A
 * cut of the term does not change it, so the cost of a window stays what was billed.
 * @param period the billing period, with its part before a switch
 */
export function usageBasisOf(
  { resetInterval }: Pick<PlanComponent, 'resetInterval'>,
  { start, end }: Period,
  term: PricedTerm,
): UsageBasis {
  const { zone, policy, ownStart } = term.basis;
  const anchor = boundaryAnchorOf(term.basis);
  const { total, intervalsCountedFromWindow, rateLooksBeforeStart } = pricingPolicyOf(policy).term;
  const isOfMonths = resetInterval?.unit === 'month' || resetInterval?.unit === 'year';
  const ofWindows = intervalsCountedFromWindow === 'any' ? resetInterval !== null : isOfMonths;
  return {
    zone,
    anchor: ofWindows ? windowAnchorOf(start, term) : anchor,
    period: total === 'full_period' ? fullPeriodAt(start, term.basis) : { start, end },
    ...(!rateLooksBeforeStart && { since: ownStart ?? anchor.firstStart }),
  };
}

/** A reset window in its billing period. */
interface RunningWindow {
  readonly window: Period;
  /** The billing period, with its part before a switch: granularities of gauges and rates count from it. */
  readonly period: Period;
}

/**
 * Finds the reset window of a component at an instant (docs/billing.md#reset-windows). After the end of a term whose
 * renewal is not decided yet it is the first window of the next term. Transferred usage counts from its window's start.
 * @param component its `resetInterval` null: the billing period itself
 * @param at not before the term's start
 */
export function runningWindow(
  term: PricedTerm,
  { metricId, resetInterval }: Pick<PlanComponent, 'metricId' | 'resetInterval'>,
  at: Instant,
): RunningWindow {
  const { zone, duration } = term.basis;
  // Periods and windows follow one another without a gap.
  const isIn = ({ end }: Period): boolean => at < end;
  const period = billingPeriodsOf(term, at).find(isIn);
  if (!period) {
    const next = { start: term.end, end: fullPeriodOf(at, zone, duration, boundaryAnchorOf(term.basis)).end };
    return { window: next, period: next };
  }
  const windows = resetWindowsOf(period, resetInterval, term).map(({ window }) => window);
  // A period that ends before the boundary that its windows count from has none.
  const { start, end } = windows.find(isIn) ?? period;
  const from = start === term.start ? usageSince(metricId, term) : start;
  return { window: { start: from, end }, period: period.whole };
}

/** A window in which usage of a component counts, whether it is due or not. */
export type UsageWindow = Pick<ScheduledItem, 'chargeKey' | 'period' | 'segment' | 'full'> & {
  readonly source: Extract<ChargeSource, { readonly component: PlanComponent }> & { readonly kind: 'usage' };
  /** False for a window that a cancellation leaves without a charge (`bill_none`). */
  readonly isCharged: boolean;
};

/**
 * Lists the windows in which usage of a term counts, without transferred ones: those of the billing periods that overlap a
 * range, and of the period after it.
 */
export function usageWindowsOf(term: ScheduledTerm, range: Period): UsageWindow[] {
  const periods = chargedPeriodsOf(term, range.end, range.start);
  return sourcesOf(term.content).flatMap((source) => {
    if (source.kind !== 'usage') return [];
    const usage = { ...source, kind: source.kind };
    const items = inArrearsItems(source, term, periods, term.term.start);
    const charged = new Set(items.map(({ chargeKey }) => chargeKey));
    return scheduledWindows(source, term, periods)
      .filter(({ segment, transferredToSuccessor }) => !isEmpty(segment) && !transferredToSuccessor)
      .map((window) => ({ ...window, source: usage, isCharged: charged.has(window.chargeKey) }));
  });
}
