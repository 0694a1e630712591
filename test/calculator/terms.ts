import {
  datesBetween,
  dateIn,
  gridFrom,
  isEmpty,
  lengthOf,
  localDay,
  monthAndDay,
  startOfDay,
  stretchAt,
  type Grid,
  type Interval,
  type Ms,
  type Span,
} from './calendar.js';
import type { CancelBody, Intervals, Plan, Prices, SubscriptionFilter } from './history.js';
import { ONE, ZERO, rational, type Rational } from './rational.js';

/** What ended a term before its time. */
interface Cut {
  readonly by: 'cancel' | 'switch';
  readonly flatFee: CancelBody['flat_fee_behavior'];
  readonly usage: 'bill_full' | 'bill_none' | 'transfer_to_new_subscription' | 'keep_separate';
  /** When what the term owes is settled, and whether that waits for late events. */
  readonly billedAt: Ms;
  readonly graced: boolean;
  /** Where the running period would have ended. */
  readonly periodEnd: Ms;
}

/** What a term goes on with that the one before it began (docs/billing.md#cumulative-rounding, docs/billing.md#plan-switches). */
export interface TakenOver {
  readonly termStart: Ms;
  readonly periodStart: Ms;
  readonly billedAt: Ms;
  readonly fees: readonly {
    readonly amount: string;
    readonly interval: Interval | null;
    readonly since: Ms;
  }[];
  readonly adjustment: { readonly type: string; readonly amount: string; readonly since: Ms } | null;
  /** Where the windows of metrics began. */
  readonly usage: ReadonlyMap<string, Ms>;
  /** Of these windows the units that an earlier plan was paid for: they cover usage where the plan has no units. */
  readonly covered: ReadonlyMap<string, Rational>;
}

/** An add-on as it was attached to a term. */
export interface Attached {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
  readonly start: Ms;
  readonly renewed: boolean;
  /** Whether the end of a term that it was moved from was moved. */
  readonly endMoved: boolean;
  cancelled: (Cut & { readonly end: Ms }) | null;
}

/** A term of a subscription, or an add-on on it. */
export interface Term {
  readonly id: number;
  readonly subscription: string;
  readonly plan: string;
  readonly filters: readonly SubscriptionFilter[];
  readonly prices: Prices & Pick<Plan, 'price_adjustment'>;
  readonly start: Ms;
  end: Ms;
  readonly renewal: boolean;
  autoRenew: boolean;
  endMoved: boolean;
  cut: Cut | null;
  /** Full periods. */
  readonly grid: Grid;
  readonly zone: string;
  readonly basis: 'second' | 'day';
  /** Where the subscription began: before it a rate does not look back. */
  readonly ownStart: Ms;
  readonly before: TakenOver | null;
  /** Metrics whose running windows a switch moved to the next plan. */
  moved: ReadonlySet<string>;
  readonly units: UnitsChange[];
  readonly addon: AddonOn | null;
  addons: Attached[];
}

/** From an instant on, so many units of a metric are paid for beforehand. */
interface UnitsChange {
  readonly at: Ms;
  readonly metric: string;
  readonly units: string;
  readonly isChange: boolean;
  settledAtEnd: boolean;
  /** Whether its invoice was left to the next run. */
  readonly waits: boolean;
}

interface AddonOn {
  readonly name: string;
  readonly quantity: number;
  readonly once: boolean;
  readonly atEnd: boolean;
}

/** A term, or its part between two dates of its grid. */
export interface Period extends Span {
  readonly full: Span;
  /** With what of it was before a switch. */
  readonly wholeStart: Ms;
}

export interface Window extends Span {
  readonly full: Span;
  readonly period: Period;
}

export const resetOf = (said: Intervals): Interval | null =>
  said.reset_interval_unit ? { unit: said.reset_interval_unit, count: said.reset_interval_count ?? 1 } : null;
export const invoicingOf = (said: Intervals): Interval | null =>
  said.invoicing_interval_unit
    ? { unit: said.invoicing_interval_unit, count: said.invoicing_interval_count ?? 1 }
    : null;

const DAYS = { day: 1, week: 7, month: 30.436875, year: 365.2425 };

/** The plan's duration, or the longest interval of its charges, else a month. */
function durationOf({ plan_duration, recurring_charges, components }: Plan): Interval {
  switch (plan_duration) {
    case 'monthly':
      return { unit: 'month', count: 1 };
    case 'quarterly':
      return { unit: 'month', count: 3 };
    case 'yearly':
      return { unit: 'year', count: 1 };
    case null: {
      const all = [...recurring_charges, ...components].flatMap((said) =>
        [resetOf(said) ?? [], invoicingOf(said) ?? []].flat(),
      );
      const length = ({ unit, count }: Interval) => DAYS[unit] * count;
      return all.sort((a, b) => length(b) - length(a))[0] ?? { unit: 'month', count: 1 };
    }
  }
}

/** The full periods of a subscription that starts then: counted from its anchor (docs/billing.md#terms-and-periods). */
export function periodGrid(start: Ms, zone: string, plan: Plan): Grid {
  const duration = durationOf(plan);
  const date = localDay(start, zone);
  const { month_anchor: month } = plan;
  const grid = gridFrom(date, duration, zone);
  if (grid.months === 0) return grid;
  const day = plan.day_anchor ?? (month === null ? monthAndDay(date).day : 1);
  let base = grid.month;
  while ((month !== null && ((base % 12) + 12) % 12 !== month - 1) || dateIn(base, day) > date) base -= 1;
  return { ...grid, month: base, day };
}

export function periodsOf(term: Term): Period[] {
  const periods: Period[] = [];
  for (let start = term.start; start < term.end;) {
    const full = stretchAt(term.grid, start);
    const end = Math.min(full.end, term.end);
    periods.push({ start, end, full, wholeStart: wholeStart(start, term) });
    start = end;
  }
  return periods;
}

const wholeStart = (start: Ms, { start: first, before }: Term): Ms =>
  start === first && before ? before.periodStart : start;

/** What begins at the very end of a term that was cut may have been charged before: it is a period without length. */
export function periodsWithEmpty(term: Term): Period[] {
  const periods = periodsOf(term);
  if (!term.cut || periods.some(({ full }) => term.end < full.end)) return periods;
  const { end } = term;
  return [
    ...periods,
    { start: end, end, full: stretchAt(term.grid, end), wholeStart: wholeStart(end, term) },
  ];
}

/** A grid from an instant's local day on; on the anchor's day it stays on that, also where a month was too short for it. */
export function gridAt(at: Ms, interval: Interval, { zone, grid }: Term): Grid {
  const date = localDay(at, zone);
  const onAnchor = grid.months > 0 && dateIn(monthAndDay(date).month, grid.day) === date;
  return gridFrom(date, interval, zone, onAnchor ? grid.day : undefined);
}

/** A period cut by a reset interval: windows are counted from its start, and the last is cut at its end. */
export function windowsOf(period: Period, interval: Interval | null, term: Term): Window[] {
  const { start, end, full, wholeStart: from } = period;
  if (interval === null) return [{ start, end, full, period }];
  const grid = gridAt(from, interval, term);
  const found: Window[] = [];
  let stretch = stretchAt(grid, start);
  do {
    found.push({
      start: Math.max(stretch.start, start),
      end: Math.min(stretch.end, end),
      full: stretch,
      period,
    });
    stretch = stretchAt(grid, stretch.end);
  } while (stretch.start < end);
  return found;
}

/** The dates inside a term on which what has accrued is invoiced: counted from its start. */
export function invoicingDates(term: Term, interval: Interval): Ms[] {
  const from = term.before?.termStart ?? term.start;
  const all = datesBetween(gridAt(from, interval, term), from, term.end);
  return all.filter((date) => date > term.start);
}

/** The part of a full interval that a segment is (docs/billing.md#terms-and-periods). */
export function shareOf(segment: Span, full: Span, term: Term): Rational {
  if (isEmpty(segment)) return ZERO;
  if (segment.start === full.start && segment.end === full.end) return ONE;
  if (term.basis === 'second') return rational(BigInt(lengthOf(segment)), BigInt(lengthOf(full)));
  const { zone, end, cut } = term;
  const day = (at: Ms) => localDay(at, zone);
  // The day of cancelling was used, and so was a day that a set end is inside of.
  const isUsed = segment.end === end && (cut ? cut.by === 'cancel' : startOfDay(day(end), zone) < end);
  const until = Math.min(day(segment.end) + (isUsed ? 1 : 0), day(full.end));
  return rational(BigInt(until - day(segment.start)), BigInt(day(full.end) - day(full.start)));
}
