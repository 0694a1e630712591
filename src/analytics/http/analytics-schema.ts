import { AGGREGATIONS, METRIC_TYPES } from '../../catalog/domain/metric-definition.js';
import { formatInstant } from '../../kernel/instant.js';
import {
  integer,
  listOf,
  named,
  noted,
  nullable,
  number,
  object,
  oneOf,
  text,
  type Schema,
} from '../../platform/http/openapi/schema.js';
import { day, dateTime, wireId } from '../../platform/http/openapi/values.js';
import type { RowsAsOf } from '../queries/analytics-reader.js';

const money = (description: string) => number({ description });

const MONTH_AND_CURRENCY = {
  month: noted(day(), { description: 'First day of the month, in UTC.' }),
  currency_code: text({ description: 'Currency of every amount of the row (ISO 4217).' }),
};

/** Answer with its moment. */
const report = <Row, Rest extends Readonly<Record<string, Schema<unknown>>>>(
  name: string,
  row: Schema<Row>,
  rest: Rest,
) =>
  named(
    name,
    object({
      as_of: noted(dateTime(), {
        description: "The organization's present time that the rows are of: the current month is as of then.",
      }),
      position: nullable(
        text({
          description:
            "The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first.",
        }),
      ),
      rows: listOf(named(`${name}Row`, row)),
      ...rest,
    }),
  );

export const RECURRING_REVENUE = report(
  'RecurringRevenue',
  object({
    ...MONTH_AND_CURRENCY,
    customers: integer({ minimum: 0, description: 'Customers with an amount above 0.' }),
    mrr: money('Monthly recurring revenue at the end of the month; 4 decimals.'),
    new: money('From customers who paid nothing recurring the month before.'),
    expansion: money('From customers who pay more.'),
    contraction: money('From customers who pay less; 0 or negative.'),
    churn: money('From customers who pay nothing recurring any more; 0 or negative.'),
  }),
  {},
);

export const INVOICED = report(
  'InvoicedAmounts',
  object({
    ...MONTH_AND_CURRENCY,
    invoices: integer({ minimum: 0, description: 'Invoices issued in the month that are not voided.' }),
    invoiced: money('Sum of their amounts, tax and credits included.'),
    paid: money('Part of it that is paid, or settled by a later invoice.'),
    open: money('Part of it that is still to be paid.'),
  }),
  {},
);

export const RECEIVABLES = report(
  'Receivables',
  object({
    currency_code: MONTH_AND_CURRENCY.currency_code,
    customers: integer({ minimum: 0, description: 'Customers who owe something.' }),
    not_due: money('Not due yet.'),
    days_0_30: money('Overdue for up to 30 days.'),
    days_31_60: money('Overdue for 31 to 60 days.'),
    days_61_90: money('Overdue for 61 to 90 days.'),
    days_over_90: money('Overdue for more than 90 days.'),
    total: money('Sum of the five.'),
  }),
  {},
);

export const CREDIT_BALANCES = report(
  'CreditBalances',
  object({
    ...MONTH_AND_CURRENCY,
    granted: money('Given, sold or left over from an invoice.'),
    sold: money('Part of it that was sold, at the amount that can be drawn.'),
    drawn: money('Taken by invoices; 0 or negative.'),
    voided: money('Taken back; 0 or negative.'),
    expired: money('No longer to be drawn; 0 or negative.'),
    balance: money('Credits that customers hold at the end of the month: a liability.'),
  }),
  {},
);

const DAY_OR_MONTH = noted(day(), { description: 'Day of the events, or first day of their month, in UTC.' });

export const USAGE_BY_DAY = report(
  'UsageByDay',
  object({
    day: DAY_OR_MONTH,
    event_name: nullable(
      text({ description: 'Name of the events; null: all names but the 20 with most events in the range.' }),
    ),
    events: integer({ minimum: 0, description: 'Events received so far.' }),
  }),
  {
    metrics: noted(
      listOf(
        named(
          'CountingMetric',
          object({
            metric_id: noted(wireId('metric'), { description: 'The metric.' }),
            metric_name: text({ description: 'Its name.' }),
            event_name: text({ description: 'Name of the events that it reads.' }),
          }),
        ),
      ),
      { description: 'Metrics that read events of these names; what they count, `getUsage` shows.' },
    ),
  },
);

export const USAGE_BY_METRIC = report(
  'UsageByMetric',
  object({
    day: DAY_OR_MONTH,
    metric_id: noted(wireId('metric'), { description: 'The metric.' }),
    quantity: nullable(
      number({
        description:
          'Usage of each customer by the definition of the metric, added up over customers; null for averages, gauges and rates, which do not add up.',
      }),
    ),
    events: integer({ minimum: 0, description: 'Events received so far that the metric counts.' }),
  }),
  {
    metrics: noted(
      listOf(
        named(
          'MetricOfUsage',
          object({
            metric_id: noted(wireId('metric'), { description: 'The metric.' }),
            metric_name: text({ description: 'Its name.' }),
            event_name: text({ description: 'Name of the events that it reads.' }),
            metric_type: oneOf(METRIC_TYPES),
            aggregation_type: oneOf(AGGREGATIONS),
          }),
        ),
      ),
      { description: 'Metrics with rows: the 20 whose event names have most events in the range.' },
    ),
    metrics_left_out: integer({
      minimum: 0,
      description:
        'Further metrics with events of their name in the range; `metric_id` asks for one of them.',
    }),
  },
);

export const presentMoment = ({ asOf, position }: RowsAsOf<unknown>) => ({
  as_of: formatInstant(asOf),
  position,
});
