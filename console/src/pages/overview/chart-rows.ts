import type { ChartData, ChartRow } from '../../charts/chart-data.js';
import { seriesOf } from '../../charts/chart-data.js';
import { LOCALE } from '../../shared/locale.js';
import type { Receivables, UsageByDay } from '../../../../clients/typescript/src/index.js';

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const MONTH_TICK = new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const DAY_TICK = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** A bar per month, from the fields named. */
export const monthlyRows = <Row extends { readonly month: string }>(
  rows: readonly Row[],
  ...fields: readonly (keyof Row)[]
): ChartRow[] =>
  rows.map((row) => ({
    label: MONTH.format(dateOf(row.month)),
    tick: MONTH_TICK.format(dateOf(row.month)),
    values: fields.map((field) => row[field] as number),
  }));

/** Days that the API answers where no range is asked for. */
const DAYS_SHOWN = 31;
const MS_PER_DAY = 86_400_000;

/** Event names with a series of their own. */
const MOST_SERIES = 5;
const OTHERS = 'Other events';

/** A bar per day, a series per event name; names beyond the most used share one. */
export function usageData({ rows, as_of: now }: UsageByDay): ChartData {
  const totals = new Map<string, number>();
  for (const { event_name: name, events } of rows)
    if (name !== null) totals.set(name, (totals.get(name) ?? 0) + events);
  const names = [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const own = names.slice(0, MOST_SERIES);
  const hasOthers = names.length > own.length || rows.some(({ event_name: name }) => name === null);
  const columns = hasOthers ? [...own, OTHERS] : own;
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) =>
    new Date(dateOf(now.slice(0, 10)).getTime() - (DAYS_SHOWN - 1 - index) * MS_PER_DAY)
      .toISOString()
      .slice(0, 10),
  );
  return {
    series: seriesOf(...columns),
    rows: days.map((day) => {
      const values = columns.map(() => 0);
      for (const { event_name: name, events } of rows.filter((row) => row.day === day)) {
        const place = own.indexOf(name ?? OTHERS);
        values[place < 0 ? columns.length - 1 : place]! += events;
      }
      return { label: DAY.format(dateOf(day)), tick: DAY_TICK.format(dateOf(day)), values };
    }),
  };
}

const AGES = [
  ['Not due yet', 'Not due', 'not_due'],
  ['Up to 30 days overdue', '0–30', 'days_0_30'],
  ['31 to 60 days overdue', '31–60', 'days_31_60'],
  ['61 to 90 days overdue', '61–90', 'days_61_90'],
  ['More than 90 days overdue', '90+', 'days_over_90'],
] as const;

/** A bar per age. */
export const ageRows = (row: Receivables['rows'][number]): ChartRow[] =>
  AGES.map(([label, tick, field]) => ({ label, tick, values: [row[field]] }));
