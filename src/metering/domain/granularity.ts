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
  /** Start of the subscription, before which a rate does not look; absent for no limit. */
  readonly since?: Instant;
}

/** Returns the segment of a granularity that contains an instant. Segments of one granularity tile the time line. */
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

/** Span of microseconds, half-open. */
export interface Segment {
  readonly start: bigint;
  readonly end: bigint;
}

/** Returns `gridOf` in microseconds, for levels that are measured event by event. */
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
 * Distributes a part of the time line over the segments of a granularity. `take` gets the microseconds in each
 * segment and its length; segments of one length come together.
 */
export function distribute(
  { start, end }: Segment,
  granularity: string,
  segmentAt: (micros: bigint) => Segment,
  take: (micros: bigint, length: bigint) => void,
): void {
  const length = FIXED[granularity];
  if (length !== undefined) return take(end - start, length);
  for (let from = start; from < end;) {
    const stretch = segmentAt(from);
    const until = stretch.end < end ? stretch.end : end;
    if (until <= from) throw new RangeError(`${granularity} do not reach ${fromMicros(from)}`);
    take(until - from, stretch.end - stretch.start);
    from = until;
  }
}

/**
 * Returns the length of a rate's sliding window in microseconds: a day is 24 hours, months and longer are as long as
 * the full period that contains the start of the window, `total` is as long as the period of the basis.
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

/** A day that a zone skipped is not a segment: the next day begins at the same instant. */
function localDay(at: Instant, zone: string): Period {
  const day = dayNumber(localDateOf(at, zone));
  return {
    start: startOfLocalDay(dateOfDayNumber(day), zone),
    end: startOfLocalDay(dateOfDayNumber(day + 1), zone),
  };
}

/** Keeps the last segment: readings come in the order of time, so the next one is mostly in it. */
function remembering(find: Grid): Grid {
  let last: Period | undefined;
  return (at) => {
    if (!last || at < last.start || at >= last.end) last = find(at);
    return last;
  };
}
