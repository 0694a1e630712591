/** A day of the proleptic Gregorian calendar, without a zone. Months count from 1. */
export interface LocalDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : MONTH_LENGTHS[month - 1]!;

/** Days since 1970-01-01; years are counted from March, so that the leap day is the last of its year. */
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

/** Months since year 0: 0001-01 is 12. */
export const monthNumber = (date: { readonly year: number; readonly month: number }): number =>
  date.year * 12 + date.month - 1;

/** The day in that month, or the month's last day where it is shorter (31 → 28 or 29 February). */
export function clampedDate(number: number, day: number): LocalDate {
  const year = Math.floor(number / 12);
  const month = number - year * 12 + 1;
  return { year, month, day: Math.min(day, daysInMonth(year, month)) };
}

export const dateText = ({ year, month, day }: LocalDate): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
