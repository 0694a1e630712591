import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { groupBy } from '../../kernel/iteration.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Plan, PlanVersion } from '../domain/plan-state.js';
import { RunningSubscriptions } from '../running-subscriptions.js';
import { newestFirst, planOrder, type PlanOrdering } from './plan-order.js';
import { selectPlans, type JoinedRow, type PlanFilters } from './select-plans.js';

/** Plan with the data of an answer. */
export interface PlanView {
  /** Plan with all versions, from which fields of the answer derive. */
  readonly plan: Plan;
  /** The versions to show. */
  readonly shown: ReadonlySet<Uuid>;
  /** Number of running subscriptions by version; absent for 0. */
  readonly running: ReadonlyMap<Uuid, number>;
  readonly customers: ReadonlyMap<Uuid, CustomerSummary>;
  /** Time of the statuses. */
  readonly asOf: Instant;
}

/** Returns the number of running subscriptions of a plan. */
export const activeSubscriptionsOf = ({ running }: PlanView): number =>
  [...running.values()].reduce((sum, count) => sum + count, 0);

/** Groups rows by plan, in the order of the rows. */
export function planViewsOf(
  rows: readonly JoinedRow[],
  customers: ReadonlyMap<Uuid, CustomerSummary>,
  asOf: Instant,
): PlanView[] {
  const byPlan = groupBy(rows, (row) => row.plan_id);
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

export class GetPlan extends Query<PlanView> {
  constructor(
    readonly org: Uuid,
    readonly planId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetPlan)
export class GetPlanHandler implements IQueryHandler<GetPlan> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, planId }: GetPlan): Promise<PlanView> {
    const now = await this.clock.now(org);
    const rows = await selectPlans(this.database.db, org, { planId }, { limit: 1 }, now).execute();
    const targets = rows.flatMap((row) => row.target_customer_keys);
    const [view] = planViewsOf(rows, await this.customers.present(org, targets), now);
    if (!view) throw new DomainError('not_found', unknownId('plan'));
    return view;
  }
}

interface PlansPage {
  /** Undefined: the newest first. */
  readonly ordering: PlanOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export class ListPlans extends Query<Slice<PlanView>> {
  constructor(
    readonly org: Uuid,
    readonly filters: PlanFilters,
    readonly page: PlansPage,
  ) {
    super();
  }
}

@QueryHandler(ListPlans)
export class ListPlansHandler implements IQueryHandler<ListPlans> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ org, filters, page }: ListPlans): Promise<Slice<PlanView>> {
    const now = await this.clock.now(org);
    const { ordering, limit, cursor } = page;
    const order = ordering === undefined ? newestFirst(org) : planOrder(org, ordering, now);
    const oneMore = { limit: limit + 1, order, cursor };
    const rows = await selectPlans(this.database.db, org, filters, oneMore, now).execute();
    const targets = rows.flatMap((row) => row.target_customer_keys);
    const views = planViewsOf(rows, await this.customers.present(org, targets), now);
    const after = new Set(rows.filter((row) => row.is_after_page).map((row) => row.plan_id));
    const shown = views.slice(0, limit).filter(({ plan }) => !after.has(plan.planId));
    const last = views.length > shown.length ? shown.at(-1) : undefined;
    if (!last) return { rows: shown, nextCursor: undefined };
    const { createdAt, planId } = last.plan;
    const activeSubscriptions = activeSubscriptionsOf(last);
    return { rows: shown, nextCursor: order.cursorOf({ createdAt, planId, activeSubscriptions }) };
  }
}

/** Returns the view of a plan right after a command, before the read models have it. */
export class ViewChangedPlan extends Query<PlanView> {
  constructor(
    readonly org: Uuid,
    readonly plan: Plan,
    /** A plan that was just created has no subscriptions. */
    readonly isJustCreated = false,
  ) {
    super();
  }
}

@QueryHandler(ViewChangedPlan)
export class ViewChangedPlanHandler implements IQueryHandler<ViewChangedPlan> {
  constructor(
    private readonly customers: CustomerDirectory,
    private readonly running: RunningSubscriptions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ org, plan, isJustCreated }: ViewChangedPlan): Promise<PlanView> {
    const asOf = await this.clock.now(org);
    const targets = plan.versions.flatMap((version) => version.targetCustomerKeys);
    const [customers, running] = await Promise.all([
      this.customers.present(org, targets),
      isJustCreated ? new Map<Uuid, number>() : this.running.toShow(org, plan.planId, asOf),
    ]);
    const shown = new Set(plan.versions.map(({ versionId }) => versionId));
    return { plan, shown, running, customers, asOf };
  }
}
