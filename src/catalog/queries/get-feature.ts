import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Feature } from '../domain/feature.js';
import type { FeatureRow } from '../read-models.js';

export class GetFeature extends Query<Feature> {
  constructor(
    readonly org: Uuid,
    readonly featureId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetFeature)
export class GetFeatureHandler implements IQueryHandler<GetFeature> {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  async execute({ org, featureId }: GetFeature): Promise<Feature> {
    const feature = await this.database.db
      .withTables<{ features: FeatureRow }>()
      .selectFrom('features')
      .select(['feature_id as featureId', 'name', 'description'])
      .where('org', '=', org)
      .where('feature_id', '=', featureId)
      .executeTakeFirst();
    if (!feature) throw new DomainError('not_found', 'There is no feature with this id.');
    return feature;
  }
}
