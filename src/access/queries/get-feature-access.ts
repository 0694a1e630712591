import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Feature } from '../../catalog/domain/feature.js';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { groupBy } from '../../kernel/iteration.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { pastMoment } from '../../platform/as-of/moment.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Batcher } from '../../platform/concurrency/shared-calls.js';
import { Database } from '../../platform/database/open-database.js';
import { isStoreDown } from '../../platform/eventsourcing/store/store-down.js';
import {
  requireKnown,
  RUNNING_ADDONS,
  selectRunningTerms,
  termsValues,
  withPlans,
  type AccessQuestion,
  type AccessTerm,
  type TermRow,
  type TermsQuestion,
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

/** Limit of questions that share statements. */
const MOST_AT_ONCE = 64;
/** Limit of concurrent groups, so that a customer with very many terms delays few others. */
const GROUPS_AT_ONCE = 2;

/**
 * Answers whether a customer may use a feature now (docs/contract.md#feature-access). An application asks
 * this before many of its own requests, so concurrent questions share their statements.
 */
@QueryHandler(GetFeatureAccess)
export class GetFeatureAccessHandler implements IQueryHandler<GetFeatureAccess> {
  readonly #questions = new Batcher<GetFeatureAccess, FeatureAccess>((asked) => this.answerAll(asked), {
    most: MOST_AT_ONCE,
    atOnce: GROUPS_AT_ONCE,
    isFaultOfItem: (error) => !isStoreDown(error),
  });

  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    private readonly organizations: OrganizationReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `does_not_exist` for an unknown customer or feature */
  async execute(asked: GetFeatureAccess): Promise<FeatureAccess> {
    // Does not share statements with requests of the present.
    if (!pastMoment()) return this.#questions.add(asked);
    const [answer] = await this.answerAll([asked]);
    if (answer instanceof Error) throw answer;
    return answer!;
  }

  /** Returns the answers in the order of the questions; an Error for a refused one. */
  private async answerAll(asked: readonly GetFeatureAccess[]): Promise<(FeatureAccess | Error)[]> {
    const answers = new Array<FeatureAccess | Error>(asked.length);
    const tenants = groupBy(asked.keys(), (ordinal) => asked[ordinal]!.org);
    await Promise.all(
      [...tenants].map(async ([org, ordinals]) => {
        const found = await this.answer(
          org,
          ordinals.map((ordinal) => asked[ordinal]!.question),
        );
        ordinals.forEach((ordinal, index) => (answers[ordinal] = found[index]!));
      }),
    );
    return answers;
  }

  private async answer(org: Uuid, asked: readonly GetFeatureAccess['question'][]) {
    const questions = asked.map(({ customerId, featureId, filters }) => {
      return { customerKey: customerKeyOf(org, customerId), id: featureId, filters };
    });
    const [customers, features, organization, terms] = await Promise.all([
      this.customers.present(
        org,
        questions.map(({ customerKey }) => customerKey),
      ),
      this.featuresOf(
        org,
        questions.map(({ id }) => id),
      ),
      this.organizations.load(org),
      this.termsOf(org, questions),
    ]);
    return questions.map(({ customerKey, id }, ordinal): FeatureAccess | Error => {
      try {
        const [customer, feature] = requireKnown(customers.get(customerKey), features.get(id), 'feature');
        const own = withPlans(terms.get(String(ordinal)) ?? []);
        const granted = own.filter(({ access }) => access).length;
        const needed = organization?.settings.featureAccessPolicy === 'all' ? own.length : 1;
        return { customer, feature, access: granted > 0 && granted >= needed, terms: own };
      } catch (error) {
        return error as Error;
      }
    });
  }

  /** Finds the running terms, by the index of their question. */
  private async termsOf(org: Uuid, questions: readonly TermsQuestion[]) {
    const { rows } = await this.database.pool.query<TermRow & { readonly access: boolean }>({
      name: 'feature-access-terms',
      text: TERMS,
      values: termsValues(org, await this.clock.now(org), questions),
    });
    return groupBy(rows, ({ ordinal }) => String(ordinal));
  }

  private async featuresOf(org: Uuid, featureIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Feature>> {
    const { rows } = await this.database.pool.query<Feature>({
      name: 'feature-access-features',
      text: `select feature_id as "featureId", name, description from features
        where org = $1 and feature_id = any($2::uuid[])`,
      values: [org, [...new Set(featureIds)]],
    });
    return new Map(rows.map((row) => [row.featureId, row]));
  }
}

const hasFeature = (features: string): string =>
  `${features} @> jsonb_build_array(jsonb_build_object('featureId', q.id))`;

const TERMS = selectRunningTerms(
  `coalesce(${hasFeature('v.features')}, false)
    or exists (select from ${RUNNING_ADDONS} and ${hasFeature('a.features')}) as access`,
);
