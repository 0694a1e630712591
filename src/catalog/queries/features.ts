import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Feature } from '../domain/feature.js';
import type { FeatureRow } from '../read-models.js';
import { newestThenByName } from './newest-then-by-name.js';

const featureOf = ({ feature_id: featureId, name, description }: FeatureRow): Feature => ({
  featureId,
  name,
  description,
});

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
    const row = await this.database.db
      .withTables<{ features: FeatureRow }>()
      .selectFrom('features')
      .selectAll()
      .where('org', '=', org)
      .where('feature_id', '=', featureId)
      .executeTakeFirst();
    if (!row) throw new DomainError('not_found', unknownId('feature'));
    return featureOf(row);
  }
}

export class ListFeatures extends Query<Slice<Feature>> {
  constructor(
    readonly org: Uuid,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListFeatures)
export class ListFeaturesHandler implements IQueryHandler<ListFeatures> {
  constructor(private readonly database: Database) {}

  /** Lists the newest first, then by name. */
  async execute({ org, page }: ListFeatures): Promise<Slice<Feature>> {
    const { db } = this.database;
    const filtered = db
      .withTables<{ features: FeatureRow }>()
      .selectFrom('features')
      .selectAll()
      .where('org', '=', org);
    const slice = await newestThenByName(filtered, { db, org, table: 'features', id: 'feature_id', ...page });
    return { ...slice, rows: slice.rows.map(featureOf) };
  }
}
