import type { PlanComponent } from '../../pricing/price-content.js';
import type { Period } from '../../kernel/period.js';
import type { UsageBasis } from '../../metering/domain/granularity.js';
import { windowAnchorOf } from '../../pricing/billing-periods.js';
import { policyOf } from '../../pricing/policy.js';
import { fullPeriodAt, type PricedTerm } from '../../pricing/term-basis.js';

/**
 * Basis of a component's gauges and rates in one billing period (docs/billing.md#granularity). Neither a cut of
 * the term nor an interval changes it, so that a window costs for ever what it was billed at.
 * @param period the billing period with what of it was before a switch
 */
export function usageBasisOf(
  { resetInterval }: Pick<PlanComponent, 'resetInterval'>,
  { start, end }: Period,
  term: PricedTerm,
): UsageBasis {
  const { zone, anchor, policy, ownStart } = term.basis;
  const { total, monthsOfWindows, rateLooksBeforeStart } = policyOf(policy).term;
  const isOfMonths = resetInterval?.unit === 'month' || resetInterval?.unit === 'year';
  const ofWindows = monthsOfWindows === 'of_any_interval' ? resetInterval !== null : isOfMonths;
  return {
    zone,
    anchor: ofWindows ? windowAnchorOf(start, term) : anchor,
    period: total === 'full_period' ? fullPeriodAt(start, term.basis) : { start, end },
    ...(!rateLooksBeforeStart && { since: ownStart ?? anchor.firstStart }),
  };
}
