import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentFeature } from '../../catalog/present-feature.js';
import { Caller } from '../../platform/http/caller.js';
import { RawQuery, type QueryParams } from '../../platform/http/query-params.js';
import { GetFeatureAccess } from '../queries/get-feature-access.js';
import { presentTerm } from './present-term.js';

@Controller('api/feature_access')
export class FeatureAccessController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  async check(@Caller() { org }: Caller, @RawQuery() query: QueryParams): Promise<object> {
    const question = query.read({
      customerId: (q) => q.required('customer_id', q.one('customer_id')),
      featureId: (q) => q.required('feature_id', q.id('feature_id', 'feature')),
      filters: (q) => q.subscriptionFilters(),
    });
    const found = await this.queries.execute(new GetFeatureAccess(org, question));
    return {
      customer: found.customer,
      feature: presentFeature(found.feature),
      access: found.access,
      access_per_subscription: found.terms.map((term) => ({
        subscription: presentTerm(term),
        access: term.access,
      })),
    };
  }
}
