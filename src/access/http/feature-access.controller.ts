import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentFeature } from '../../catalog/present-feature.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { GetFeatureAccess } from '../queries/get-feature-access.js';
import { FEATURE_ACCESS, GRANTED_FEATURES, presentTerm } from './access-schema.js';
import { subscriptionFilters } from '../../subscription/filter-schema.js';
import { ListGrantedFeatures } from '../queries/list-granted-features.js';

const QUESTION = {
  customerId: (q: QueryParams) => q.required('customer_id', q.reference('customer_id', 'customer')),
  featureId: (q: QueryParams) => q.required('feature_id', q.id('feature_id', 'feature')),
  filters: subscriptionFilters,
};

/** Tables that decide what a customer's running subscriptions grant. */
const GRANTING_TABLES = [
  'addons',
  'customers',
  'plan_versions',
  'plans',
  'subscription_addons',
  'subscriptions',
];

@Controller('api/feature_access')
export class FeatureAccessController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation({
    summary: 'Tells whether a customer may use a feature, by its running subscriptions.',
    answer: FEATURE_ACCESS,
    query: QUESTION,
    tables: ['features', ...GRANTING_TABLES],
  })
  async getFeatureAccess(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof FEATURE_ACCESS>> {
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

@Controller('api/customers')
export class GrantedFeaturesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':customer_id/features')
  @Operation({
    summary: 'Lists the features that the running subscriptions of a customer grant.',
    answer: GRANTED_FEATURES,
    tables: GRANTING_TABLES,
  })
  async listGrantedFeatures(
    @Caller() { org }: Caller,
    @Param('customer_id') customerId: string,
  ): Promise<WireOf<typeof GRANTED_FEATURES>> {
    const granted = await this.queries.execute(new ListGrantedFeatures(org, customerId));
    return {
      features: granted.map(({ feature, access, terms }) => ({
        feature: presentFeature(feature),
        access,
        access_per_subscription: terms.map((term) => ({
          subscription: presentTerm(term),
          access: term.access,
        })),
      })),
    };
  }
}
