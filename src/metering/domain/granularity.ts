import { DAY, fromMicros, HOUR, MINUTE, SECOND, toMicros, type Instant } from '../../kernel/instant.js';
import { dateOfDayNumber, dayNumber } from '../../kernel/calendar.js';
import { fullPeriodOf, intersect, type Anchor, type Interval, type Period } from '../../kernel/period.js';
import { add, ratio, ZERO, type Quantity } from '../../kernel/quantity.js';
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
  if (length !== undefined) return (at) => alignedStretch(at, length);
  if (!basis) throw new RangeError(`${granularity} are those of a term`);
  const { zone, anchor, period } = basis;
  if (granularity === 'total') return () => period;
  if (granularity === 'days') return remembering((at) => localDay(at, zone));
  const interval = CALENDAR[granularity];
  if (!interval) throw new RangeError(`no granularity: ${granularity}`);
  return remembering((at) => fullPeriodOf(at, zone, interval, anchor));
}

/** Returns the number of grid stretches in a period; a partial stretch counts by its share of the whole one. */
export function stretchesIn({ start, end }: Period, granularity: string, grid: Grid): Quantity {
  const length = FIXED[granularity];
  if (length !== undefined) return ratio(toMicros(end) - toMicros(start), length);
  let sum = ZERO;
  for (let from = start; from < end;) {
    const stretch = grid(from);
    const part = intersect({ start: from, end }, stretch);
    if (part.end <= from) throw new RangeError(`${granularity} do not reach ${from}`);
    sum = add(sum, ratio(lengthOf(part), lengthOf(stretch)));
    from = part.end;
  }
  return sum;
}

/**
 * The length that a rate looks back: a day is 24 hours, months and longer are as long as the full period that contains
 * the window's start, `total` as the billing period. In microseconds.
 */
export function lookBackOf(granularity: string, window: Period, basis: UsageBasis | undefined): bigint {
  if (granularity === 'days') return DAY;
  return FIXED[granularity] ?? lengthOf(gridOf(granularity, basis)(window.start));
}

const lengthOf = ({ start, end }: Period): bigint => toMicros(end) - toMicros(start);

function alignedStretch(at: Instant, length: bigint): Period {
  const micros = toMicros(at);
  const start = micros - (((micros % length) + length) % length);
  return { start: fromMicros(start), end: fromMicros(start + length) };
}

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
