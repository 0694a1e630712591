import {
  DAY,
  fromMicros,
  HOUR,
  MINUTE,
  SECOND,
  toMicros,
  type Instant,
  dateOfDayNumber,
  dayNumber,
} from '../../kernel/instant.js';
import { fullPeriodOf, type Anchor, type Interval, type Period } from '../../kernel/period.js';
import { localDateOf, startOfLocalDay } from '../../kernel/zone.js';

/** Values of a term for granularities longer than an hour. */
export interface UsageBasis {
  /** IANA zone of the term: days are its local days. */
  readonly zone: string;
  /** Anchor that months, quarters and years of the term are counted from. */
  readonly anchor: Anchor;
  /** The period that the window is in: what `total` means. */
  readonly period: Period;
  /** Where the subscription began: a rate looks no further back. Absent: nothing limits it. */
  readonly since?: Instant;
}

/** The stretch of a granularity that an instant is in. Stretches of one granularity tile the time line. */
export type Grid = (at: Instant) => Period;

const FIXED: Readonly<Record<string, bigint>> = { seconds: SECOND, minutes: MINUTE, hours: HOUR };
const CALENDAR: Readonly<Record<string, Interval>> = {
  months: { unit: 'month', count: 1 },
  quarters: { unit: 'month', count: 3 },
  years: { unit: 'year', count: 1 },
};

/**
 * Seconds, minutes and hours are those of UTC; a day is a local day, of 23 to 25 hours; months, quarters and years are
 * the full periods of the term's anchor, also where a window is cut (docs/billing.md#granularity).
 * @throws RangeError for a granularity that needs a term where none is given
 */
export function gridOf(granularity: string, basis: UsageBasis | undefined): Grid {
  const length = FIXED[granularity];
  if (length !== undefined) return (at) => alignedSegment(at, length);
  if (!basis) throw new RangeError(`${granularity} are those of a term`);
  const { zone, anchor, period } = basis;
  if (granularity === 'total') return () => period;
  if (granularity === 'days') return remembering((at) => localDay(at, zone));
  const interval = CALENDAR[granularity];
  if (!interval) throw new RangeError(`no granularity: ${granularity}`);
  return remembering((at) => fullPeriodOf(at, zone, interval, anchor));
}

/** Microseconds from a first one to before another. */
export interface Segment {
  readonly start: bigint;
  readonly end: bigint;
}

/** `gridOf` in microseconds, for what is measured event by event. */
export function segmentsOf(granularity: string, basis: UsageBasis | undefined): (micros: bigint) => Segment {
  const length = FIXED[granularity];
  if (length !== undefined) {
    return (micros) => {
      const start = alignedStart(micros, length);
      return { start, end: start + length };
    };
  }
  const grid = gridOf(granularity, basis);
  let last: Segment | undefined;
  return (micros) => {
    if (!last || micros < last.start || micros >= last.end) {
      const { start, end } = grid(fromMicros(micros));
      last = { start: toMicros(start), end: toMicros(end) };
    }
    return last;
  };
}

/**
 * Divides a part of the time line among the stretches of a granularity: hands the microseconds in each, or in all of one
 * length together, and the length, of which they are a share.
 */
export function distribute(
  { start, end }: Segment,
  granularity: string,
  stretchAt: (micros: bigint) => Segment,
  take: (micros: bigint, length: bigint) => void,
): void {
  const length = FIXED[granularity];
  if (length !== undefined) return take(end - start, length);
  for (let from = start; from < end;) {
    const stretch = stretchAt(from);
    const until = stretch.end < end ? stretch.end : end;
    if (until <= from) throw new RangeError(`${granularity} do not reach ${fromMicros(from)}`);
    take(until - from, stretch.end - stretch.start);
    from = until;
  }
}

/**
 * The length that a rate looks back: a day is 24 hours, months and longer are as long as the full period that contains
 * the window's start, `total` as the billing period. In microseconds.
 */
export function lookbackOf(granularity: string, window: Period, basis: UsageBasis | undefined): bigint {
  if (granularity === 'days') return DAY;
  return FIXED[granularity] ?? lengthOf(gridOf(granularity, basis)(window.start));
}

const lengthOf = ({ start, end }: Period): bigint => toMicros(end) - toMicros(start);

function alignedSegment(at: Instant, length: bigint): Period {
  const start = alignedStart(toMicros(at), length);
  return { start: fromMicros(start), end: fromMicros(start + length) };
}

const alignedStart = (micros: bigint, length: bigint): bigint =>
  micros - (((micros % length) + length) % length);

/** A day that a zone left out is no stretch: the next begins at the same instant. */
function localDay(at: Instant, zone: string): Period {
  const day = dayNumber(localDateOf(at, zone));
  return {
    start: startOfLocalDay(dateOfDayNumber(day), zone),
    end: startOfLocalDay(dateOfDayNumber(day + 1), zone),
  };
}

/** Readings come in the order of time, so that the next is mostly in the stretch of the last. */
function remembering(find: Grid): Grid {
  let last: Period | undefined;
  return (at) => {
    if (!last || at < last.start || at >= last.end) last = find(at);
    return last;
  };
}
