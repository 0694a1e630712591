import type { CustomerSummary } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Plan, PlanVersion } from '../domain/plan-state.js';
import type { JoinedRow } from './select-plans.js';

/** A plan as an answer shows it. */
export interface PlanView {
  /** With all its versions: what is said of the plan is said of all of them. */
  readonly plan: Plan;
  /** The versions that were asked for. */
  readonly shown: ReadonlySet<Uuid>;
  /** Running subscriptions by version; a version without any may be left out. */
  readonly running: ReadonlyMap<Uuid, number>;
  readonly customers: ReadonlyMap<Uuid, CustomerSummary>;
  /** When statuses are evaluated. */
  readonly asOf: Instant;
}

/** The plans of rows that stand together by plan, in the order of the rows. */
export function viewsOf(
  rows: readonly JoinedRow[],
  customers: ReadonlyMap<Uuid, CustomerSummary>,
  asOf: Instant,
): PlanView[] {
  const byPlan = new Map<Uuid, JoinedRow[]>();
  for (const row of rows) {
    const versions = byPlan.get(row.plan_id);
    if (versions) versions.push(row);
    else byPlan.set(row.plan_id, [row]);
  }
  return [...byPlan.values()].map((versions) => ({
    plan: planOf(versions),
    shown: new Set(versions.filter(({ shown }) => shown).map((row) => row.version_id)),
    running: new Map(versions.map((row) => [row.version_id, row.running])),
    customers,
    asOf,
  }));
}

function planOf(rows: readonly JoinedRow[]): Plan {
  const [row] = rows as readonly [JoinedRow];
  return {
    planId: row.plan_id,
    name: row.plan_name,
    description: row.description,
    duration: row.duration,
    tags: row.tags,
    externalLinks: row.external_links,
    createdAt: row.plan_created_at,
    deletedAt: row.plan_deleted_at,
    versions: rows.map(versionOf),
  };
}

const versionOf = (row: JoinedRow): PlanVersion => ({
  versionId: row.version_id,
  number: row.version ?? 'custom_version',
  content: {
    currency: row.currency,
    recurringCharges: row.recurring_charges,
    components: row.components,
    priceAdjustment: row.price_adjustment,
  },
  contentHash: row.content_hash,
  localizedName: row.localized_name,
  dayAnchor: row.day_anchor,
  monthAnchor: row.month_anchor,
  targetCustomerKeys: row.target_customer_keys,
  features: row.features,
  activeFrom: row.active_from,
  activeTo: row.active_to,
  replacedBy: row.replaced_by,
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
});
