import { groupBy } from '../../kernel/iteration.js';
import type { Instant } from '../../kernel/instant.js';

/** First day of a month in UTC, such as 2026-01-01. */
export type Month = string;

export interface MonthlyRow {
  readonly month: Month;
  readonly currency: string;
}

export const monthOf = (at: Instant): Month => `${at.slice(0, 7)}-01`;

/** Counts from January of the year 0. */
const numberOf = (month: Month): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

const monthAt = (number: number): Month =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}-01`;

/** Returns the month a number of months later, or earlier if negative. */
export const plusMonths = (month: Month, count: number): Month => monthAt(numberOf(month) + count);

/** Counts the months from one to another, both included. */
export const monthsBetween = (first: Month, last: Month): number => numberOf(last) - numberOf(first) + 1;

/**
 * Returns a row per currency and month from `first` to `last`. Rows of earlier months give the values with
 * which a currency begins.
 * @param rows in the order of currency and month
 * @param absent makes the row of a month without one, from the row of the month before
 */
export function everyMonth<Row extends MonthlyRow>(
  rows: readonly Row[],
  first: Month,
  last: Month,
  absent: (at: MonthlyRow, before: Row | undefined) => Row,
): Row[] {
  return [...groupBy(rows, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const byMonth = new Map(own.map((row) => [row.month, row]));
    let before = own.findLast(({ month }) => month < first);
    return Array.from({ length: Math.max(0, monthsBetween(first, last)) }, (_, index) => {
      const month = plusMonths(first, index);
      return (before = byMonth.get(month) ?? absent({ month, currency }, before));
    });
  });
}
