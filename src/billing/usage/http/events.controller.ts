import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../../customer/customer-directory.js';
import { SentCustomerIds } from '../../../customer/sent-customer-ids.js';
import { instant } from '../../../kernel/instant.js';
import { Caller, ClientDisconnected } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { listOf, type WireOf } from '../../../platform/http/openapi/schema.js';
import { Page, RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../../platform/http/rate-limits/rate-limits.js';
import { EVENT_ORDERINGS } from '../event-cursor.js';
import { EVENT_STATES } from '../event-states.js';
import { ListEvents } from '../list-events.js';
import { requireOrder } from './range.js';
import { presentUsageEvent, EVENT_WITH_STATE } from './events-schema.js';

const SELECTION = {
  customerId: (q: QueryParams) => q.one('customer_id'),
  subscriptionId: (q: QueryParams) => q.id('subscription_id', 'sub'),
  metricId: (q: QueryParams) => q.id('metric_id', 'metric'),
  eventName: (q: QueryParams) => q.one('event_name'),
  idempotencyId: (q: QueryParams) => q.one('idempotency_id'),
  states: (q: QueryParams) => q.choices('state', EVENT_STATES),
  rangeStart: (q: QueryParams) => q.instant('range_start'),
  rangeEnd: (q: QueryParams) => q.instant('range_end'),
  ordering: (q: QueryParams) => q.choice('ordering', EVENT_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

const ALWAYS = { start: instant('0001-01-01'), end: instant('9999-12-31') };

@Controller('api/events')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly customers: CustomerDirectory,
    private readonly sent: SentCustomerIds,
  ) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Lists stored usage events, with the window and invoice that count each, or why nothing does.',
    answer: listOf(EVENT_WITH_STATE),
    query: SELECTION,
  })
  async listEvents(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
    @ClientDisconnected() signal: AbortSignal,
  ): Promise<Page<WireOf<typeof EVENT_WITH_STATE>>> {
    const { rangeStart = ALWAYS.start, rangeEnd = ALWAYS.end, page, ...selection } = query.read(SELECTION);
    const range = { start: rangeStart, end: rangeEnd };
    requireOrder(range);
    const { rows, nextCursor } = await this.queries.execute(
      new ListEvents(org, { ...selection, range, ...page }, signal),
    );
    const keys = rows.map(({ event }) => event.customerKey);
    const unknown = rows.flatMap(({ event, reason }) =>
      reason === 'unknown_customer' ? [event.customerKey] : [],
    );
    const [summaries, sent] = await Promise.all([
      this.customers.summaries(org, keys),
      this.sent.find(org, [...new Set(unknown)]),
    ]);
    return new Page(
      rows.map((row) =>
        presentUsageEvent(row, summaries.get(row.event.customerKey), sent.get(row.event.customerKey)),
      ),
      nextCursor,
    );
  }
}
