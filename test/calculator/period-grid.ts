import {
  boundaryBeside,
  dateIn,
  gridFrom,
  localDay,
  monthAndDay,
  stretchAt,
  type Grid,
  type Interval,
  type Ms,
  type Span,
} from './calendar.js';
import type { Plan } from './history.js';
import { invoicingOf, resetOf } from './terms.js';

const DAYS = { day: 1, week: 7, month: 30.436875, year: 365.2425 };

/** Returns the plan's duration, or the longest interval of its charges, or a month. */
function durationOf({ plan_duration, recurring_charges, components }: Plan): Interval {
  switch (plan_duration) {
    case 'monthly':
      return { unit: 'month', count: 1 };
    case 'quarterly':
      return { unit: 'month', count: 3 };
    case 'yearly':
      return { unit: 'year', count: 1 };
    case null: {
      const all = [...recurring_charges, ...components].flatMap((intervals) =>
        [resetOf(intervals) ?? [], invoicingOf(intervals) ?? []].flat(),
      );
      const length = ({ unit, count }: Interval) => DAYS[unit] * count;
      return all.sort((a, b) => length(b) - length(a))[0] ?? { unit: 'month', count: 1 };
    }
  }
}

/** Returns the grid of full periods of a subscription, counted from its anchor (docs/billing.md#terms-and-periods). */
export function periodGrid(start: Ms, zone: string, plan: Plan): Grid {
  const duration = durationOf(plan);
  const date = localDay(start, zone);
  const { month_anchor: month } = plan;
  const grid = gridFrom(date, duration, zone);
  const day = plan.day_anchor ?? (month === null ? monthAndDay(date).day : 1);
  let base = monthAndDay(date).month;
  while ((month !== null && ((base % 12) + 12) % 12 !== month - 1) || dateIn(base, day) > date) base -= 1;
  // Weeks and days count from the anchor's date.
  return grid.months > 0 ? { ...grid, month: base, day } : gridFrom(dateIn(base, day), duration, zone);
}

/**
 * Returns the first full period of a renewal in another time zone, where its start is a boundary of the former zone alone:
 * boundaries keep their dates, and it ends at the one after the boundary beside its start.
 */
export function firstFullIn(grid: Grid, formerZone: string, start: Ms): Span | null {
  const isBoundaryIn = (zone: string) => stretchAt({ ...grid, zone }, start).start === start;
  if (!isBoundaryIn(formerZone) || isBoundaryIn(grid.zone)) return null;
  return { start, end: stretchAt(grid, Math.max(start, boundaryBeside(start, grid))).end };
}
