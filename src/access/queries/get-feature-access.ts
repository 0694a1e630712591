import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Feature } from '../../catalog/domain/feature.js';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { groupBy } from '../../kernel/iteration.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { pastMoment } from '../../platform/as-of/moment.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Batcher } from '../../platform/concurrency/shared-calls.js';
import { Database } from '../../platform/database/open-database.js';
import { isStoreDown } from '../../platform/eventsourcing/store/store-down.js';
import { READ_MODELS, type ReadModels } from '../../platform/eventsourcing/read-models.js';
import { RecentAnswers } from './recent-answers.js';
import {
  NEXT_BOUNDARY,
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

  /** Text that equal questions share. */
  get key(): string {
    const { customerId, featureId, filters } = this.question;
    return JSON.stringify([this.org, customerId, featureId, filters]);
  }
}

/** Limit of questions that share statements. */
const MAX_AT_ONCE = 64;
/** Limit of concurrent groups, and the time after which a second one starts: a customer with very many terms delays few others. */
const GROUPS_AT_ONCE = 2;
const PATIENCE_MS = 10;

/**
 * Answers whether a customer may use a feature now (docs/contract.md#feature-access). An application asks
 * this before many of its own requests, so concurrent questions share their statements, and an answer is remembered until
 * it may have changed (docs/adr/0095-answers-on-features-are-remembered.md).
 */
@QueryHandler(GetFeatureAccess)
export class GetFeatureAccessHandler implements IQueryHandler<GetFeatureAccess> {
  readonly #recent = new RecentAnswers<FeatureAccess>();
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
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'lastChangeOf'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `does_not_exist` for an unknown customer or feature */
  async execute(asked: GetFeatureAccess): Promise<FeatureAccess> {
    // Neither remembered nor shares statements with requests of the present.
    if (pastMoment()) {
      const [answer] = await this.answerAll([asked]);
      if (answer instanceof Error) throw answer;
      return answer!;
    }
    const lastChange = this.readModels.lastChangeOf(asked.org);
    const known = this.#recent.find(asked.key, lastChange, await this.clock.now(asked.org));
    return known ?? this.#questions.add(asked);
  }

  /** Returns the answers in the order of the questions; an Error for a refused one. */
  private async answerAll(asked: readonly GetFeatureAccess[]): Promise<(FeatureAccess | Error)[]> {
    const answers = new Array<FeatureAccess | Error>(asked.length);
    const tenants = groupBy(asked.keys(), (ordinal) => asked[ordinal]!.org);
    await Promise.all(
      [...tenants].map(async ([org, ordinals]) => {
        const found = await this.answer(
          org,
          ordinals.map((ordinal) => asked[ordinal]!),
        );
        ordinals.forEach((ordinal, index) => (answers[ordinal] = found[index]!));
      }),
    );
    return answers;
  }

  private async answer(org: Uuid, asked: readonly GetFeatureAccess[]): Promise<(FeatureAccess | Error)[]> {
    const [lastChange, readAt] = [this.readModels.lastChangeOf(org), performance.now()];
    const at = await this.clock.now(org);
    const questions = asked.map(({ question: { customerId, featureId, filters } }) => {
      return { customerKey: customerKeyOf(org, customerId), id: featureId, filters };
    });
    const [customers, organization, rows] = await Promise.all([
      this.customers.present(
        org,
        questions.map(({ customerKey }) => customerKey),
      ),
      this.organizations.load(org),
      this.rowsOf(org, at, questions),
    ]);
    return questions.map(({ customerKey }, ordinal): FeatureAccess | Error => {
      try {
        const found = rows.get(ordinal) ?? [];
        const [customer, feature] = requireKnown(customers.get(customerKey), featureIn(found), 'feature');
        const terms = withPlans(found.filter(isTerm));
        const granted = terms.filter(({ access }) => access).length;
        const needed = organization?.settings.featureAccessPolicy === 'all' ? terms.length : 1;
        const answer = { customer, feature, access: granted > 0 && granted >= needed, terms };
        if (!pastMoment())
          this.#recent.note(asked[ordinal]!.key, { answer, lastChange, at, until: found[0]!.until }, readAt);
        return answer;
      } catch (error) {
        return error as Error;
      }
    });
  }

  /** Finds features and running terms, by the index of their question. */
  private async rowsOf(org: Uuid, now: Instant, questions: readonly TermsQuestion[]) {
    const { rows } = await this.database.pool.query<FeatureRow | FeatureTermRow>({
      name: 'feature-access',
      text: FEATURES_AND_TERMS,
      values: termsValues(org, now, questions),
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
  /** Next instant at which the answer changes by itself. */
  readonly until: Instant | null;
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
  `f.feature_id as "featureId", f.name, f.description, ${NEXT_BOUNDARY} as "until"`,
  `coalesce(${hasFeature('v.features')}, false)
    or exists (select from ${RUNNING_ADDONS} and ${hasFeature('a.features')}) as access`,
);
