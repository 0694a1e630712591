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
  selectFeaturesAndRunningTerms,
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
const MAX_AT_ONCE = 64;
/** Limit of concurrent groups, and the time after which a second one starts: a customer with very many terms delays few others. */
const GROUPS_AT_ONCE = 2;
const PATIENCE_MS = 10;

/**
 * Answers whether a customer may use a feature now (docs/contract.md#feature-access). An application asks
 * this before many of its own requests, so concurrent questions share their statements.
 */
@QueryHandler(GetFeatureAccess)
export class GetFeatureAccessHandler implements IQueryHandler<GetFeatureAccess> {
  readonly #questions = new Batcher<GetFeatureAccess, FeatureAccess>((asked) => this.answerAll(asked), {
    most: MAX_AT_ONCE,
    atOnce: GROUPS_AT_ONCE,
    patienceMs: PATIENCE_MS,
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
    const [customers, organization, rows] = await Promise.all([
      this.customers.present(
        org,
        questions.map(({ customerKey }) => customerKey),
      ),
      this.organizations.load(org),
      this.rowsOf(org, questions),
    ]);
    return questions.map(({ customerKey }, ordinal): FeatureAccess | Error => {
      try {
        const found = rows.get(ordinal) ?? [];
        const [customer, feature] = requireKnown(customers.get(customerKey), featureIn(found), 'feature');
        const own = withPlans(found.filter(isTerm));
        const granted = own.filter(({ access }) => access).length;
        const needed = organization?.settings.featureAccessPolicy === 'all' ? own.length : 1;
        return { customer, feature, access: granted > 0 && granted >= needed, terms: own };
      } catch (error) {
        return error as Error;
      }
    });
  }

  /** Finds features and running terms, by the index of their question. */
  private async rowsOf(org: Uuid, questions: readonly TermsQuestion[]) {
    const { rows } = await this.database.pool.query<FeatureRow | FeatureTermRow>({
      name: 'feature-access',
      text: FEATURES_AND_TERMS,
      values: termsValues(org, await this.clock.now(org), questions),
    });
    return groupBy(rows, ({ ordinal }) => ordinal);
  }
}

/** Row of a question; the columns of a term are null if no term runs. */
interface FeatureRow {
  readonly ordinal: number;
  /** Null for an unknown feature. */
  readonly featureId: Uuid | null;
  readonly name: string;
  readonly description: string | null;
  readonly start: null;
}

type FeatureTermRow = Omit<FeatureRow, 'start'> & TermRow & { readonly access: boolean };

const isTerm = (row: FeatureRow | FeatureTermRow): row is FeatureTermRow => row.start !== null;

function featureIn([row]: readonly (FeatureRow | FeatureTermRow)[]): Feature | undefined {
  if (!row || row.featureId === null) return undefined;
  return { featureId: row.featureId, name: row.name, description: row.description };
}

const hasFeature = (features: string): string =>
  `${features} @> jsonb_build_array(jsonb_build_object('featureId', q.id))`;

const FEATURES_AND_TERMS = selectFeaturesAndRunningTerms(
  `f.feature_id as "featureId", f.name, f.description`,
  `coalesce(${hasFeature('v.features')}, false)
    or exists (select from ${RUNNING_ADDONS} and ${hasFeature('a.features')}) as access`,
);
