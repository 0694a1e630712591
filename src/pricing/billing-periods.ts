import { clampedDate, dayNumber, monthNumber } from '../kernel/calendar.js';
import { earliest, latest, plusMicros } from '../kernel/instant.js';
import type { Instant } from '../kernel/instant.js';
import { intersect, nextBoundary, windowsOf } from '../kernel/period.js';
import type { Anchor, CutWindow, Interval, Period } from '../kernel/period.js';
import { localDateOf } from '../kernel/zone.js';
import { countedFrom, fullPeriodAt, type PricedTerm } from './term-basis.js';

/** A term, or its part between two boundaries when it is longer than the plan's duration (docs/billing.md#terms-and-periods). */
export interface BillingPeriod extends Period {
  /** The full period between two boundaries that contains it. */
  readonly full: Period;
  /** The period from its start before a switch, from which reset windows count; else the period itself. */
  readonly whole: Period;
}

/** Returns the billing periods that have begun by `until` and the next one; together they tile the term. */
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

/** Returns the last billing period of a term without computing those before it. */
export function lastPeriodOf({ start, end, basis }: PricedTerm): BillingPeriod {
  const full = fullPeriodAt(plusMicros(end, -1n), basis);
  const from = latest(full.start, start);
  const begun = from === start ? (basis.continues?.periodStart ?? from) : from;
  const to = earliest(full.end, end);
  return { start: from, end: to, full, whole: { start: begun, end: to } };
}

/**
 * Cuts a period by a reset interval, counted from the start of the whole period. Tiers and units begin anew in each window;
 * only the last window is cut. Without an interval the period is its own window, prorated against its full period.
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

/** Returns the windows of a period. The first begins with the period, even if windows count from a boundary near its start. */
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
 * Returns the dates inside the term on which accrued charges are invoiced, up to the first after `until`. They count from
 * the start of the term; after a switch, from the start of the first term of the chain. Without an interval there are none,
 * and charges are invoiced at the end of the period.
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

/** Returns the invoicing date at or after the end of a window, at the latest the end of the term. */
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

/** Returns the anchor's day if an instant falls on it, clamped or not: from 28 February with day 31 the next is 31 March. */
function intendedDay(at: Instant, { basis }: PricedTerm): number | undefined {
  if (basis.duration.unit !== 'month' && basis.duration.unit !== 'year') return undefined;
  const date = localDateOf(at, basis.zone);
  const clamped = clampedDate(monthNumber(date), basis.anchor.day);
  return dayNumber(clamped) === dayNumber(date) ? basis.anchor.day : undefined;
}
