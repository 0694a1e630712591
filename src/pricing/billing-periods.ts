import { dateInMonth, dayNumber, monthNumber } from '../kernel/calendar.js';
import { earliest, latest, plusMicros } from '../kernel/instant.js';
import type { Instant } from '../kernel/instant.js';
import { intersect, nextBoundary, windowsOf } from '../kernel/period.js';
import type { Anchor, CutWindow, Interval, Period } from '../kernel/period.js';
import { localDateOf } from '../kernel/zone.js';
import { countedFrom, fullPeriodAt, type PricedTerm } from './term-basis.js';

/** A term, or its part between two boundaries when it is longer than the plan's duration (docs/billing.md#terms-and-periods). */
export interface BillingPeriod extends Period {
  /** The whole span between the two boundaries it lies in. */
  readonly full: Period;
  /** Itself, or with what of it was before a switch: what reset windows count from. */
  readonly whole: Period;
}

/** The billing periods that have begun by `until`, and the one after them; they tile the term. */
export function billingPeriodsOf({ start, end, basis }: PricedTerm, until: Instant): BillingPeriod[] {
  const periods: BillingPeriod[] = [];
  for (let from = start; from < end;) {
    const full = fullPeriodAt(from, basis);
    const to = earliest(full.end, end);
    const begun = from === start ? (basis.continues?.periodStart ?? from) : from;
    const period = { start: from, end: to, full, whole: { start: begun, end: to } };
    periods.push(period);
    if (from > until) break;
    from = period.end;
  }
  return periods;
}

/** The last billing period of a term, however many come before it. */
export function lastPeriodOf({ start, end, basis }: PricedTerm): BillingPeriod {
  const full = fullPeriodAt(plusMicros(end, -1n), basis);
  const from = latest(full.start, start);
  const begun = from === start ? (basis.continues?.periodStart ?? from) : from;
  const to = earliest(full.end, end);
  return { start: from, end: to, full, whole: { start: begun, end: to } };
}

/**
 * A period cut by a reset interval, counted from the start of the whole period: tiers and units begin anew in each window, and
 * only the last is cut. Without an interval the period is its own window, measured against its full period.
 */
export function resetWindowsOf(
  period: BillingPeriod,
  interval: Interval | null,
  term: PricedTerm,
): CutWindow[] {
  if (interval === null) return [{ window: { start: period.start, end: period.end }, full: period.full }];
  const { whole } = period;
  const windows = windowsFrom(countedFrom(whole.start, term.basis), whole, interval, term);
  return windows
    .filter(({ window }) => window.end > period.start)
    .map(({ window, full }) => ({ window: intersect(window, period), full }));
}

/** The windows of a period; the first begins with it, also where they are counted from a boundary beside its start. */
function windowsFrom(
  from: Instant,
  { start, end }: Period,
  interval: Interval,
  term: PricedTerm,
): CutWindow[] {
  const windows = windowsOf({ start: from, end }, term.basis.zone, interval, from, intendedDay(from, term));
  if (from === start) return windows;
  return windows
    .filter(({ window }) => window.end > start)
    .map((cut, place) =>
      place > 0 ? cut : { window: { start, end: cut.window.end }, full: { start, end: cut.full.end } },
    );
}

/**
 * The dates after the term's start, and before its end, on which what has accrued is invoiced, counted from the start,
 * of a term that a switch began from where the one before began;
 * up to the first after `until`. Without an interval there are none: then a period's end is the date.
 */
export function invoicingDatesOf(term: PricedTerm, interval: Interval | null, until: Instant): Instant[] {
  const dates: Instant[] = [];
  if (interval === null) return dates;
  const { zone } = term.basis;
  const anchor = invoicingAnchor(term);
  for (let date = invoicedFrom(term); date <= until;) {
    date = nextBoundary(date, zone, interval, anchor);
    if (date >= term.end) break;
    if (date > term.start) dates.push(date);
  }
  return dates;
}

/** The invoicing date at or after a window's end, at the latest the term's end. */
export function invoicingDateOf(window: Period, interval: Interval, term: PricedTerm): Instant {
  const date = nextBoundary(plusMicros(window.end, -1n), term.basis.zone, interval, invoicingAnchor(term));
  return earliest(date, term.end);
}

const invoicedFrom = ({ start, basis }: PricedTerm): Instant =>
  countedFrom(basis.continues?.termStart ?? start, basis);
const invoicingAnchor = (term: PricedTerm): Anchor => windowAnchorOf(invoicedFrom(term), term);

/** Anchor of windows that are counted from an instant. */
export function windowAnchorOf(start: Instant, term: PricedTerm): Anchor {
  const from = countedFrom(start, term.basis);
  const day = intendedDay(from, term) ?? localDateOf(from, term.basis.zone).day;
  return { day, month: null, firstStart: from };
}

/** The anchor's day where an instant falls on it, also clamped: what starts on 28 February by day 31 goes on on 31 March. */
function intendedDay(at: Instant, { basis }: PricedTerm): number | undefined {
  if (basis.duration.unit !== 'month' && basis.duration.unit !== 'year') return undefined;
  const date = localDateOf(at, basis.zone);
  const clamped = dateInMonth(monthNumber(date), basis.anchor.day);
  return dayNumber(clamped) === dayNumber(date) ? basis.anchor.day : undefined;
}
