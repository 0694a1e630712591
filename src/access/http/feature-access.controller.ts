import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentFeature } from '../../catalog/present-feature.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { GetFeatureAccess } from '../queries/get-feature-access.js';
import { FEATURE_ACCESS, presentTerm } from './access-schema.js';
import { subscriptionFilters } from '../../subscription/filter-schema.js';

const QUESTION = {
  customerId: (q: QueryParams) => q.required('customer_id', q.one('customer_id')),
  featureId: (q: QueryParams) => q.required('feature_id', q.id('feature_id', 'feature')),
  filters: subscriptionFilters,
};

@Controller('api/feature_access')
export class FeatureAccessController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation({
    summary: 'Tells whether a customer may use a feature, by its running subscriptions.',
    answer: FEATURE_ACCESS,
    query: QUESTION,
  })
  async getFeatureAccess(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<Shown<typeof FEATURE_ACCESS>> {
    const question = query.read(QUESTION);
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
