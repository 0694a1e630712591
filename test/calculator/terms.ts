import {
  boundaryBeside,
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
import { ONE, ZERO, higher, minus, rational, type Rational } from './rational.js';

/** A cancellation or switch that ended a term early. */
interface Cut {
  readonly by: 'cancel' | 'switch';
  readonly flatFee: CancelBody['flat_fee_behavior'];
  readonly usage: 'bill_full' | 'bill_none' | 'transfer_to_new_subscription' | 'keep_separate';
  /** Instant of settlement. `graced` is true when settlement waits for late events. */
  readonly billedAt: Ms;
  readonly graced: boolean;
  /** Planned end of the running period. */
  readonly periodEnd: Ms;
}

/**
 * State that a term inherits from its predecessor (docs/billing.md#cumulative-rounding,
 * docs/billing.md#plan-switches).
 */
export interface CarriedOver {
  readonly termStart: Ms;
  readonly periodStart: Ms;
  readonly billedAt: Ms;
  readonly fees: readonly {
    readonly amount: string;
    readonly interval: Interval | null;
    readonly since: Ms;
  }[];
  readonly adjustment: { readonly type: string; readonly amount: string; readonly since: Ms } | null;
  /** Prices of the latest prepaid units, each with the instant since which the window is charged at it. */
  readonly units: readonly {
    readonly metric: string;
    readonly interval: Interval | null;
    readonly price: Rational;
    readonly since: Ms;
  }[];
  /** Starts of the running windows by metric. */
  readonly usage: ReadonlyMap<string, Ms>;
  /** Units of these windows that were prepaid on an earlier plan. They cover usage when the new plan has no units. */
  readonly covered: ReadonlyMap<string, Rational>;
}

/** An add-on as it was attached to a term. */
export interface AttachedAddon extends Pick<Term, 'firstDay' | 'secondsUntil' | 'ownStart'> {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
  readonly start: Ms;
  readonly renewed: boolean;
  /** Start of its first part in the full period that a renewal continued; null when it continued none. */
  readonly since: Ms | null;
  /** True when the end of a term was moved that the add-on was transferred from. */
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
  /** Grid of the full periods. */
  readonly grid: Grid;
  /** First full period of a renewal whose start is a boundary of its former time zone alone. */
  readonly firstFull: Span | null;
  readonly zone: string;
  readonly basis: 'second' | 'day';
  /** First local day that is charged for: the day of the start, unless the term before was charged for it. */
  readonly firstDay: number;
  /** Instant up to which the term before was charged by seconds, in a day of which this term, by days, has the rest. */
  readonly secondsUntil: Ms | null;
  /** Start of the subscription: a rate ignores earlier events. */
  readonly ownStart: Ms;
  readonly carriedOver: CarriedOver | null;
  /** Metrics whose running windows a switch moved to the next plan. */
  moved: ReadonlySet<string>;
  readonly units: UnitsChange[];
  readonly addon: AddonTerms | null;
  addons: AttachedAddon[];
}

/** A change of a metric's prepaid units from an instant on. */
interface UnitsChange {
  readonly at: Ms;
  readonly metric: string;
  readonly units: string;
  readonly isChange: boolean;
  settledAtEnd: boolean;
  /** True when the change is invoiced by the next run instead of at once. */
  readonly waits: boolean;
}

/** Returns the prepaid units that a term starts with: those held before it, otherwise those of the plan. */
export const unitsAt = (at: Ms, { components }: Prices, held: readonly UnitsChange[] = []): UnitsChange[] =>
  components.flatMap(({ metric, prepaid_charge: prepaid }) => {
    if (!prepaid) return [];
    const units = held.findLast((change) => change.metric === metric)?.units ?? prepaid.units;
    return [{ at, metric, units, isChange: false, settledAtEnd: false, waits: false }];
  });

interface AddonTerms {
  readonly name: string;
  readonly quantity: number;
  readonly since: Ms | null;
  readonly isOneTime: boolean;
  readonly isBilledAtEnd: boolean;
}

/** A term, or the part of it between two dates of its grid. */
export interface Period extends Span {
  readonly full: Span;
  /** Start including the part before a switch. */
  readonly wholeStart: Ms;
}

export interface Window extends Span {
  readonly full: Span;
  readonly period: Period;
}

export const resetOf = (intervals: Intervals): Interval | null =>
  intervals.reset_interval_unit
    ? { unit: intervals.reset_interval_unit, count: intervals.reset_interval_count ?? 1 }
    : null;
export const invoicingOf = (intervals: Intervals): Interval | null =>
  intervals.invoicing_interval_unit
    ? { unit: intervals.invoicing_interval_unit, count: intervals.invoicing_interval_count ?? 1 }
    : null;

/** Returns the full period that contains an instant. */
export const fullAt = (at: Ms, { firstFull, grid }: Pick<Term, 'firstFull' | 'grid'>): Span =>
  firstFull && firstFull.start <= at && at < firstFull.end ? firstFull : stretchAt(grid, at);

export function periodsOf(term: Term): Period[] {
  const periods: Period[] = [];
  for (let start = term.start; start < term.end;) {
    const full = fullAt(start, term);
    const end = Math.min(full.end, term.end);
    periods.push({ start, end, full, wholeStart: wholeStart(start, term) });
    start = end;
  }
  return periods;
}

const wholeStart = (start: Ms, { start: first, carriedOver }: Term): Ms =>
  start === first && carriedOver ? carriedOver.periodStart : start;

/**
 * Adds an empty period at the end of a term that was cut at a period boundary: charges of the next period may have
 * been billed before.
 */
export function periodsWithEmpty(term: Term): Period[] {
  const periods = periodsOf(term);
  if (!term.cut || periods.some(({ full }) => term.end < full.end)) return periods;
  const { end } = term;
  return [...periods, { start: end, end, full: fullAt(end, term), wholeStart: wholeStart(end, term) }];
}

/**
 * Returns a grid that starts on an instant's local day. When that is the anchor's day, the grid keeps the anchor's
 * day of the month, even after a shorter month.
 */
export function gridAt(at: Ms, interval: Interval, { zone, grid }: Term): Grid {
  const date = localDay(at, zone);
  const onAnchor = grid.months > 0 && dateIn(monthAndDay(date).month, grid.day) === date;
  return gridFrom(date, interval, zone, onAnchor ? grid.day : undefined);
}

/** Returns the instant from which intervals of a period count: its start, or the boundary beside the start of `firstFull`. */
export const countedFrom = (start: Ms, { firstFull, grid }: Term): Ms =>
  start === firstFull?.start ? boundaryBeside(start, grid) : start;

/**
 * Splits a period into windows of a reset interval, counted from the period's start. The last window ends with the
 * period.
 */
export function windowsOf(period: Period, interval: Interval | null, term: Term): Window[] {
  const { start, end, full, wholeStart: begun } = period;
  if (interval === null) return [{ start, end, full, period }];
  const from = countedFrom(begun, term);
  const grid = gridAt(from, interval, term);
  const found: Window[] = [];
  // The first window begins with the period, also where windows count from a boundary beside its start.
  const first = Math.max(begun, from);
  let stretch = stretchAt(grid, Math.max(start, first));
  if (from !== begun && stretch.start <= first) stretch = { start: begun, end: stretch.end };
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

/** Returns the dates inside a term on which accrued charges are invoiced, counted from its start. */
export function invoicingDates(term: Term, interval: Interval): Ms[] {
  const from = invoicedFrom(term);
  const all = datesBetween(gridAt(from, interval, term), from, term.end);
  return all.filter((date) => date > term.start);
}

/** Returns the invoicing date of a window, which can be after the term. The date that dates count from is none. */
export function invoicingDateOf({ end }: Span, interval: Interval, term: Term): Ms {
  const from = invoicedFrom(term);
  return stretchAt(gridAt(from, interval, term), Math.max(end - 1, from)).end;
}

const invoicedFrom = (term: Term): Ms => countedFrom(term.carriedOver?.termStart ?? term.start, term);

/** Returns the proration factor of a segment: its part of the full interval (docs/billing.md#terms-and-periods). */
export function prorationFactor(segment: Span, full: Span, term: Term): Rational {
  if (isEmpty(segment)) return ZERO;
  if (segment.start === full.start && segment.end === full.end) return ONE;
  const { zone, end, cut, secondsUntil } = term;
  if (term.basis === 'second') {
    const counted = (at: Ms) => (at < term.start ? at : Math.max(at, startOfDay(term.firstDay, zone)));
    return rational(BigInt(counted(segment.end) - counted(segment.start)), BigInt(lengthOf(full)));
  }
  const day = (at: Ms) => Math.max(localDay(at, zone), at < term.start ? 0 : term.firstDay);
  // The day of a cancellation counts as used, and so does a day that a set end falls into.
  // One at the end of a full period is on a day of the next period.
  const isCancelled = cut?.by === 'cancel' && fullAt(end, term).start < end;
  const isUsed = segment.end === end && (cut ? isCancelled : isInsideDay(end, zone));
  const until = Math.min(Math.max(day(segment.end), isUsed ? localDay(end, zone) + 1 : 0), day(full.end));
  const [first, last] = [localDay(full.start, zone), localDay(full.end, zone)];
  if (secondsUntil === null) return rational(BigInt(until - day(segment.start)), BigInt(last - first));
  // Up to that instant the share of the full period is its elapsed time; the later days are counted whole.
  const from = startOfDay(first, zone);
  const elapsed = (at: Ms) =>
    rational(BigInt(Math.min(at, secondsUntil) - from), BigInt(lengthOf({ start: from, end: full.end })));
  const upTo = (at: Ms, counted: number) =>
    counted <= localDay(secondsUntil, zone)
      ? elapsed(at)
      : higher(elapsed(at), rational(BigInt(counted - first), BigInt(last - first)));
  return minus(upTo(segment.end, until), upTo(segment.start, day(segment.start)));
}

/** Returns the end of a term by seconds that a term by days continues inside a day; null of any other. */
export const secondsBefore = (
  { basis, end, zone }: Term,
  continued: Span | null,
  next: Term['basis'],
): Ms | null => (continued && basis === 'second' && next === 'day' && isInsideDay(end, zone) ? end : null);

/**
 * Returns the day after that of the end of a term that was charged for the latter, else the day of the end.
 * @param next zone of the next term
 */
export const dayAfter = ({ basis, end, zone }: Term, next: string): number =>
  localDay(end, next) + (basis === 'day' && isInsideDay(end, zone) && isInsideDay(end, next) ? 1 : 0);

const isInsideDay = (at: Ms, zone: string): boolean => startOfDay(localDay(at, zone), zone) < at;
