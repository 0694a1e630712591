import { dateInMonth, dateOfDayNumber, dayNumber, monthNumber } from './calendar.js';
import type { LocalDate } from './calendar.js';
import { earliest, latest, toMicros } from './instant.js';
import type { Instant } from './instant.js';
import { ZERO, ratio } from './quantity.js';
import type { Quantity } from './quantity.js';
import { localDateOf, startOfLocalDay } from './zone.js';

/** Half-open: the start belongs to it, the end to what follows. */
export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

export type IntervalUnit = 'day' | 'week' | 'month' | 'year';

/** `count` is 1 or more. */
export interface Interval {
  readonly unit: IntervalUnit;
  readonly count: number;
}

export type PlanDuration = 'monthly' | 'quarterly' | 'yearly';

/**
 * The anchor that every boundary of a term is counted from, and that a renewal keeps: the day of the month (clamped in
 * shorter months), the month or null for any, and the start of the first term, which says where counting begins.
 */
export interface Anchor {
  readonly day: number;
  readonly month: number | null;
  readonly firstStart: Instant;
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
 * The anchor of a first term: the start's local day, or the plan version's `day_anchor` and `month_anchor` (which
 * alone means day 1). With months the month that counting begins in is kept too, so that a later change of the zone
 * cannot move a quarter.
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
 * Boundary number n of the grid: anchor + n intervals at local midnight, n of either sign. Boundary 0 is the latest
 * anchor date on or before the first start. Never computed from the boundary before (31 Jan → 28 Feb → 31 Mar).
 */
function boundary(n: number, zone: string, interval: Interval, anchor: Anchor): Instant {
  const month = firstMonth(zone, anchor);
  const months = monthsOf(interval);
  if (months > 0) return startOfLocalDay(dateInMonth(month + n * months, anchor.day), zone);
  const day = dayNumber(dateInMonth(month, anchor.day)) + n * daysOf(interval);
  return startOfLocalDay(dateOfDayNumber(day), zone);
}

/** The first boundary after an instant, as its number. */
function numberOfNext(after: Instant, zone: string, interval: Interval, anchor: Anchor): number {
  if (!Number.isInteger(interval.count) || interval.count < 1) {
    throw new RangeError(`an interval is 1 or more whole units, not ${interval.count}`);
  }
  const date = localDateOf(after, zone);
  const month = firstMonth(zone, anchor);
  const months = monthsOf(interval);
  let n =
    months > 0
      ? Math.floor((monthNumber(date) - month) / months)
      : Math.floor((dayNumber(date) - dayNumber(dateInMonth(month, anchor.day))) / daysOf(interval));
  while (boundary(n, zone, interval, anchor) <= after) n += 1;
  return n;
}

/** The first boundary of the anchor's grid strictly after an instant. */
export const nextBoundary = (after: Instant, zone: string, interval: Interval, anchor: Anchor): Instant =>
  boundary(numberOfNext(after, zone, interval, anchor), zone, interval, anchor);

/** The full period of the anchor's grid that an instant is in: what a part of it is measured against. */
export function fullPeriodOf(at: Instant, zone: string, interval: Interval, anchor: Anchor): Period {
  const n = numberOfNext(at, zone, interval, anchor);
  return { start: boundary(n - 1, zone, interval, anchor), end: boundary(n, zone, interval, anchor) };
}

/**
 * The period of a renewal that starts at an old boundary: to the boundary after the one nearest to its start. In an
 * unchanged zone that is simply the next; where the renewal takes another zone, the grid has moved by hours, and the
 * next one could be the old boundary's own double. It is a full period, measured against itself.
 */
export function renewalPeriod(start: Instant, zone: string, interval: Interval, anchor: Anchor): Period {
  const n = numberOfNext(start, zone, interval, anchor);
  const [before, after] = [n - 1, n].map((number) => boundary(number, zone, interval, anchor));
  const isNearer = toMicros(after!) - toMicros(start) < toMicros(start) - toMicros(before!);
  return { start, end: isNearer ? boundary(n + 1, zone, interval, anchor) : after! };
}

export interface CutWindow {
  /** The part inside the period. */
  readonly window: Period;
  /** The whole interval it is a part of. */
  readonly full: Period;
}

/**
 * A period cut into windows of one interval each, counted from `anchorStart`'s local day; without an interval the
 * period itself. They tile the period: the first begins with it, the last is cut at its end. `anchorDay` is the day of
 * the month that is meant where `anchorStart` was clamped (a period that begins on 28 February by an anchor of 31).
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
    // A day that the zone left out has the same start as the next one.
    if (!isEmpty(full)) windows.push({ window: intersect(full, period), full });
    start = full.end;
  }
  return windows;
}

export type ProrationBasis = 'second' | 'day';

/**
 * The part of its full period that a segment is (docs/billing.md#proration). `second`: true elapsed time. `day`: local
 * calendar dates, the day of starting whole; the day that the segment ends on counts when it is `used` (a cancel, or an
 * end set inside a day) and not when it belongs to what comes `next` (a switch, a boundary at midnight). A segment
 * without elapsed time is 0 in either basis.
 */
export function fractionOf(
  segment: Period,
  full: Period,
  basis: ProrationBasis,
  zone: string,
  { endDay }: { readonly endDay?: 'used' | 'next' } = {},
): Quantity {
  if (isEmpty(segment)) return ZERO;
  if (basis === 'second') return ratio(lengthOf(segment), lengthOf(full));
  const [first, last] = localDays(full, zone);
  const [from, to] = localDays(segment, zone);
  const end = endDay === 'used' ? Math.min(to + 1, last) : to;
  return ratio(BigInt(end - from), BigInt(last - first));
}

const lengthOf = ({ start, end }: Period): bigint => toMicros(end) - toMicros(start);

const localDays = ({ start, end }: Period, zone: string): [number, number] => [
  dayNumber(localDateOf(start, zone)),
  dayNumber(localDateOf(end, zone)),
];

const monthsOf = ({ unit, count }: Interval): number =>
  unit === 'month' ? count : unit === 'year' ? 12 * count : 0;
const daysOf = ({ unit, count }: Interval): number => (unit === 'week' ? 7 * count : count);

/** The month of boundary 0: the latest whose anchor date is on or before the first start's local day. */
function firstMonth(zone: string, { day, month, firstStart }: Anchor): number {
  const start = localDateOf(firstStart, zone);
  const here = monthNumber(start);
  const candidate = month === null ? here : here - start.month + month;
  if (compareDates(dateInMonth(candidate, day), start) <= 0) return candidate;
  return candidate - (month === null ? 1 : 12);
}

const compareDates = (a: LocalDate, b: LocalDate): number => dayNumber(a) - dayNumber(b);
