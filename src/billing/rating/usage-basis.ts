import type { PlanComponent } from '../../catalog/domain/price-content.js';
import type { Period } from '../../kernel/period.js';
import type { UsageBasis } from '../../metering/domain/granularity.js';
import { windowAnchorOf, type MeasuredTerm } from './billing-periods.js';

/**
 * What gauges and rates of a component are measured by in one billing period: months, quarters and years are counted
 * from the term's anchor, or from where the component's windows are counted when it has a reset interval, so that a
 * window of one month is one month.
 */
export const usageBasisOf = (
  { resetInterval }: Pick<PlanComponent, 'resetInterval'>,
  { start, end }: Period,
  term: MeasuredTerm,
): UsageBasis => ({
  zone: term.basis.zone,
  anchor: resetInterval ? windowAnchorOf(start, term) : term.basis.anchor,
  period: { start, end },
});
