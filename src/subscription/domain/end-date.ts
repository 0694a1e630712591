import { dateOfDayNumber, dayNumber } from '../../kernel/calendar.js';
import type { FieldError } from '../../kernel/errors.js';
import { SECOND, instant, plusMicros, type Instant } from '../../kernel/instant.js';
import { localDateOf, startOfLocalDay } from '../../kernel/zone.js';

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
