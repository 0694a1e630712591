import { DAY, fromMicros, instant, plusMicros, toMicros, type Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { InvalidRequest } from '../../platform/http/problems/problem.js';
import { monthOf, monthsBetween, plusMonths, type Month } from '../queries/every-month.js';
import type { UsageGranularity } from '../queries/usage-granularity.js';

const MAX_MONTHS = 120;
const USUAL_MONTHS = 12;
const MAX_DAYS = 92n;
const USUAL_DAYS = 31n;

/**
 * Reads the months of UTC that the range touches.
 * @throws InvalidRequest
 */
export function monthsOf(
  now: Instant,
  start: Instant | undefined,
  end: Instant | undefined,
): { readonly first: Month; readonly last: Month } {
  const last = monthOf(end ? plusMicros(end, -1n) : now);
  const first = start ? monthOf(start) : plusMonths(last, 1 - USUAL_MONTHS);
  requireOrder(start, end ?? now);
  if (monthsBetween(first, last) > MAX_MONTHS) throw tooLong(`${MAX_MONTHS} months`);
  return { first, last };
}

/**
 * Reads the whole days of UTC that the range touches.
 * @throws InvalidRequest
 */
function daysOf(now: Instant, start: Instant | undefined, end: Instant | undefined): Period {
  const until = nextMidnight(end ?? plusMicros(now, 1n));
  const since = start
    ? plusMicros(nextMidnight(plusMicros(start, 1n)), -DAY)
    : plusMicros(until, -USUAL_DAYS * DAY);
  requireOrder(start, end ?? plusMicros(now, 1n));
  if (toMicros(until) - toMicros(since) > MAX_DAYS * DAY) throw tooLong(`${MAX_DAYS} days`);
  return { start: since, end: until };
}

/**
 * Reads the whole days or months of UTC that the range touches.
 * @throws InvalidRequest
 */
export function usageRangeOf(
  granularity: UsageGranularity,
  now: Instant,
  start: Instant | undefined,
  end: Instant | undefined,
): Period {
  if (granularity === 'day') return daysOf(now, start, end);
  const { first, last } = monthsOf(now, start, end);
  return { start: instant(`${first}T00:00:00Z`), end: instant(`${plusMonths(last, 1)}T00:00:00Z`) };
}

/** Returns the first midnight at an instant or later. */
const nextMidnight = (at: Instant): Instant => fromMicros(((toMicros(at) + DAY - 1n) / DAY) * DAY);

function requireOrder(start: Instant | undefined, end: Instant): void {
  if (start === undefined || start < end) return;
  const detail =
    'The end of the range must be after its start. Give a later range_end; without one the range ends now.';
  throw new InvalidRequest({ code: 'invalid', detail, attr: 'range_end' });
}

const tooLong = (most: string): InvalidRequest =>
  new InvalidRequest({
    code: 'invalid',
    detail: `The range is at most ${most} long. Give a later range_start.`,
    attr: 'range_start',
  });
