import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
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
    if (!feature) throw new DomainError('not_found', unknownId('feature'));
    return feature;
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
    let wanted = this.database.db
      .withTables<{ features: FeatureRow }>()
      .selectFrom('features')
      .select(['feature_id as featureId', 'name', 'description', 'created_at'])
      .where('org', '=', org)
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) {
      const { at, id } = readCursor(page.cursor);
      const last = sql<string>`(select name from features where org = ${org} and feature_id = ${id})`;
      wanted = wanted.where(sql<boolean>`(created_at < ${at} or created_at = ${at} and name > ${last})`);
    }
    return sliceOf(await wanted.execute(), page.limit, (row) => ({ at: row.created_at, id: row.featureId }));
  }
}
