import { Temporal } from 'temporal-polyfill';
import { dateOfDayNumber, dateText, dayNumber, type LocalDate, fromMicros, type Instant } from './instant.js';

/** Half-open span of UTC milliseconds in which a zone has one offset. */
interface OffsetSpan {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

interface ZoneCache {
  readonly spans: OffsetSpan[];
  readonly midnights: Map<number, Instant>;
}

/** Caches by zone: thousands of terms share a few zones. */
const caches = new Map<string, ZoneCache>();
const LARGEST_CACHE = 20_000;
/** Limit of cached zones, above the number of zone names; a name can be spelled in many ways. */
const MAX_ZONES = 1_000;
const DAY_MS = 86_400_000;

/** Returns whether text is a name of the IANA time zone database, such as `Europe/Paris` or `UTC`; an offset is not. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  if (caches.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the calendar day of an instant in a zone. */
export function localDateOf(at: Instant, zone: string): LocalDate {
  if (zone === 'UTC') return dateOfText(at);
  // oxlint-disable-next-line no-restricted-globals -- converts, and asks no clock
  const milliseconds = Date.parse(`${at.slice(0, 19)}Z`);
  return dateOfDayNumber(Math.floor((milliseconds + offsetAt(milliseconds, zone)) / DAY_MS));
}

/** Returns the local day as `yyyy-mm-dd`. */
export const localDateText = (at: Instant, zone: string): string => dateText(localDateOf(at, zone));

/**
 * Returns the first instant of a local day: midnight, the earlier one if midnight occurs twice, or the first instant after
 * it if it does not exist (docs/billing.md#terms-and-periods). A day that the zone skipped (Samoa, 30 December 2011)
 * starts with the next day.
 */
export function startOfLocalDay(date: LocalDate, zone: string): Instant {
  if (zone === 'UTC') return utcMidnight(date);
  const { midnights } = cacheOf(zone);
  const key = dayNumber(date);
  const known = midnights.get(key);
  if (known !== undefined) return known;
  const start = Temporal.PlainDate.from({ ...date }).toZonedDateTime({ timeZone: zone });
  const computed = fromMicros(BigInt(start.epochMilliseconds) * 1000n);
  if (midnights.size >= LARGEST_CACHE) midnights.clear();
  midnights.set(key, computed);
  return computed;
}

/** Returns whether an instant is later than the start of its local day. */
export const isInsideLocalDay = (at: Instant, zone: string): boolean =>
  startOfLocalDay(localDateOf(at, zone), zone) < at;

/** Returns the first instant of the local day after that of an instant. */
export const startOfNextLocalDay = (at: Instant, zone: string): Instant =>
  startOfLocalDay(dateOfDayNumber(dayNumber(localDateOf(at, zone)) + 1), zone);

function utcMidnight(date: LocalDate): Instant {
  const isInRange = date.year >= 1 && date.year <= 9999;
  if (!isInRange) throw new RangeError(`outside the years 0001 to 9999: ${date.year}`);
  return `${dateText(date)}T00:00:00.000000Z` as Instant;
}

const dateOfText = (at: string): LocalDate => ({
  year: Number(at.slice(0, 4)),
  month: Number(at.slice(5, 7)),
  day: Number(at.slice(8, 10)),
});

function cacheOf(zone: string): ZoneCache {
  let cache = caches.get(zone);
  if (!cache) {
    if (!isZone(zone)) throw new RangeError(`not a time zone: ${zone}`);
    cache = { spans: [], midnights: new Map() };
    if (caches.size >= MAX_ZONES) caches.clear();
    caches.set(zone, cache);
  }
  return cache;
}

function offsetAt(milliseconds: number, zone: string): number {
  const { spans } = cacheOf(zone);
  const known = spans.find((span) => span.from <= milliseconds && milliseconds < span.to);
  if (known) return known.offset;
  const here = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone);
  const next = here.getTimeZoneTransition('next');
  const previous = here.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const span = {
    from: previous?.epochMilliseconds ?? -Infinity,
    to: next?.epochMilliseconds ?? Infinity,
    offset: here.offsetNanoseconds / 1_000_000,
  };
  spans.push(span);
  return span.offset;
}
