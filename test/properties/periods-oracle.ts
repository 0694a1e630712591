import type { RunTerm } from '../../src/billing/rating/run.js';
import {
  clampedDate,
  dayNumber,
  monthNumber,
  DAY,
  earliest,
  plusMicros,
  toMicros,
  type Instant,
} from '../../src/kernel/instant.js';
import { fractionOf, fullPeriodOf, windowsOf, type Interval, type Period } from '../../src/kernel/period.js';
import { multiply, ratio, roundHalfAwayFromZero, type Quantity } from '../../src/kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../../src/kernel/zone.js';

/** Rounds an amount to minor units. */
export const cents = (exact: Quantity): bigint => roundHalfAwayFromZero(multiply(exact, ratio(100n, 1n)));

export function periodsOf({ term }: RunTerm): { period: Period; full: Period }[] {
  const { zone, duration, anchor, firstFull } = term.basis;
  const periods = [];
  for (let start = term.start; start < term.end;) {
    // A term that is renewed in another zone begins beside a boundary. `firstFull` is its first full period,
    // also for its add-ons.
    const isBeside = firstFull !== undefined && firstFull.start <= start && start < firstFull.end;
    const full = isBeside ? firstFull : fullPeriodOf(start, zone, duration, anchor);
    const end = earliest(full.end, term.end);
    periods.push({ period: { start, end }, full });
    start = end;
  }
  return periods;
}

export function windows(period: Period, full: Period, interval: Interval | null, { term }: RunTerm) {
  const { zone, anchor } = term.basis;
  if (interval === null) return [{ window: period, full }];
  const from = countedFrom(period.start, term);
  // A period that begins on the anchor's day keeps it, also when its first month is too short for it.
  const date = localDateOf(from, zone);
  const onAnchor = dayNumber(clampedDate(monthNumber(date), anchor.day)) === dayNumber(date);
  // A period may end by the boundary that its windows count from.
  const end = from < period.end ? period.end : plusMicros(from, 1n);
  const counted = windowsOf({ start: from, end }, zone, interval, from, onAnchor ? anchor.day : undefined);
  const later = counted.filter(({ window }) => window.end > period.start);
  const [first, ...others] = later;
  if (!first || from === period.start) return later;
  const begun = {
    window: { start: period.start, end: earliest(first.window.end, period.end) },
    full: { ...first.full, start: period.start },
  };
  return [begun, ...others];
}

/**
 * Returns the instant that windows are counted from. A term that is renewed in another zone counts from the
 * boundary beside its start, a day away at most.
 */
function countedFrom(start: Instant, { basis }: RunTerm['term']): Instant {
  if (start !== basis.firstFull?.start) return start;
  const days = [-2n, -1n, 0n, 1n, 2n].map((n) => localDateOf(plusMicros(start, n * DAY), basis.zone));
  const onAnchor = (date: (typeof days)[number]) =>
    dayNumber(clampedDate(monthNumber(date), basis.anchor.day)) === dayNumber(date);
  const [boundary] = days.filter(onAnchor);
  return startOfLocalDay(boundary!, basis.zone);
}

/** Returns the instant that a day is counted from: a renewal leaves out the day that the term before was charged for. */
export function countedAt(at: Instant, { term }: RunTerm): Instant {
  const { daysFrom } = term.basis;
  return daysFrom !== undefined && at >= term.start && at < daysFrom ? daysFrom : at;
}

/** Tells whether a term ends before the full period that its last instant is in. */
const isCutInside = (runTerm: RunTerm): boolean =>
  periodsOf(runTerm).every(({ full }) => full.end !== runTerm.term.end);

/** Tells whether a cancellation cuts a window: one that ends at its very instant is over. */
export const isCut = (full: Period, ofPeriod: Period, { cancelled, term }: RunTerm): boolean =>
  cancelled !== undefined && earliest(full.end, ofPeriod.end) > term.end;

export function share(part: Period, full: Period, runTerm: RunTerm): Quantity {
  const { term, endedBy } = runTerm;
  const { prorationBasis, zone, daysFrom } = term.basis;
  const segment = { start: countedAt(part.start, runTerm), end: countedAt(part.end, runTerm) };
  if (prorationBasis === 'day') {
    const isMidnight = startOfLocalDay(localDateOf(term.end, zone), zone) === term.end;
    // The day of a switch belongs to the new plan.
    const isUsed = endedBy === 'cancelled' ? isCutInside(runTerm) : endedBy === null && !isMidnight;
    const endsInside = segment.end === term.end && isUsed;
    const endDay = endsInside ? 'used' : 'next';
    const bySeconds = daysFrom !== undefined && startOfLocalDay(localDateOf(daysFrom, zone), zone) < daysFrom;
    return fractionOf(segment, full, 'day', zone, { endDay, ...(bySeconds && { secondsUntil: daysFrom }) });
  }
  return ratio(toMicros(segment.end) - toMicros(segment.start), toMicros(full.end) - toMicros(full.start));
}
