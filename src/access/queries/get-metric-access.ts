import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ownStartOf } from '../../billing/rating/addon-basis.js';
import { GaugeBases } from '../../billing/usage/gauge-bases.js';
import type { Metric } from '../../catalog/domain/metric.js';
import type { PlanComponent, PrepaidUnits } from '../../pricing/price-content.js';
import { metricOf } from '../../catalog/queries/metrics.js';
import type { MetricRow } from '../../catalog/read-models.js';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { streamName } from '../../kernel/event.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { quantity, readExactText, ZERO, type Quantity } from '../../kernel/quantity.js';
import { LiveUsageReader } from '../../metering/live-usage-reader.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import { readState } from '../../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { termDecider } from '../../subscription/domain/term-decider.js';
import { addonsOf } from '../../subscription/domain/term-periods.js';
import {
  allows,
  limitsOf,
  ZERO_LIMITS,
  type MetricLimits,
  usageQuestion,
  type MeteredTerm,
} from '../domain/metric-limits.js';
import {
  requireKnown,
  RUNNING_ADDONS,
  selectRunningTerms,
  termsValues,
  withPlans,
  type AccessQuestion,
  type AccessTerm,
  type TermRow,
} from './running-terms.js';

export interface MetricAccess {
  readonly customer: CustomerSummary;
  readonly metric: Metric;
  readonly access: boolean;
  readonly terms: readonly (AccessTerm & { readonly used: Quantity; readonly limits: MetricLimits })[];
}

export class GetMetricAccess extends Query<MetricAccess> {
  constructor(
    readonly org: Uuid,
    readonly question: AccessQuestion & { readonly metricId: Uuid },
    /** Aborts when the client disconnects. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

/** Answers whether a customer may use more of a metric now, by the usage received so far (docs/contract.md#metric-access). */
@QueryHandler(GetMetricAccess)
export class GetMetricAccessHandler implements IQueryHandler<GetMetricAccess> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    private readonly usage: LiveUsageReader,
    private readonly bases: GaugeBases,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Grants access if any term is below its limit. @throws DomainError `does_not_exist` for an unknown customer or metric */
  async execute({ org, question, signal }: GetMetricAccess): Promise<MetricAccess> {
    const now = await this.clock.now(org);
    const customerKey = customerKeyOf(org, question.customerId);
    const [foundCustomer, foundMetric, rows] = await Promise.all([
      this.customers.find(org, customerKey),
      this.metricOf(org, question.metricId),
      this.termsOf(org, customerKey, question, now),
    ]);
    const [customer, metric] = requireKnown(foundCustomer, foundMetric, 'metric');
    const used = await this.usedOf(org, rows, now, signal);
    const terms = rows.map((row, ordinal) => ({
      ...row,
      used: used.get(ordinal) ?? ZERO,
      limits: row.counting ? limitsOf(row.counting.component.tiers, row.counting.units) : ZERO_LIMITS,
    }));
    return { customer, metric, access: terms.some((term) => allows(term.limits, term.used)), terms };
  }

  private async termsOf(
    org: Uuid,
    customerKey: Uuid,
    { filters, metricId }: GetMetricAccess['question'],
    now: Instant,
  ) {
    const { rows } = await this.database.pool.query<MeteredRow>({
      name: 'metric-access-terms',
      text: TERMS,
      values: termsValues(org, now, [{ customerKey, filters, id: metricId }]),
    });
    return withPlans(rows).map((row) => ({ ...row, counting: countingOf(row) }));
  }

  /** Counts usage of the terms that have the metric, by index of the term, with one statement. */
  private async usedOf(
    org: Uuid,
    rows: readonly { readonly counting: Counting | null }[],
    now: Instant,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, Quantity>> {
    const asked = rows.flatMap(({ counting }, ordinal) => (counting ? [{ ordinal, counting }] : []));
    const questions = asked.map(async ({ counting }) => {
      const { component, term } = counting;
      const question = usageQuestion(await this.countedTermOf(org, counting), component, now);
      return { question, metricId: component.metricId, currency: term.basis.currency };
    });
    const continued = await this.bases.continued(org, await Promise.all(questions));
    const counts = await this.usage.countLive(org, continued, signal);
    return new Map(counts.map((count, index) => [asked[index]!.ordinal, readExactText(count.quantity)]));
  }

  /**
   * Returns the term whose windows the usage is counted in. After a switch that kept usage separate, the rate of an add-on
   * may look back further than its term (docs/billing.md#rates): only the stream of the term says how far.
   */
  private async countedTermOf(org: Uuid, { component, term, addon }: Counting): Promise<MeteredTerm> {
    if (!addon || component.metric.metricType !== 'rate' || term.basis.ownStart === undefined) return term;
    const stream = streamName('subscription', org, addon.subscriptionId);
    const { state } = await readState(this.store, stream, termDecider);
    const found = addonsOf(state?.term ?? {}).find(
      ({ addonSubscriptionId }) => addonSubscriptionId === addon.addonSubscriptionId,
    );
    return found ? { ...term, basis: { ...term.basis, ...ownStartOf(found, term.basis) } } : term;
  }

  private async metricOf(org: Uuid, metricId: Uuid): Promise<Metric | undefined> {
    const row = await this.database.db
      .withTables<{ metrics: MetricRow }>()
      .selectFrom('metrics')
      .selectAll()
      .where('org', '=', org)
      .where('metric_id', '=', metricId)
      .executeTakeFirst();
    return row && metricOf(row);
  }
}

const componentIn = (components: string): string =>
  `jsonb_path_query_first(${components}, '$[*] ? (@.metricId == $id)', jsonb_build_object('id', q.id))`;

/** Component of the plan, or of the first add-on that has the metric. */
const TERMS = selectRunningTerms(
  `s.basis, s.customer_key as "customerKey", s.prepaid_units as "prepaidUnits",
    ${componentIn('v.components')} as "inPlan", attached.component as "inAddon", attached.since as "addonSince",
    s.subscription_id as "subscriptionId", attached.id as "addonSubscriptionId"`,
  `left join lateral (
    select sa.start_at as since, sa.addon_subscription_id as id, ${componentIn('a.components')} as component
    from ${RUNNING_ADDONS} and ${componentIn('a.components')} is not null
    order by sa.start_at, sa.addon_subscription_id limit 1
  ) attached on true`,
);

interface MeteredRow extends TermRow, MeteredTerm {
  readonly start: Instant;
  readonly end: Instant;
  readonly filters: AccessTerm['filters'];
  readonly prepaidUnits: readonly PrepaidUnits[];
  readonly inPlan: PlanComponent | null;
  readonly inAddon: PlanComponent | null;
  readonly addonSince: Instant | null;
  readonly subscriptionId: Uuid;
  readonly addonSubscriptionId: Uuid | null;
}

interface Counting {
  readonly component: PlanComponent;
  /** Term whose windows the usage is counted in. */
  readonly term: MeteredTerm;
  /** Prepaid units of the window. */
  readonly units: Quantity;
  /** The add-on that has the component; absent where the plan has it. */
  readonly addon?: { readonly subscriptionId: Uuid; readonly addonSubscriptionId: Uuid };
}

/** Finds the component of a term for the metric: the plan's, else an add-on's from its attachment on. */
function countingOf(row: Omit<MeteredRow, 'planName'>): Counting | null {
  const { customerKey, filters, end, prepaidUnits, inPlan, inAddon, addonSince } = row;
  const { subscriptionId, addonSubscriptionId } = row;
  if (inPlan) {
    const held = prepaidUnits.find(({ metricId }) => metricId === inPlan.metricId);
    return { component: inPlan, term: row, units: held ? quantity(held.units) : ZERO };
  }
  if (!inAddon || addonSince === null || addonSubscriptionId === null) return null;
  const { continues: _, ...basis } = row.basis;
  const units = inAddon.prepaid?.units ?? null;
  return {
    component: inAddon,
    term: { customerKey, filters, start: addonSince, end, basis },
    units: units === null ? ZERO : quantity(units),
    addon: { subscriptionId, addonSubscriptionId },
  };
}
