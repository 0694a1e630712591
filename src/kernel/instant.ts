/**
 * A point on the UTC time line with microseconds, always written `2026-01-31T00:00:00.000000Z`.
 * The fixed width makes text order time order, so instants compare with `<` and travel in JSON as they are.
 */
declare const brand: unique symbol;
export type Instant = string & { readonly [brand]: 'Instant' };

/** UTC text, which most callers send; it is read without arithmetic. */
const IN_UTC = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
const CANONICAL_LENGTH = 27;
/** Limit of characters, for as many digits after the microsecond as anyone writes. */
const MAX_LENGTH = 100;
const READABLE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))? ?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

export const SECOND = 1_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

/**
 * Reads RFC 3339 with any offset, `yyyy-mm-dd HH:mm:ss`, or a date alone (00:00). Text without an offset is UTC; digits
 * past the microsecond are dropped (docs/contract.md#times). Returns undefined for other text.
 */
export function parseInstant(text: string): Instant | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (IN_UTC.test(text) && isRealDate(text)) {
    if (text.length === CANONICAL_LENGTH) return text as Instant;
    return `${text.slice(0, 19)}.${text.slice(20, -1).padEnd(6, '0').slice(0, 6)}Z` as Instant;
  }
  const m = READABLE.exec(text.trim());
  if (!m || !isRealDate(text.trim())) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', , sign, oh, om] = m;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (sign && (Number(oh) > 23 || Number(om) > 59)) return undefined;
  // oxlint-disable-next-line no-restricted-globals -- converts, and asks no clock
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const offset = sign ? (sign === '-' ? -1 : 1) * (Number(oh) * 60 + Number(om)) * 60_000 : 0;
  const micros = BigInt(local - offset) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
  return isRepresentable(micros) ? fromMicros(micros) : undefined;
}

/** Reads text that must be an instant, such as a stored one. @throws RangeError for other text */
export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new RangeError(`not an instant: ${text}`);
  return parsed;
}

/** Microseconds since 1970-01-01T00:00Z. */
export function toMicros(at: Instant): bigint {
  // oxlint-disable-next-line no-restricted-globals -- converts, and asks no clock
  return BigInt(Date.parse(`${at.slice(0, 19)}Z`)) * 1000n + BigInt(at.slice(20, 26));
}

export function fromMicros(micros: bigint): Instant {
  if (!isRepresentable(micros)) {
    throw new RangeError(`outside the years 0001 to 9999: ${micros} microseconds`);
  }
  const fraction = ((micros % SECOND) + SECOND) % SECOND;
  // oxlint-disable-next-line no-restricted-globals -- converts, and asks no clock
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${fraction.toString().padStart(6, '0')}Z` as Instant;
}

export const plusMicros = (at: Instant, micros: bigint): Instant => fromMicros(toMicros(at) + micros);
export const earliest = (a: Instant, b: Instant): Instant => (a <= b ? a : b);
export const latest = (a: Instant, b: Instant): Instant => (a >= b ? a : b);

/** Formats an instant for the wire: whole seconds without a fraction, others with six digits. */
export const formatInstant = (at: Instant): string => at.replace('.000000Z', 'Z');

function isRealDate(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

const FIRST = -62_135_596_800_000_000n;
const LAST = 253_402_300_799_999_999n;
const isRepresentable = (micros: bigint): boolean => micros >= FIRST && micros <= LAST;

/** Day of the proleptic Gregorian calendar, without a zone. Months count from 1. */
export interface LocalDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : MONTH_LENGTHS[month - 1]!;

/** Returns the days since 1970-01-01. Counts years from March, so that the leap day is the last day of a year. */
export function dayNumber({ year, month, day }: LocalDate): number {
  const y = month > 2 ? year : year - 1;
  const daysBeforeYear = 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return daysBeforeYear + dayOfYear - 719_468;
}

export function dateOfDayNumber(number: number): LocalDate {
  const shifted = number + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Returns the months since year 0: 0001-01 is 12. */
export const monthNumber = (date: { readonly year: number; readonly month: number }): number =>
  date.year * 12 + date.month - 1;

/** Returns a day of a month, clamped to the last day of a shorter month (31 → 28 or 29 February). */
export function clampedDate(number: number, day: number): LocalDate {
  const year = Math.floor(number / 12);
  const month = number - year * 12 + 1;
  return { year, month, day: Math.min(day, daysInMonth(year, month)) };
}

export const dateText = ({ year, month, day }: LocalDate): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const FIRST_CALCULABLE = instant('1900-01-01T00:00:00Z');
const AFTER_LAST_CALCULABLE = instant('9000-01-01T00:00:00Z');
export const CALCULABLE_YEARS = 'the years 1900 to 8999';

/**
 * Compares a time with the years that leave room on both sides, so that days and months can be added to it.
 * @returns undefined for a time within them
 */
export function outsideCalculable(at: Instant): 'before' | 'after' | undefined {
  if (at < FIRST_CALCULABLE) return 'before';
  return at < AFTER_LAST_CALCULABLE ? undefined : 'after';
}
