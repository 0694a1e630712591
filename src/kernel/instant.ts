import { daysInMonth } from './calendar.js';

/**
 * A point on the UTC time line with microseconds, always written `2026-01-31T00:00:00.000000Z`.
 * The fixed width makes text order time order, so instants compare with `<` and travel in JSON as they are.
 */
declare const brand: unique symbol;
export type Instant = string & { readonly [brand]: 'Instant' };

/** The canonical form without fraction, which most callers send: read without arithmetic. */
const IN_UTC = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;
const CANONICAL_LENGTH = 27;
const READABLE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))? ?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

export const SECOND = 1_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

/**
 * Reads RFC 3339 with any offset, `yyyy-mm-dd HH:mm:ss` and a date alone (00:00); without an offset UTC
 * (docs/contract.md#times). Digits past the microsecond are dropped. Undefined for anything else.
 */
export function parseInstant(text: string): Instant | undefined {
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

/** Reads text that is known to be an instant, such as a stored one. @throws RangeError otherwise */
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
