import { DomainError, invalidFields, type FieldError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import { areStorable } from '../../subscription/read-models.js';

export interface AccessQuestion {
  readonly customerId: string;
  /** Selects terms whose filters contain all of these; empty: every term. */
  readonly filters: readonly SubscriptionFilter[];
}

/** Term in an access result. */
export interface AccessTerm {
  readonly start: Instant;
  readonly end: Instant;
  readonly scheduledEnd: boolean;
  readonly filters: readonly SubscriptionFilter[];
  readonly planId: Uuid;
  readonly planName: string;
  readonly versionId: Uuid;
  /** Null for a custom version. */
  readonly version: number | null;
}

/** Question for the running terms of a customer, with a feature or metric. */
export interface TermsQuestion {
  readonly customerKey: Uuid;
  readonly filters: readonly SubscriptionFilter[];
  /** The feature or metric. */
  readonly id: Uuid;
}

/** Row of a term. */
export interface TermRow extends Omit<AccessTerm, 'planName'> {
  /** Index of the term's question. */
  readonly ordinal: number;
  /** Null while the plan is missing from the read models. */
  readonly planName: string | null;
  /** Tells whether the read models have all of its add-ons. */
  readonly addonsShown: boolean;
}

/**
 * Joins the running add-ons `sa` of the term `s` with the catalog's add-on `a`. An add-on runs until its end, exclusive. At
 * the end of the term a one_time add-on ends; a recurring one runs on with the renewal.
 */
export const RUNNING_ADDONS = `subscription_addons sa
  left join addons a on a.org = sa.org and a.addon_id = sa.addon_id
  where sa.org = s.org and sa.subscription_id = s.subscription_id and sa.start_at <= $2
    and (sa.cancelled_at is null or sa.cancelled_at > $2)
    and (s.end_at > $2 or sa.billing_frequency = 'recurring')`;

/**
 * Selects the running terms `s` of the customers of many questions `q`, earliest first, joined with their plan versions
 * `v`. A term runs until its end, exclusive. A term that renews itself runs until its renewal is decided, so access never
 * lapses (docs/billing.md#renewals). $1 is the organization, $2 now, $3 the questions as JSON.
 * @param columns further columns, which may read `q.id` @param joins further tables of a term
 */
export const selectRunningTerms = (columns: string, joins = ''): string =>
  `select q.ordinal, t.* from ${QUESTIONS} cross join lateral (${runningTerms(columns, joins)}) t ${ORDER}`;

/**
 * Selects the running terms as `selectRunningTerms`, and the feature `f` of each question. A question without a term has a
 * row of its feature alone.
 */
export const selectFeaturesAndRunningTerms = (features: string, columns: string): string =>
  `select q.ordinal, ${features}, t.* from ${QUESTIONS}
left join features f on f.org = $1 and f.feature_id = q.id::uuid
left join lateral (${runningTerms(columns, '')}) t on true ${ORDER}`;

const QUESTIONS = 'json_to_recordset($3) as q (ordinal int, customer uuid, filters jsonb, id text)';
const ORDER = 'order by q.ordinal, t.start, t.subscription_id';

const runningTerms = (columns: string, joins: string): string => `
  select s.subscription_id, s.start_at as start, s.end_at as "end", s.scheduled_end as "scheduledEnd", s.filters,
    s.plan_id as "planId", p.name as "planName", s.version_id as "versionId", v.version,
    not exists (select from ${RUNNING_ADDONS} and a.addon_id is null) as "addonsShown", ${columns}
  from "subscriptions" s
  left join plan_versions v on v.org = s.org and v.version_id = s.version_id
  left join plans p on p.org = s.org and p.plan_id = s.plan_id ${joins}
  where s.org = $1 and s.customer_key = q.customer and s.start_at <= $2
    and (s.end_at > $2 or s.state = 'open' and s.auto_renew) and s.filters @> q.filters
`;

/**
 * Selects the next instant at which a term of the customer of `q` begins or ends by itself. Add-ons begin and end with
 * their term or by an event.
 */
export const NEXT_BOUNDARY = `(select min(case when s.start_at > $2 then s.start_at else s.end_at end) from "subscriptions" s
    where s.org = $1 and s.customer_key = q.customer and s.end_at > $2)`;

/** Returns the parameters of a statement on running terms. Filters that no term can have are null, which selects none. */
export const termsValues = (org: Uuid, now: Instant, questions: readonly TermsQuestion[]): string[] => {
  const asked = questions.map(({ customerKey, filters, id }, ordinal) => {
    return { ordinal, customer: customerKey, filters: areStorable(filters) ? filters : null, id };
  });
  return [org, now, JSON.stringify(asked)];
};

/**
 * Requires the plan and the add-ons of every term. They precede the term in the log, so a missing one means
 * that a read model is behind or is being rebuilt.
 * @throws DomainError `unavailable`
 */
export function withPlans<Row extends TermRow>(
  rows: readonly Row[],
): (Omit<Row, 'planName'> & { readonly planName: string })[] {
  return rows.map((row) => {
    if (row.planName !== null && row.addonsShown) return { ...row, planName: row.planName };
    throw new DomainError('unavailable', 'The read models are behind. Try again in a moment.');
  });
}

/**
 * Returns the customer and the feature or metric that a request names.
 * @throws DomainError `does_not_exist` for each that is unknown
 */
export function requireKnown<Customer, Entity>(
  customer: Customer | undefined,
  entity: Entity | undefined,
  name: 'feature' | 'metric',
): [Customer, Entity] {
  if (customer !== undefined && entity !== undefined) return [customer, entity];
  const unknown = [
    ...(customer === undefined ? [doesNotExist('customer')] : []),
    ...(entity === undefined ? [doesNotExist(name)] : []),
  ];
  throw invalidFields(unknown[0]!, ...unknown.slice(1));
}

const doesNotExist = (what: string): FieldError => ({
  code: 'does_not_exist',
  detail: unknownId(what),
  attr: `${what}_id`,
});
