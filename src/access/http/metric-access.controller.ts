import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentMetric } from '../../catalog/present-metric.js';
import { toDecimalText, type Quantity } from '../../kernel/quantity.js';
import { ClientDisconnected, Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { GetMetricAccess } from '../queries/get-metric-access.js';
import { METRIC_ACCESS, presentTerm } from './access-schema.js';
import { subscriptionFilters } from '../../subscription/filter-schema.js';

const QUESTION = {
  customerId: (q: QueryParams) => q.required('customer_id', q.reference('customer_id', 'customer')),
  metricId: (q: QueryParams) => q.required('metric_id', q.id('metric_id', 'metric')),
  filters: subscriptionFilters,
};

@Controller('api/metric_access')
export class MetricAccessController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Tells whether a customer may use a metric, by its running subscriptions.',
    answer: METRIC_ACCESS,
    query: QUESTION,
  })
  async getMetricAccess(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
    @ClientDisconnected() signal: AbortSignal,
  ): Promise<WireOf<typeof METRIC_ACCESS>> {
    const question = query.read(QUESTION);
    const found = await this.queries.execute(new GetMetricAccess(org, question, signal));
    return {
      customer: found.customer,
      metric: presentMetric(found.metric),
      access: found.access,
      access_per_subscription: found.terms.map((term) => ({
        subscription: presentTerm(term),
        metric_usage: toNumber(term.used),
        metric_free_limit: term.limits.free && toNumber(term.limits.free),
        metric_total_limit: term.limits.total && toNumber(term.limits.total),
      })),
    };
  }
}

const toNumber = (q: Quantity): number => Number(toDecimalText(q));
