import { earliest, type Instant, SECOND, instant, plusMicros } from '../../kernel/instant.js';
import { fullPeriodOf, nextBoundary, renewalPeriod, type Anchor, type Period } from '../../kernel/period.js';
import { fullPeriodAt } from '../../pricing/term-basis.js';
import type { Term } from './events.js';
import { durationOf, type TermPricing } from './term-pricing.js';
import { dateOfDayNumber, dayNumber } from '../../kernel/calendar.js';
import type { FieldError } from '../../kernel/errors.js';
import { localDateOf, startOfLocalDay } from '../../kernel/zone.js';

/**
 * The first period of a renewal. It begins at a boundary of the term before; where the customer's zone has changed since,
 * boundaries have moved by hours, and it goes to the boundary a whole interval on: a full period of its own. A term that
 * ended elsewhere is followed up to the next boundary.
 * @returns `full` where it is none of the grid's
 */
export function firstPeriodAfter(
  { end: start, basis }: Pick<Term, 'end' | 'basis'>,
  { offer, zone }: TermPricing,
  anchor: Anchor,
): { readonly end: Instant; readonly full: Period | null } {
  const interval = durationOf(offer);
  const isBoundaryIn = (where: string) => fullPeriodOf(start, where, interval, anchor).start === start;
  if (zone === basis.zone || !isBoundaryIn(basis.zone) || isBoundaryIn(zone)) {
    return { end: nextBoundary(start, zone, interval, anchor), full: null };
  }
  const full = renewalPeriod(start, zone, interval, anchor);
  return { end: full.end, full };
}

/** Where the billing period that runs at an instant would have ended. */
export const endOfRunningPeriod = ({ basis, end }: Term, at: Instant): Instant =>
  earliest(fullPeriodAt(at, basis).end, end);

/** Far enough from the end of the calendar that every boundary of every plan can be written. */
export const LATEST = instant('9000-01-01T00:00:00Z');

/** An end in the last second of a local day means the midnight after it (docs/contract.md#times). */
export function normalizedEnd(end: Instant, zone: string): Instant {
  if (end >= LATEST) return end;
  const nextDay = dateOfDayNumber(dayNumber(localDateOf(end, zone)) + 1);
  const midnight = startOfLocalDay(nextDay, zone);
  return end >= plusMicros(midnight, -SECOND) ? midnight : end;
}

/** Checks an end that somebody sets. */
export function endErrors(start: Instant, end: Instant, now: Instant): FieldError[] {
  const wrong = (detail: string): FieldError[] => [{ code: 'invalid', attr: 'end_date', detail }];
  if (end >= LATEST) return wrong('Give an end before the year 9000.');
  if (end <= now) return wrong('The end is in the past.');
  return end <= start ? wrong('The end must be after the start.') : [];
}
