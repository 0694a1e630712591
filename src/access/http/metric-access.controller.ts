import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentMetric } from '../../catalog/present-metric.js';
import { toDecimalText, type Quantity } from '../../kernel/quantity.js';
import { Caller } from '../../platform/http/caller.js';
import { RawQuery, type QueryParams } from '../../platform/http/query-params.js';
import { GetMetricAccess } from '../queries/get-metric-access.js';
import { presentTerm } from './present-term.js';

@Controller('api/metric_access')
export class MetricAccessController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  async check(@Caller() { org }: Caller, @RawQuery() query: QueryParams): Promise<object> {
    const question = query.read({
      customerId: (q) => q.required('customer_id', q.one('customer_id')),
      metricId: (q) => q.required('metric_id', q.id('metric_id', 'metric')),
      filters: (q) => q.subscriptionFilters(),
    });
    const found = await this.queries.execute(new GetMetricAccess(org, question));
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
