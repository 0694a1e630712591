import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import type { MetricRow } from '../../../projections/catalog/schema.js';
import type { Metric } from '../../catalog/domain/metric.js';
import type { PlanComponent } from '../../catalog/domain/price-content.js';
import { metricOf } from '../../catalog/queries/metric-rows.js';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { quantity, readExactText, ZERO, type Quantity } from '../../kernel/quantity.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import { allows, limitsOf, NOTHING_ALLOWED, type MetricLimits } from '../domain/metric-limits.js';
import { usageQuestion } from '../domain/usage-question.js';
import { requireKnown } from './require-known.js';
import { selectRunningTerms, withPlans, type AccessQuestion, type AccessTerm } from './running-terms.js';

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
  ) {
    super();
  }
}

/** Whether a customer may use more of a metric now, by the usage received so far (api-completed.md section 3). */
@QueryHandler(GetMetricAccess)
export class GetMetricAccessHandler implements IQueryHandler<GetMetricAccess> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
    private readonly usage: UsageReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Any term that still has room is enough. @throws DomainError `does_not_exist` for an unknown customer or metric */
  async execute({ org, question }: GetMetricAccess): Promise<MetricAccess> {
    const now = await this.clock.now();
    const customerKey = customerKeyOf(org, question.customerId);
    const [foundCustomer, foundMetric, rows] = await Promise.all([
      this.customers.find(org, customerKey),
      this.metricOf(org, question.metricId),
      this.termsOf(org, customerKey, question, now),
    ]);
    const [customer, metric] = requireKnown(foundCustomer, foundMetric, 'metric');
    const used = await this.usedOf(org, rows, now);
    const terms = rows.map((row, place) => ({
      ...row,
      used: used.get(place) ?? ZERO,
      limits: row.component ? limitsOf(row.component.tiers, unitsOf(row)) : NOTHING_ALLOWED,
    }));
    return { customer, metric, access: terms.some((term) => allows(term.limits, term.used)), terms };
  }

  private async termsOf(
    org: Uuid,
    customerKey: Uuid,
    { filters, metricId }: GetMetricAccess['question'],
    now: Instant,
  ) {
    const rows = await selectRunningTerms(this.database, org, customerKey, filters, now)
      .select([
        's.basis',
        's.customer_key as customerKey',
        's.prepaid_units as prepaidUnits',
        sql<PlanComponent | null>`jsonb_path_query_first(v.components, '$[*] ? (@.metricId == $id)',
          jsonb_build_object('id', ${metricId}::text))`.as('component'),
      ])
      .execute();
    return withPlans(rows);
  }

  /** By the place of the term, for those whose plan has the metric; one statement for all of them. */
  private async usedOf(
    org: Uuid,
    rows: readonly TermRow[],
    now: Instant,
  ): Promise<ReadonlyMap<number, Quantity>> {
    const asked = rows.flatMap((row, place) =>
      row.component ? [{ place, question: usageQuestion(row, row.component, now) }] : [],
    );
    const counts = await this.usage.countLive(
      org,
      asked.map(({ question }) => question),
    );
    return new Map(counts.map((count, index) => [asked[index]!.place, readExactText(count.quantity)]));
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

type TermRow = Awaited<ReturnType<GetMetricAccessHandler['termsOf']>>[number];

/** The latest units of the component that are paid for beforehand. */
function unitsOf({ component, prepaidUnits }: Pick<TermRow, 'component' | 'prepaidUnits'>): Quantity {
  const held = prepaidUnits.find(({ metricId }) => metricId === component?.metricId);
  return held ? quantity(held.units) : ZERO;
}
