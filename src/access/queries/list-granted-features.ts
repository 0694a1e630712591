import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Feature } from '../../catalog/domain/feature.js';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import {
  RUNNING_ADDONS,
  selectRunningTerms,
  termsValues,
  withPlans,
  type AccessTerm,
  type TermRow,
} from './running-terms.js';

/** A feature that at least one running subscription of a customer grants. */
export interface GrantedFeature {
  readonly feature: Feature;
  readonly access: boolean;
  readonly terms: readonly (AccessTerm & { readonly access: boolean })[];
}

export class ListGrantedFeatures extends Query<readonly GrantedFeature[]> {
  constructor(
    readonly org: Uuid,
    readonly customerId: string,
  ) {
    super();
  }
}

/**
 * Lists the features that the running subscriptions of a customer grant, by name
 * (docs/contract.md#feature-access).
 */
@QueryHandler(ListGrantedFeatures)
export class ListGrantedFeaturesHandler implements IQueryHandler<ListGrantedFeatures> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    private readonly organizations: OrganizationReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not_found` for an unknown customer */
  async execute({ org, customerId }: ListGrantedFeatures): Promise<readonly GrantedFeature[]> {
    const customerKey = customerKeyOf(org, customerId);
    const [customer, organization, terms] = await Promise.all([
      this.customers.find(org, customerKey),
      this.organizations.load(org),
      this.termsOf(org, customerKey),
    ]);
    if (!customer) throw new DomainError('not_found', unknownId('customer'));
    const needsAll = organization?.settings.featureAccessPolicy === 'all';
    const features = new Map(
      terms.flatMap(({ granted }) => granted).map((feature) => [feature.featureId, feature]),
    );
    return [...features.values()].sort(byName).map((feature) => {
      const asked = terms.map(({ granted, ...term }) => ({
        ...term,
        access: granted.some(({ featureId }) => featureId === feature.featureId),
      }));
      return { feature, access: needsAll ? asked.every(({ access }) => access) : true, terms: asked };
    });
  }

  private async termsOf(org: Uuid, customerKey: Uuid) {
    const { rows } = await this.database.pool.query<GrantingTerm>({
      name: 'granted-features',
      text: GRANTING_TERMS,
      values: termsValues(org, await this.clock.now(org), [{ customerKey, filters: [], id: customerKey }]),
    });
    return withPlans(rows);
  }
}

interface GrantingTerm extends TermRow {
  readonly granted: readonly Feature[];
}

const GRANTING_TERMS = selectRunningTerms(`coalesce(v.features, '[]') || coalesce((
  select jsonb_agg(feature) from (select a.features from ${RUNNING_ADDONS}) attached
  cross join jsonb_array_elements(attached.features) as feature
), '[]') as granted`);

const byName = (a: Feature, b: Feature): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
