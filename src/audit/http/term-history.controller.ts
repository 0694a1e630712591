import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { fromWireId, toWireId, type Uuid } from '../../kernel/ids.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { Page, RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { GetTermHistory } from '../queries/get-term-history.js';
import { TERM_HISTORY } from './audit-schema.js';
import { presentRecordedEvent } from './present-event.js';

const HISTORY = {
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

@Controller('api/subscriptions/:subscription_id/history')
export class TermHistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Lists the recorded events of a subscription and its billing, in order.',
    answer: TERM_HISTORY,
    query: HISTORY,
  })
  async getSubscriptionHistory(
    @Caller() { org }: Caller,
    @Param('subscription_id') id: string,
    @RawQuery() query: QueryParams,
  ): Promise<Page<object>> {
    const { page } = query.read(HISTORY);
    const subscriptionId = fromWireId('sub', id);
    const { predecessor, successor, events, nextCursor } = await this.queries.execute(
      new GetTermHistory(org, subscriptionId, { asOf: undefined, ...page }),
    );
    const shown = events.map(presentRecordedEvent);
    return new Page(shown, nextCursor, {
      subscription_id: toWireId('sub', subscriptionId!),
      predecessor: predecessor && linkTo(predecessor),
      successor: successor && linkTo(successor),
      events: shown,
    });
  }
}

const linkTo = (subscriptionId: Uuid) => {
  const id = toWireId('sub', subscriptionId);
  return { subscription_id: id, history: `/api/subscriptions/${id}/history/` };
};
