import { sql, type ExpressionBuilder, type Kysely } from 'kysely';
import { PAGE_END } from '../../platform/database/cursor.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { VersionPhase } from '../domain/resolve-version.js';
import type { PlanRow, PlanVersionRow } from '../read-models.js';
import { newestFirst, type PlanOrder } from './plan-order.js';

/** Filters of the list of plans (docs/contract.md#list-plans); undefined or empty filters nothing. Tags are in lower case. */
export interface PlanFilters {
  readonly planId?: Uuid | undefined;
  readonly duration?: PlanDuration | undefined;
  readonly excludeTags?: readonly string[];
  readonly includeTags?: readonly string[];
  readonly includeTagsAll?: readonly string[];
  readonly currency?: string | undefined;
  readonly customType?: 'custom_only' | 'public_only' | 'all' | undefined;
  readonly phases?: readonly VersionPhase[];
}

export interface PlanPage {
  readonly limit: number;
  /** Undefined: the newest first, then by name. */
  readonly order?: PlanOrder;
  readonly cursor?: string | undefined;
}

/** Row of a version with its plan. */
export type JoinedRow = PlanVersionRow &
  Pick<PlanRow, 'description' | 'duration' | 'tags' | 'external_links'> & {
    plan_name: string;
    plan_created_at: Instant;
    plan_deleted_at: Instant | null;
    /** True if the filters keep this version. */
    shown: boolean;
    /** Number of running subscriptions. */
    running: number;
    /** True if the plans before it fill the page. */
    is_after_page: boolean;
  };

type Tables = { plans: PlanRow; plan_versions: PlanVersionRow };

/**
 * Selects the plans with a version that passes the filters, each with all its versions, in one statement: plans in the
 * order, versions by creation. A plan selected by its id is returned even if it is deleted. The page is measured before
 * versions are joined: PostgreSQL would measure it again for each of them.
 */
export function selectPlans(
  db: Kysely<Record<never, never>>,
  org: Uuid,
  filters: PlanFilters,
  { limit, order = newestFirst(org), cursor }: PlanPage,
  now: Instant,
) {
  return db
    .withTables<Tables>()
    .with('kept', (cte) =>
      cte
        .selectFrom('plan_versions as v')
        .select(['v.plan_id', 'v.version_id'])
        .where('v.org', '=', org)
        .where((v) => v.and(versionConditions(v, filters, now))),
    )
    .with('page', (cte) =>
      cte
        .selectFrom('plans as p')
        .selectAll()
        .where('p.org', '=', org)
        .where('p.plan_id', 'in', (sub) => sub.selectFrom('kept').select('kept.plan_id'))
        .where((p) =>
          p.and([...planConditions(p, filters), ...(cursor === undefined ? [] : [order.after(cursor)])]),
        )
        .select(sql<string>`row_number() over (order by ${order.orderBy})`.as('ordinal'))
        .orderBy(order.orderBy)
        .limit(limit),
    )
    .with('sized', (cte) => cte.selectFrom('page').selectAll().select(BYTES.as('page_bytes')))
    .with(
      (name) => name('measured').materialized(),
      (cte) =>
        cte
          .selectFrom('sized')
          .selectAll()
          .select([PAGE_END.isAfterPage.as('is_after_page'), PAGE_END.isRead.as('is_read')]),
    )
    .selectFrom('measured as p')
    .innerJoin('plan_versions as v', (join) =>
      join.onRef('v.plan_id', '=', 'p.plan_id').on('v.org', '=', org),
    )
    .leftJoin('kept', 'kept.version_id', 'v.version_id')
    .selectAll('v')
    .select(['p.name as plan_name', 'p.description', 'p.duration', 'p.tags', 'p.external_links'])
    .select(['p.created_at as plan_created_at', 'p.deleted_at as plan_deleted_at', 'p.is_after_page'])
    .select(sql<boolean>`kept.version_id is not null`.as('shown'))
    .select(runningOn(now).as('running'))
    .where('p.is_read', '=', true)
    .orderBy('p.ordinal')
    .orderBy('v.published_revision');
}

/** Bytes of a plan in an answer, which may show a version twice. */
const BYTES = sql<number>`(select 2 * coalesce(sum(octet_length(v::text)), 0) from plan_versions v
  where v.org = page.org and v.plan_id = page.plan_id)`;

const runningOn = (now: Instant) => sql<number>`(select count(*)::int from subscriptions s
  where s.org = v.org and s.plan_id = v.plan_id and s.version_id = v.version_id
    and s.start_at <= ${now} and s.end_at > ${now})`;

/** SQL of `phaseOf` (src/catalog/domain/resolve-version.ts). */
const phase = (now: Instant) => sql<VersionPhase>`case
  when v.deleted_at is not null or v.active_to <= ${now} then 'ended'
  when v.active_from is null or v.active_from > ${now} then 'not_started'
  else 'active' end`;

function versionConditions(
  v: ExpressionBuilder<Tables & { v: PlanVersionRow }, 'v'>,
  { planId, currency, customType, phases = [] }: PlanFilters,
  now: Instant,
) {
  const targets = sql<number>`jsonb_array_length(v.target_customer_keys)`;
  return [
    ...(planId === undefined ? [v('v.deleted_at', 'is', null)] : []),
    ...(currency === undefined ? [] : [v('v.currency', '=', currency)]),
    ...(customType === 'custom_only' ? [v(targets, '>', 0)] : []),
    ...(customType === 'public_only' ? [v(targets, '=', 0)] : []),
    ...(phases.length === 0 ? [] : [v(phase(now), 'in', phases)]),
  ];
}

const tags = sql<
  string[]
>`array(select lower(tag collate "C") from jsonb_array_elements_text(p.tags) as t(tag))`;

function planConditions(p: ExpressionBuilder<Tables & { p: PlanRow }, 'p'>, filters: PlanFilters) {
  const { planId, duration, excludeTags = [], includeTags = [], includeTagsAll = [] } = filters;
  return [
    ...(planId === undefined ? [] : [p('p.plan_id', '=', planId)]),
    ...(duration === undefined ? [] : [p('p.duration', '=', duration)]),
    ...(excludeTags.length === 0 ? [] : [sql<boolean>`not ${tags} && ${excludeTags}::text[]`]),
    ...(includeTags.length === 0 ? [] : [sql<boolean>`${tags} && ${includeTags}::text[]`]),
    ...(includeTagsAll.length === 0 ? [] : [sql<boolean>`${tags} @> ${includeTagsAll}::text[]`]),
  ];
}
