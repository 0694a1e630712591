import { EVENT_ORDERINGS } from '../../billing/usage/event-cursor.js';
import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, ClientDisconnected } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { formatInstant } from '../../kernel/instant.js';
import { listOf, type WireOf } from '../../platform/http/openapi/schema.js';
import { Page, RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { ExplainInvoice } from '../queries/explain-invoice.js';
import { ListLineEvents } from '../queries/list-line-events.js';
import { COUNTED_EVENT, INVOICE_EXPLANATION } from './audit-schema.js';
import { presentExplanation, type InvoiceExplanation } from './present-explanation.js';

const PAGE = {
  ordering: (q: QueryParams) => q.choice('ordering', EVENT_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

@Controller('api/invoices/:invoice_id/explain')
export class InvoiceExplanationController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Explains how each line of an invoice was calculated, by id or number.',
    answer: INVOICE_EXPLANATION,
  })
  async explainInvoice(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
    @ClientDisconnected() signal: AbortSignal,
  ): Promise<InvoiceExplanation> {
    return presentExplanation(await this.queries.execute(new ExplainInvoice(org, name, signal)));
  }

  /** Lists events by the definitions that billing counts by, at the watermark of the count. */
  @Get('lines/:line/events')
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Lists the usage events that a line of an invoice counts, by time.',
    answer: listOf(COUNTED_EVENT),
    query: PAGE,
  })
  async listLineEvents(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
    @Param('line') line: string,
    @RawQuery() query: QueryParams,
  ): Promise<Page<WireOf<typeof COUNTED_EVENT>>> {
    const { ordering, page } = query.read(PAGE);
    const { events, nextCursor } = await this.queries.execute(
      new ListLineEvents(org, name, line, { ordering, ...page }),
    );
    const shown = events.map(({ event_time: at, ...event }) => ({
      ...event,
      time_created: formatInstant(at),
    }));
    return new Page(shown, nextCursor);
  }
}
