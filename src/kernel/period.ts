import {
  clampedDate,
  dateOfDayNumber,
  dayNumber,
  monthNumber,
  type LocalDate,
  earliest,
  latest,
  toMicros,
  type Instant,
} from './instant.js';
import { ZERO, maxQuantity, ratio, subtract, type Quantity } from './quantity.js';
import { localDateOf, startOfLocalDay } from './zone.js';

/** A half-open span of time: it includes its start and excludes its end. */
export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

export type IntervalUnit = 'day' | 'week' | 'month' | 'year';

/** Length of a window or period; `count` is 1 or more. */
export interface Interval {
  readonly unit: IntervalUnit;
  readonly count: number;
}

/** Tells whether two intervals have the same unit and count; null equals null only. */
export const isSameInterval = (a: Interval | null, b: Interval | null): boolean =>
  a?.unit === b?.unit && a?.count === b?.count;

export type PlanDuration = 'monthly' | 'quarterly' | 'yearly';

/**
 * Anchor of all boundaries of a term and its renewals: the day of the month (clamped in shorter months), the month (null
 * for any), and the start of the first term, from which boundaries are counted.
 */
export interface Anchor {
  readonly day: number;
  readonly month: number | null;
  readonly firstStart: Instant;
  /** Zone that the anchor's date was found in, once the zone has changed; absent: the zone of the term. */
  readonly firstZone?: string;
}

export const isEmpty = ({ start, end }: Period): boolean => start >= end;

/** Intersects two periods; the result is empty (its end not after its start) when they do not meet. */
export const intersect = (a: Period, b: Period): Period => ({
  start: latest(a.start, b.start),
  end: earliest(a.end, b.end),
});

export function intervalOf(duration: PlanDuration): Interval {
  switch (duration) {
    case 'monthly':
      return { unit: 'month', count: 1 };
    case 'quarterly':
      return { unit: 'month', count: 3 };
    case 'yearly':
      return { unit: 'year', count: 1 };
  }
}

/**
 * Returns the anchor of a first term: the local day of its start, or the version's `day_anchor` and `month_anchor`; a
 * `month_anchor` alone means day 1. For intervals of months it keeps the start's month too, so that a later change of the
 * zone does not move quarters.
 */
export function anchorOf(
  start: Instant,
  zone: string,
  interval: Interval,
  dayAnchor: number | null,
  monthAnchor: number | null,
): Anchor {
  const day = dayAnchor ?? (monthAnchor === null ? localDateOf(start, zone).day : 1);
  const anchor = { day, month: monthAnchor, firstStart: start };
  if (monthsOf(interval) === 0) return anchor;
  return { ...anchor, month: (firstMonth(zone, anchor) % 12) + 1 };
}

/**
 * Returns boundary n of the grid: anchor + n intervals at local midnight, n of either sign. Boundary 0 is the latest anchor
 * date on or before the first start. It never depends on the boundary before (31 Jan → 28 Feb → 31 Mar).
 */
function boundary(n: number, zone: string, interval: Interval, anchor: Anchor): Instant {
  const month = firstMonth(zone, anchor);
  const months = monthsOf(interval);
  if (months > 0) return startOfLocalDay(clampedDate(month + n * months, anchor.day), zone);
  const day = dayNumber(clampedDate(month, anchor.day)) + n * daysOf(interval);
  return startOfLocalDay(dateOfDayNumber(day), zone);
}

/** Returns the number of the first boundary after an instant. */
function numberOfNext(after: Instant, zone: string, interval: Interval, anchor: Anchor): number {
  if (!Number.isInteger(interval.count) || interval.count < 1) {
    throw new RangeError(`An interval has 1 or more whole units, not ${interval.count}.`);
  }
  const date = localDateOf(after, zone);
  const month = firstMonth(zone, anchor);
  const months = monthsOf(interval);
  let n =
    months > 0
      ? Math.floor((monthNumber(date) - month) / months)
      : Math.floor((dayNumber(date) - dayNumber(clampedDate(month, anchor.day))) / daysOf(interval));
  while (boundary(n, zone, interval, anchor) <= after) n += 1;
  return n;
}

/** Returns the first boundary of the grid strictly after an instant. */
export const nextBoundary = (after: Instant, zone: string, interval: Interval, anchor: Anchor): Instant =>
  boundary(numberOfNext(after, zone, interval, anchor), zone, interval, anchor);

/** Returns the full period of the grid that contains an instant; its parts are prorated against it. */
export function fullPeriodOf(at: Instant, zone: string, interval: Interval, anchor: Anchor): Period {
  const n = numberOfNext(at, zone, interval, anchor);
  return { start: boundary(n - 1, zone, interval, anchor), end: boundary(n, zone, interval, anchor) };
}

/**
 * Returns the first period of a renewal that starts at a boundary of another zone: it ends at the boundary after the one
 * nearest to its start. In an unchanged zone that is the next boundary; after a change of zone the grid has moved by hours,
 * and the next boundary could be the same date again. The period is full: it is prorated against itself.
 */
export function renewalPeriod(start: Instant, zone: string, interval: Interval, anchor: Anchor): Period {
  const n = numberOfNext(start, zone, interval, anchor);
  const [before, after] = [n - 1, n].map((number) => boundary(number, zone, interval, anchor));
  const isNearer = toMicros(after!) - toMicros(start) < toMicros(start) - toMicros(before!);
  return { start, end: isNearer ? boundary(n + 1, zone, interval, anchor) : after! };
}

export interface CutWindow {
  /** Part of the interval inside the period. */
  readonly window: Period;
  /** The whole interval. */
  readonly full: Period;
}

/**
 * Cuts a period into windows of one interval each, counted from the local day of `anchorStart`; without an interval
 * returns the period. The windows tile the period; the last is cut at its end. `anchorDay` is the intended day of the month
 * if `anchorStart` was clamped (a period that begins on 28 February with an anchor of 31).
 */
export function windowsOf(
  period: Period,
  zone: string,
  interval: Interval | null,
  anchorStart: Instant,
  anchorDay?: number,
): CutWindow[] {
  if (isEmpty(period)) return [];
  if (interval === null) return [{ window: period, full: period }];
  const anchor = {
    day: anchorDay ?? localDateOf(anchorStart, zone).day,
    month: null,
    firstStart: anchorStart,
  };
  const windows: CutWindow[] = [];
  let n = numberOfNext(period.start, zone, interval, anchor);
  for (let start = boundary(n - 1, zone, interval, anchor); start < period.end; n += 1) {
    const full = { start, end: boundary(n, zone, interval, anchor) };
    // A day that the zone skipped starts with the next day, so its window is empty.
    if (!isEmpty(full)) windows.push({ window: intersect(full, period), full });
    start = full.end;
  }
  return windows;
}

export type ProrationBasis = 'second' | 'day';

interface DayCount {
  /** Says if the last day counts: `used` by a cancellation or an end set inside it, or left to the `next` segment. */
  readonly endDay?: 'used' | 'next';
  /** Instant inside a day up to which earlier segments were measured by seconds. The rest of its day is left to count. */
  readonly secondsUntil?: Instant;
}

/**
 * Returns the fraction of its full period that a segment covers (docs/billing.md#proration). Basis `second` divides elapsed
 * times. Basis `day` divides numbers of local days: the first day counts whole; the last day counts if it is `used` (a
 * cancel, or an end set inside a day), not if it belongs to the `next` segment (a switch, a boundary at midnight). An empty
 * segment is 0.
 */
export function fractionOf(
  segment: Period,
  full: Period,
  basis: ProrationBasis,
  zone: string,
  { endDay, secondsUntil }: DayCount = {},
): Quantity {
  if (isEmpty(segment)) return ZERO;
  if (basis === 'second') return ratio(lengthOf(segment), lengthOf(full));
  const [first, last] = localDays(full, zone);
  const [from, to] = localDays(segment, zone);
  const end = endDay === 'used' ? Math.min(to + 1, last) : to;
  const ofDays = (days: number): Quantity => ratio(BigInt(days), BigInt(last - first));
  if (secondsUntil === undefined) return ofDays(end - from);
  const measured = dayNumber(localDateOf(secondsUntil, zone));
  const fractionUpTo = (at: Instant, day: number): Quantity => {
    const elapsed = elapsedFraction(earliest(at, secondsUntil), full, zone);
    return day <= measured ? elapsed : maxQuantity(elapsed, ofDays(day - first));
  };
  return subtract(fractionUpTo(segment.end, end), fractionUpTo(segment.start, from));
}

/** Returns the fraction of the days of a full period that has elapsed at an instant. */
function elapsedFraction(at: Instant, full: Period, zone: string): Quantity {
  const start = startOfLocalDay(localDateOf(full.start, zone), zone);
  return ratio(lengthOf({ start, end: at }), lengthOf({ start, end: full.end }));
}

const lengthOf = ({ start, end }: Period): bigint => toMicros(end) - toMicros(start);

const localDays = ({ start, end }: Period, zone: string): [number, number] => [
  dayNumber(localDateOf(start, zone)),
  dayNumber(localDateOf(end, zone)),
];

const monthsOf = ({ unit, count }: Interval): number =>
  unit === 'month' ? count : unit === 'year' ? 12 * count : 0;
const daysOf = ({ unit, count }: Interval): number => (unit === 'week' ? 7 * count : count);

/** Returns the month of boundary 0: the latest month whose anchor date is on or before the local day of the first start. */
function firstMonth(zone: string, { day, month, firstStart, firstZone = zone }: Anchor): number {
  const start = localDateOf(firstStart, firstZone);
  const here = monthNumber(start);
  const candidate = month === null ? here : here - start.month + month;
  if (compareDates(clampedDate(candidate, day), start) <= 0) return candidate;
  return candidate - (month === null ? 1 : 12);
}

const compareDates = (a: LocalDate, b: LocalDate): number => dayNumber(a) - dayNumber(b);
