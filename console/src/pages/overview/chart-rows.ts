import type { ChartData, ChartLink, ChartRow } from '../../charts/chart-data.js';
import { seriesOf } from '../../charts/chart-data.js';
import { LOCALE } from '../../shared/locale.js';
import type { Receivables, UsageByDay, UsageByMetric } from '../../../../clients/typescript/src/index.js';
import { partsOf, type OverviewRange } from './range.js';

type Granularity = OverviewRange['usage']['granularity'];

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const MONTH_TICK = new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' });

/** Names a month on an axis; January has the year, which the axis has no room for elsewhere. */
const monthTick = (month: string): string =>
  month.slice(5, 7) === '01' ? month.slice(0, 4) : MONTH_TICK.format(dateOf(month));

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const DAY_TICK = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/**
 * Returns the name of a month, such as Mar 2026.
 * @param month first day of the month
 */
export const monthName = (month: string): string => MONTH.format(dateOf(month));

/** Returns a bar per month, from the named fields. */
export const monthlyRows = <Row extends { readonly month: string }>(
  rows: readonly Row[],
  ...fields: readonly (keyof Row)[]
): ChartRow[] =>
  rows.map((row) => ({
    label: monthName(row.month),
    tick: monthTick(row.month),
    values: fields.map((field) => row[field] as number),
  }));

/** First instant after a day or a month. */
function endOf(day: string, granularity: Granularity): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const end = granularity === 'month' ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, date + 1);
  return new Date(end).toISOString().replace('.000Z', 'Z');
}

/** Links to the invoices that were issued in a month and count: voided ones are in no bar. */
export const invoicesOfMonth = (month: string, currency: string): ChartLink => ({
  to: '/invoices',
  search: {
    status: 'not_voided',
    currency_code: currency,
    issued_after: month,
    issued_before: new Date(Date.parse(endOf(month, 'month')) - 1).toISOString().slice(0, 10),
  },
});

/** Links to the usage events of a day or a month. */
const eventsOf = (day: string, granularity: Granularity, metricId?: string): ChartLink => ({
  to: '/events',
  search: {
    range_start: `${day}T00:00:00Z`,
    range_end: endOf(day, granularity),
    ...(metricId === undefined ? {} : { metric_id: metricId }),
  },
});

/** Number of event names with a series of their own. */
const MOST_SERIES = 5;
const OTHERS = 'Other events';

/** Returns the label of a bar of usage, a day or a month. */
const partNames = (day: string, granularity: Granularity): Pick<ChartRow, 'label' | 'tick'> =>
  granularity === 'month'
    ? { label: monthName(day), tick: monthTick(day) }
    : { label: DAY.format(dateOf(day)), tick: DAY_TICK.format(dateOf(day)) };

/** Returns a bar per day or month, a series per event name; names beyond the most used share one. */
export function usageData({ rows, as_of: now }: UsageByDay, range: OverviewRange['usage']): ChartData {
  const totals = new Map<string, number>();
  for (const { event_name: name, events } of rows)
    if (name !== null) totals.set(name, (totals.get(name) ?? 0) + events);
  const names = [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const own = names.slice(0, MOST_SERIES);
  const hasOthers = names.length > own.length || rows.some(({ event_name: name }) => name === null);
  const columns = hasOthers ? [...own, OTHERS] : own;
  return {
    series: seriesOf(...columns),
    rows: partsOf(range, now).map((day) => {
      const values = columns.map(() => 0);
      for (const { event_name: name, events } of rows.filter((row) => row.day === day)) {
        const place = own.indexOf(name ?? OTHERS);
        values[place < 0 ? columns.length - 1 : place]! += events;
      }
      return {
        ...partNames(day, range.granularity),
        link: eventsOf(day, range.granularity),
        values,
      };
    }),
  };
}

/** Returns a bar per day or month: the quantity of a metric, or its events when quantities do not add up. */
export function metricData(
  { rows, as_of: now }: UsageByMetric,
  metric: UsageByMetric['metrics'][number],
  range: OverviewRange['usage'],
): ChartData {
  const own = new Map(
    rows
      .filter(({ metric_id: id }) => id === metric.metric_id)
      .map(({ day, quantity, events }) => [day, quantity ?? events]),
  );
  return {
    series: seriesOf(hasQuantity({ rows }, metric) ? metric.metric_name : 'Events'),
    rows: partsOf(range, now).map((day) => ({
      ...partNames(day, range.granularity),
      link: eventsOf(day, range.granularity, metric.metric_id),
      values: [own.get(day) ?? 0],
    })),
  };
}

/** Tells whether the quantities of a metric add up over customers. */
export const hasQuantity = (
  { rows }: Pick<UsageByMetric, 'rows'>,
  { metric_id: id }: UsageByMetric['metrics'][number],
): boolean => rows.some((row) => row.metric_id === id && row.quantity !== null);

const AGES = [
  ['not due yet', 'Not due', 'not_due'],
  ['up to 30 days', '0–30', 'days_0_30'],
  ['31 to 60 days', '31–60', 'days_31_60'],
  ['61 to 90 days', '61–90', 'days_61_90'],
  ['more than 90 days', '90+', 'days_over_90'],
] as const;

/**
 * Returns a bar per age. Without a payment term an invoice is never overdue, and its age is the time since its issue.
 * @param hasTerm whether the organization sets a time within which invoices are paid
 */
export const ageRows = (row: Receivables['rows'][number], hasTerm: boolean): ChartRow[] =>
  AGES.filter(([, , field]) => field !== 'not_due' || hasTerm || row.not_due > 0).map(
    ([words, tick, field]) => ({
      label:
        field === 'not_due'
          ? 'Not due yet'
          : `${hasTerm ? 'Overdue' : 'Issued'} ${words}${hasTerm ? '' : ' ago'}`,
      tick,
      link: field === 'not_due' || !hasTerm ? unpaidByAge(row.currency_code) : overdueIn(row.currency_code),
      values: [row[field]],
    }),
  );

/** Links to invoices whose due date is past, the longest overdue first. */
export const overdueIn = (currency: string): ChartLink => ({
  to: '/invoices',
  search: { status: 'overdue', currency_code: currency, sort: 'pay_by' },
});

/** Links to unpaid invoices, the oldest first. */
export const unpaidByAge = (currency: string): ChartLink => ({
  to: '/invoices',
  search: { status: 'unpaid', currency_code: currency, sort: 'issued' },
});
