import { Controller, Get, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DAY, plusMicros, toMicros, type Instant } from '../../../kernel/instant.js';
import { CLOCK, type Clock } from '../../../platform/clock/clock.js';
import { Caller, ClientDisconnected } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { listOf, type WireOf } from '../../../platform/http/openapi/schema.js';
import { InvalidRequest } from '../../../platform/http/problems/problem.js';
import { Page, RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../../platform/http/rate-limits/rate-limits.js';
import { GetUsage } from '../get-usage.js';
import { USAGE_PERIODS, type UsagePeriod } from '../usage-parts.js';
import { requireOrder } from './range.js';
import { presentUsage, USAGE } from './usage-schema.js';

const CUSTOMER_REQUIRED =
  'Usage is that of one customer. Give customer_id or subscription_id; GET /api/analytics/usage-by-metric/ counts a metric for all customers.';

const SELECTION = {
  customerId: (q: QueryParams) =>
    q.requiredWithout(
      'customer_id',
      q.reference('customer_id', 'customer'),
      ['subscription_id'],
      CUSTOMER_REQUIRED,
    ),
  subscriptionId: (q: QueryParams) => q.id('subscription_id', 'sub'),
  metricId: (q: QueryParams) => q.id('metric_id', 'metric'),
  by: (q: QueryParams) => q.choice('granularity', USAGE_PERIODS) ?? 'window',
  property: (q: QueryParams) => q.one('group_by_property'),
  rangeStart: (q: QueryParams) => q.calculableInstant('range_start'),
  rangeEnd: (q: QueryParams) => q.calculableInstant('range_end'),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

/** Longest range in days, and the default. */
const DAYS: Record<UsagePeriod, readonly [longest: bigint, usual: bigint]> = {
  hour: [31n, 1n],
  day: [400n, 31n],
  month: [3_660n, 366n],
  window: [3_660n, 31n],
};

@Controller('api/usage')
export class UsageController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: "Counts a customer's usage by metric and billing window, hour, day or month.",
    answer: listOf(USAGE),
    query: SELECTION,
  })
  async getUsage(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
    @ClientDisconnected() signal: AbortSignal,
  ): Promise<Page<WireOf<typeof USAGE>>> {
    const { rangeStart, rangeEnd, page, ...selection } = query.read(SELECTION);
    const [longest, usual] = DAYS[selection.by];
    const end = rangeEnd ?? plusMicros(await this.clock.now(org), 1n);
    const start = rangeStart ?? plusMicros(end, -usual * DAY);
    requireRange(start, end, longest);
    const { rows, nextCursor, customerId } = await this.queries.execute(
      new GetUsage(org, { ...selection, range: { start, end }, ...page }, signal),
    );
    return new Page(
      rows.map((view) => presentUsage(customerId, view)),
      nextCursor,
    );
  }
}

function requireRange(start: Instant, end: Instant, days: bigint): void {
  requireOrder({ start, end });
  if (toMicros(end) - toMicros(start) > days * DAY) {
    const detail = `With this granularity the range is at most ${days} days long. Ask for a shorter one.`;
    throw new InvalidRequest({ code: 'invalid', detail, attr: 'range_start' });
  }
}
