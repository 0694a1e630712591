import { Controller, Get, Inject } from '@nestjs/common';
import { toWireId } from '../../kernel/ids.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { MonthlyReports, type MonthsSelection } from '../queries/monthly-reports.js';
import { ReceivablesReport } from '../queries/receivables-report.js';
import { UsageByDayReport } from '../queries/usage-by-day.js';
import { UsageByMetricReport } from '../queries/usage-by-metric.js';
import { USAGE_GRANULARITIES } from '../queries/usage-granularity.js';
import {
  CREDIT_BALANCES,
  INVOICED,
  presentMoment,
  RECEIVABLES,
  RECURRING_REVENUE,
  USAGE_BY_DAY,
  USAGE_BY_METRIC,
} from './analytics-schema.js';
import { monthsOf, usageRangeOf } from './range.js';

const RANGE = {
  rangeStart: (q: QueryParams) => q.calculableInstant('range_start'),
  rangeEnd: (q: QueryParams) => q.calculableInstant('range_end'),
};
const CURRENCY = { currency: (q: QueryParams) => q.currency('currency_code') };
const MONTHS = { ...RANGE, ...CURRENCY };
const USAGE = {
  ...RANGE,
  granularity: (q: QueryParams) => q.choice('granularity', USAGE_GRANULARITIES) ?? 'day',
};
const OF_EVENTS = { ...USAGE, eventName: (q: QueryParams) => q.one('event_name') };
const OF_METRICS = { ...USAGE, metricId: (q: QueryParams) => q.id('metric_id', 'metric') };

/** Converts PostgreSQL's decimal texts to numbers, which are exact up to 15 digits. */
const numbers = <Row extends object, Field extends keyof Row>(
  row: Row,
  ...fields: readonly Field[]
): { readonly [Name in Field]: number } =>
  Object.fromEntries(fields.map((field) => [field, Number(row[field])])) as {
    readonly [Name in Field]: number;
  };

const monthAndCurrency = ({ month, currency }: { readonly month: string; readonly currency: string }) => ({
  month,
  currency_code: currency,
});

/** Aggregates over all customers (docs/contract.md#analytics). */
@Controller('api/analytics')
@RequestCost(LONG_READ_COST)
export class AnalyticsController {
  constructor(
    private readonly monthly: MonthlyReports,
    private readonly receivables: ReceivablesReport,
    private readonly usage: UsageByDayReport,
    private readonly usageByMetric: UsageByMetricReport,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('recurring-revenue')
  @Operation({
    summary: 'Returns monthly recurring revenue and its movements: new, expansion, contraction, churn.',
    answer: RECURRING_REVENUE,
    query: MONTHS,
  })
  async getRecurringRevenue(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof RECURRING_REVENUE>> {
    const report = await this.monthly.recurringRevenue(org, await this.monthsIn(org, query.read(MONTHS)));
    return {
      ...presentMoment(report),
      rows: report.rows.map((row) => ({
        ...monthAndCurrency(row),
        ...numbers(row, 'customers', 'mrr', 'new', 'expansion', 'contraction', 'churn'),
      })),
    };
  }

  @Get('invoiced')
  @Operation({
    summary: 'Returns what was invoiced by month of issue, and what of it is paid and open.',
    answer: INVOICED,
    query: MONTHS,
  })
  async getInvoicedAmounts(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof INVOICED>> {
    const report = await this.monthly.invoiced(org, await this.monthsIn(org, query.read(MONTHS)));
    return {
      ...presentMoment(report),
      rows: report.rows.map((row) => ({
        ...monthAndCurrency(row),
        ...numbers(row, 'invoices', 'invoiced', 'paid', 'open'),
      })),
    };
  }

  @Get('receivables')
  @Operation({
    summary: 'Returns open amounts by how long they are overdue.',
    answer: RECEIVABLES,
    query: CURRENCY,
  })
  async getReceivables(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof RECEIVABLES>> {
    const report = await this.receivables.read(org, query.read(CURRENCY).currency);
    return {
      ...presentMoment(report),
      rows: report.rows.map((row) => ({
        currency_code: row.currency,
        ...numbers(
          row,
          'customers',
          'not_due',
          'days_0_30',
          'days_31_60',
          'days_61_90',
          'days_over_90',
          'total',
        ),
      })),
    };
  }

  @Get('credits')
  @Operation({
    summary: 'Returns the credits that customers hold by month, and what changed them.',
    answer: CREDIT_BALANCES,
    query: MONTHS,
  })
  async getCreditBalances(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof CREDIT_BALANCES>> {
    const report = await this.monthly.credits(org, await this.monthsIn(org, query.read(MONTHS)));
    return {
      ...presentMoment(report),
      rows: report.rows.map((row) => ({
        ...monthAndCurrency(row),
        ...numbers(row, 'granted', 'sold', 'drawn', 'voided', 'expired', 'balance'),
      })),
    };
  }

  @Get('usage')
  @Operation({
    summary: 'Counts stored usage events of all customers by day and event name.',
    answer: USAGE_BY_DAY,
    query: OF_EVENTS,
  })
  async getUsageByDay(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof USAGE_BY_DAY>> {
    const { rangeStart, rangeEnd, granularity, eventName } = query.read(OF_EVENTS);
    const range = usageRangeOf(granularity, await this.clock.now(org), rangeStart, rangeEnd);
    const report = await this.usage.read(org, range, granularity, eventName);
    return {
      ...presentMoment(report),
      rows: report.rows.map((row) => ({
        day: row.day,
        event_name: row.event_name,
        ...numbers(row, 'events'),
      })),
      metrics: report.metrics.map(({ metric_id: id, name, event_name: event }) => ({
        metric_id: toWireId('metric', id),
        metric_name: name,
        event_name: event,
      })),
    };
  }

  @Get('usage-by-metric')
  @Operation({
    summary: 'Counts the usage of all customers by day and metric.',
    answer: USAGE_BY_METRIC,
    query: OF_METRICS,
  })
  async getUsageByMetric(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof USAGE_BY_METRIC>> {
    const { rangeStart, rangeEnd, granularity, metricId } = query.read(OF_METRICS);
    const range = usageRangeOf(granularity, await this.clock.now(org), rangeStart, rangeEnd);
    const report = await this.usageByMetric.read(org, { range, granularity, metricId });
    return {
      ...presentMoment(report),
      rows: report.rows.map(({ day, metricId: id, quantity, events }) => ({
        day,
        metric_id: toWireId('metric', id),
        quantity: quantity === null ? null : Number(quantity),
        events: Number(events),
      })),
      metrics: report.metrics.map(({ metricId: id, name, definition }) => ({
        metric_id: toWireId('metric', id),
        metric_name: name,
        event_name: definition.eventName,
        metric_type: definition.metricType,
        aggregation_type: definition.aggregation,
      })),
      metrics_left_out: report.leftOut,
    };
  }

  private async monthsIn(
    org: Uuid,
    { rangeStart, rangeEnd, currency }: { rangeStart?: Instant; rangeEnd?: Instant; currency?: string },
  ): Promise<MonthsSelection> {
    return { ...monthsOf(await this.clock.now(org), rangeStart, rangeEnd), currency };
  }
}
