import { formatDay, formatDayOf } from './instant.js';

/** Name of an invoice line with its days in the reader's language: a line for late usage names its window. */
export const lineName = (name: string): string => name.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, formatDay);

interface Period {
  readonly start_date: string;
  readonly end_date: string;
}

/** First and last day of a line; together they may be wider than a phone has room. */
export const lineDays = ({ start_date: start, end_date: end }: Period, zone: string): string[] => [
  `${formatDayOf(start, zone)} –`,
  formatDayOf(end, zone),
];
