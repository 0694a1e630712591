import type { Instant } from '../../kernel/instant.js';
import type { Interval, Period } from '../../kernel/period.js';
import { fullPeriodOf } from '../../kernel/period.js';
import { billingPeriodsOf, resetWindowsOf, type MeasuredTerm } from './billing-periods.js';

/**
 * The window of a component that an instant is in: what is used then is rated with what was used in it before
 * (billing.md section 3). After a term that renews itself, until its renewal is decided, the next one's first.
 * @param resetInterval the component's; null: the billing period itself
 * @param at not before the term's start
 */
export function runningWindow(term: MeasuredTerm, resetInterval: Interval | null, at: Instant): Period {
  const { zone, duration, anchor } = term.basis;
  const isIn = ({ start, end }: Period): boolean => start <= at && at < end;
  const period = billingPeriodsOf(term, at).find(isIn);
  if (!period) return { start: term.end, end: fullPeriodOf(at, zone, duration, anchor).end };
  const windows = resetWindowsOf(period, resetInterval, term).map(({ window }) => window);
  return windows.find(isIn)!;
}
