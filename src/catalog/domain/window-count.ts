import { DomainError } from '../../kernel/errors.js';
import { intervalOf, type Interval, type PlanDuration } from '../../kernel/period.js';
import type { PriceContent } from '../../pricing/price-content.js';

/** Every window of a charge is an item of its own when it is billed: more of them than this do not fit into a run. */
export const MOST_WINDOWS = 10_000;
/** So that what runs beside a plan for less than its periods, such as an add-on, stays countable too. */
const LONGEST_PERIOD_DAYS = 10_000;

const DAYS: Readonly<Record<Interval['unit'], number>> = { day: 1, week: 7, month: 30, year: 365 };

const daysOf = ({ unit, count }: Interval): number => DAYS[unit] * count;

const intervalsOf = ({ recurringCharges, components }: PriceContent): Interval[] =>
  [...recurringCharges, ...components].flatMap(({ resetInterval, invoicingInterval }) =>
    [resetInterval, invoicingInterval].filter((interval) => interval !== null),
  );

/** About how many billing periods, windows and invoicing dates these prices have in so many days. */
export function windowsWithin(days: number, content: PriceContent, period: Interval): number {
  const charges = content.recurringCharges.length + content.components.length;
  const intervals = [...Array<Interval>(charges).fill(period), ...intervalsOf(content)];
  return intervals.reduce((sum, interval) => sum + Math.ceil(days / daysOf(interval)), 0);
}

/** @throws DomainError `invalid_operation` for prices whose billing period is cut into more than can be billed */
export function requireCountableWindows(duration: PlanDuration | null, content: PriceContent): void {
  const lengths = duration === null ? intervalsOf(content).map(daysOf) : [daysOf(intervalOf(duration))];
  const days = lengths.length === 0 ? DAYS.month : Math.max(...lengths);
  if (days > LONGEST_PERIOD_DAYS) {
    throw new DomainError(
      'invalid_operation',
      'Without a duration the longest interval is the billing period: it is at most 10,000 days.',
    );
  }
  if (windowsWithin(days, content, { unit: 'day', count: days }) <= MOST_WINDOWS) return;
  throw new DomainError(
    'invalid_operation',
    'The intervals of these prices cut a billing period into more than 10,000 windows.',
  );
}
