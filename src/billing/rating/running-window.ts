import type { PlanComponent } from '../../pricing/price-content.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { fullPeriodOf } from '../../kernel/period.js';
import { billingPeriodsOf, resetWindowsOf } from '../../pricing/billing-periods.js';
import { usageSince } from '../../pricing/carried-over-proration.js';
import type { PricedTerm } from '../../pricing/term-basis.js';

/**
 * The window of a component that an instant is in: what is used then is rated with what was used in it before
 * (docs/billing.md#reset-windows). After a term that renews itself, until its renewal is decided, the next one's first.
 * Usage that a switch transferred counts from where its window began.
 * @param component its `resetInterval` null: the billing period itself
 * @param at not before the term's start
 */
export function runningWindow(
  term: PricedTerm,
  { metricId, resetInterval }: Pick<PlanComponent, 'metricId' | 'resetInterval'>,
  at: Instant,
): Period {
  const { zone, duration, anchor } = term.basis;
  // Periods and windows follow one another without a gap.
  const isIn = ({ end }: Period): boolean => at < end;
  const period = billingPeriodsOf(term, at).find(isIn);
  if (!period) return { start: term.end, end: fullPeriodOf(at, zone, duration, anchor).end };
  const windows = resetWindowsOf(period, resetInterval, term).map(({ window }) => window);
  const window = windows.find(isIn)!;
  return window.start === term.start ? { ...window, start: usageSince(metricId, term) } : window;
}
