import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentFeature } from '../../catalog/present-feature.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { ListGrantedFeatures } from '../queries/list-granted-features.js';
import { GRANTED_FEATURES, presentTerm } from './access-schema.js';

@Controller('api/customers')
export class GrantedFeaturesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':customer_id/features')
  @Operation({
    summary: 'Lists the features that the running subscriptions of a customer grant.',
    answer: GRANTED_FEATURES,
  })
  async listGrantedFeatures(
    @Caller() { org }: Caller,
    @Param('customer_id') customerId: string,
  ): Promise<Shown<typeof GRANTED_FEATURES>> {
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
