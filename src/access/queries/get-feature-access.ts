import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import type { Feature } from '../../catalog/domain/feature.js';
import type { FeatureRow } from '../../catalog/read-models.js';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import { executePrepared } from '../../platform/database/statements.js';
import {
  requireKnown,
  runningAddons,
  selectRunningTerms,
  withPlans,
  type AccessQuestion,
  type AccessTerm,
} from './running-terms.js';

export interface FeatureAccess {
  readonly customer: CustomerSummary;
  readonly feature: Feature;
  readonly access: boolean;
  readonly terms: readonly (AccessTerm & { readonly access: boolean })[];
}

export class GetFeatureAccess extends Query<FeatureAccess> {
  constructor(
    readonly org: Uuid,
    readonly question: AccessQuestion & { readonly featureId: Uuid },
  ) {
    super();
  }
}

/** Answers whether a customer may use a feature now (docs/contract.md#feature-access). */
@QueryHandler(GetFeatureAccess)
export class GetFeatureAccessHandler implements IQueryHandler<GetFeatureAccess> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    private readonly organizations: OrganizationReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `does_not_exist` for an unknown customer or feature */
  async execute({ org, question }: GetFeatureAccess): Promise<FeatureAccess> {
    const customerKey = customerKeyOf(org, question.customerId);
    const [foundCustomer, foundFeature, organization, terms] = await Promise.all([
      this.customers.find(org, customerKey),
      this.featureOf(org, question.featureId),
      this.organizations.load(org),
      this.termsOf(org, customerKey, question),
    ]);
    const [customer, feature] = requireKnown(foundCustomer, foundFeature, 'feature');
    const granted = terms.filter(({ access }) => access).length;
    const needed = organization?.settings.featureAccessPolicy === 'all' ? terms.length : 1;
    return { customer, feature, access: granted > 0 && granted >= needed, terms };
  }

  private async termsOf(org: Uuid, customerKey: Uuid, { filters, featureId }: GetFeatureAccess['question']) {
    const now = await this.clock.now(org);
    const wanted = JSON.stringify([{ featureId }]);
    const query = selectRunningTerms(this.database, org, customerKey, filters, now).select(
      sql<boolean>`coalesce(v.features @> ${wanted}::jsonb, false)
          or exists (select from ${runningAddons(now)} and a.features @> ${wanted}::jsonb)`.as('access'),
    );
    const rows = await executePrepared(this.database.pool, 'feature-access-terms', query);
    return withPlans(rows);
  }

  private async featureOf(org: Uuid, featureId: Uuid): Promise<Feature | undefined> {
    const query = this.database.db
      .withTables<{ features: FeatureRow }>()
      .selectFrom('features')
      .select(['feature_id as featureId', 'name', 'description'])
      .where('org', '=', org)
      .where('feature_id', '=', featureId);
    const [feature] = await executePrepared(this.database.pool, 'feature-access-feature', query);
    return feature;
  }
}
