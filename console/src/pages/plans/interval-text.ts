import type { Plan, RecurringCharge } from '../../../../clients/typescript/src/index.js';

type Interval = Pick<RecurringCharge, 'invoicing_interval_unit' | 'invoicing_interval_count'>;

/** Says how often a price is charged: in the interval of its own, else in that of the plan. */
export function intervalText(
  { invoicing_interval_unit: unit, invoicing_interval_count: count }: Interval,
  duration: Plan['plan_duration'],
): string {
  if (unit === null || count === 0) return duration ?? 'once a term';
  return count === null || count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
