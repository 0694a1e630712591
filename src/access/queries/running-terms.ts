import { sql, type RawBuilder } from 'kysely';
import type { PlanRow, PlanVersionRow } from '../../catalog/read-models.js';
import { DomainError, invalidFields, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Database } from '../../platform/database/open-database.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import { hasFilters, type SubscriptionRow } from '../../subscription/read-models.js';

export interface AccessQuestion {
  readonly customerId: string;
  /** Counts only terms whose filters contain all of these; empty: every term. */
  readonly filters: readonly SubscriptionFilter[];
}

/** A term in an access result. */
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

// A type alias, because kysely does not accept an interface here.
type Tables = { subscriptions: SubscriptionRow; plans: PlanRow; plan_versions: PlanVersionRow };

/**
 * Selects the running terms `s` of a customer, earliest first, joined with their plan versions `v`; queries add their own
 * columns. A term runs until its end, exclusive. A term that renews itself runs until its renewal is decided, so access
 * never lapses (docs/billing.md#renewals).
 */
export const selectRunningTerms = (
  database: Database,
  org: Uuid,
  customerKey: Uuid,
  filters: readonly SubscriptionFilter[],
  now: Instant,
) =>
  database.db
    .withTables<Tables>()
    .selectFrom('subscriptions as s')
    .leftJoin('plan_versions as v', (join) =>
      join.onRef('v.org', '=', 's.org').onRef('v.version_id', '=', 's.version_id'),
    )
    .leftJoin('plans as p', (join) => join.onRef('p.org', '=', 's.org').onRef('p.plan_id', '=', 's.plan_id'))
    .select([
      's.start_at as start',
      's.end_at as end',
      's.scheduled_end as scheduledEnd',
      's.filters',
      's.plan_id as planId',
      'p.name as planName',
      's.version_id as versionId',
      'v.version',
      sql<boolean>`not exists (select from ${runningAddons(now)} and a.addon_id is null)`.as('addonsShown'),
    ])
    .where('s.org', '=', org)
    .where('s.customer_key', '=', customerKey)
    .where('s.start_at', '<=', now)
    .where(sql<boolean>`(s.end_at > ${now} or s.state = 'open' and s.auto_renew)`)
    .where(filters.length === 0 ? sql<boolean>`true` : hasFilters(sql.ref('s.filters'), filters))
    .orderBy('s.start_at')
    .orderBy('s.subscription_id');

/**
 * Joins the running add-ons `sa` of the term `s` with the catalog's add-on `a`. An add-on runs until its end, exclusive. At
 * the end of the term a one_time add-on ends; a recurring one runs on with the renewal.
 */
export const runningAddons = (now: Instant): RawBuilder<unknown> => sql`subscription_addons sa
  left join addons a on a.org = sa.org and a.addon_id = sa.addon_id
  where sa.org = s.org and sa.subscription_id = s.subscription_id and sa.start_at <= ${now}
    and (sa.cancelled_at is null or sa.cancelled_at > ${now})
    and (s.end_at > ${now} or sa.billing_frequency = 'recurring')`;

/**
 * Requires the plan and the add-ons of every term. They precede the term in the log, so if one is missing, a read model is
 * behind or is being rebuilt.
 * @throws DomainError `unavailable`
 */
export function withPlans<Row extends { readonly planName: string | null; readonly addonsShown: boolean }>(
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
export function requireKnown<Customer, Thing>(
  customer: Customer | undefined,
  thing: Thing | undefined,
  name: 'feature' | 'metric',
): [Customer, Thing] {
  if (customer !== undefined && thing !== undefined) return [customer, thing];
  const unknown = [
    ...(customer === undefined ? [doesNotExist('customer')] : []),
    ...(thing === undefined ? [doesNotExist(name)] : []),
  ];
  throw invalidFields(unknown[0]!, ...unknown.slice(1));
}

const doesNotExist = (what: string): FieldError => ({
  code: 'does_not_exist',
  detail: `There is no ${what} with the id given.`,
  attr: `${what}_id`,
});
