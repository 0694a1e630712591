import { DomainError } from '../../kernel/errors.js';
import { intervalOf, type Interval, type PlanDuration } from '../../kernel/period.js';
import type { PriceContent } from '../../pricing/price-content.js';

/** Most windows in a billing period. A run bills each window as an item; more items do not fit into a run. */
export const MAX_WINDOWS = 10_000;
/** Keeps the number of windows countable for an add-on, which may run for a part of a period only. */
const LONGEST_PERIOD_DAYS = 10_000;

const DAYS: Readonly<Record<Interval['unit'], number>> = { day: 1, week: 7, month: 30, year: 365 };

const daysOf = ({ unit, count }: Interval): number => DAYS[unit] * count;

const intervalsOf = ({ recurringCharges, components }: PriceContent): Interval[] =>
  [...recurringCharges, ...components].flatMap(({ resetInterval, invoicingInterval }) =>
    [resetInterval, invoicingInterval].filter((interval) => interval !== null),
  );

/** Estimates the number of billing periods, windows and invoicing dates within a number of days. */
export function estimateWindows(days: number, content: PriceContent, period: Interval): number {
  const charges = content.recurringCharges.length + content.components.length;
  const intervals = [...Array<Interval>(charges).fill(period), ...intervalsOf(content)];
  return intervals.reduce((sum, interval) => sum + Math.ceil(days / daysOf(interval)), 0);
}

/** Limits the number of windows in a billing period. @throws DomainError `invalid_operation` */
export function requireBillableWindows(duration: PlanDuration | null, content: PriceContent): void {
  const lengths = duration === null ? intervalsOf(content).map(daysOf) : [daysOf(intervalOf(duration))];
  const days = lengths.length === 0 ? DAYS.month : Math.max(...lengths);
  if (days > LONGEST_PERIOD_DAYS) {
    throw new DomainError(
      'invalid_operation',
      'Without a plan_duration the longest interval is the billing period. Use intervals of at most 10,000 days.',
    );
  }
  if (estimateWindows(days, content, { unit: 'day', count: days }) <= MAX_WINDOWS) return;
  throw new DomainError(
    'invalid_operation',
    'The intervals of these prices cut a billing period into more than 10,000 windows. Use longer intervals.',
  );
}
