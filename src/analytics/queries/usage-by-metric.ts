import { Injectable } from '@nestjs/common';
import { metricOf } from '../../catalog/queries/metrics.js';
import type { Metric } from '../../catalog/domain/metric.js';
import type { MetricRow } from '../../catalog/read-models.js';
import { invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { COUNTS, valuesOf } from '../../metering/count-sql.js';
import { filterRows, PASSES_FILTERS } from '../../metering/usage-questions-sql.js';
import { Database } from '../../platform/database/open-database.js';
import { AnalyticsReader, type Current } from './analytics-reader.js';
import { COUNTED_PAIRS, type UsageGranularity } from './usage-pairs-sql.js';

/** Usage of a metric in a day or month, over all customers. */
interface UsageOfMetricRow {
  readonly day: string;
  readonly metricId: Uuid;
  /** Decimal text; null for a metric whose quantities of several customers do not add up. */
  readonly quantity: string | null;
  readonly events: string;
}

export interface UsageByMetric extends Current<readonly UsageOfMetricRow[]> {
  /** Metrics with rows, those with most events first. */
  readonly metrics: readonly Metric[];
  /** Metrics with events in the range that have no rows. */
  readonly leftOut: number;
}

/** Metrics with rows of their own. */
const MOST_METRICS = 20;
/** Metrics of an organization among which they are chosen, the latest first. */
const MOST_KNOWN = 1_000;

interface CountedRow {
  /** Place of the metric among those that are known, from 1 on. */
  readonly place: string;
  /** Null: the metric has events, and no rows as others have more. */
  readonly day: string | null;
  readonly event_count: string | null;
  readonly total: string | null;
}

interface Selection {
  readonly range: Period;
  readonly granularity: UsageGranularity;
  /** Undefined: those with most events. */
  readonly metricId: Uuid | undefined;
}

/** Counts what metrics make of the events of all customers (docs/contract.md#analytics). */
@Injectable()
export class UsageByMetricReport {
  constructor(
    private readonly reader: AnalyticsReader,
    private readonly database: Database,
  ) {}

  /** @throws DomainError `does_not_exist` for an unknown metric */
  async read(org: Uuid, { range, granularity, metricId }: Selection): Promise<UsageByMetric> {
    const known = await this.metricsOf(org, metricId);
    if (metricId !== undefined && known.length === 0) {
      const detail = 'There is no metric with the id given.';
      throw invalidFields({ code: 'does_not_exist', detail, attr: 'metric_id' });
    }
    const definitions = known.map(({ definition }) => definition);
    const filters = definitions.map((definition) => filterRows(definition, []));
    const current = await this.reader.read<CountedRow>(org, 'usage-by-metric', USAGE_BY_METRIC, [
      range.start,
      range.end,
      granularity,
      [...new Set(definitions.map(({ eventName }) => eventName))],
      definitions.map(({ eventName }) => eventName),
      definitions.map(({ aggregation }) => aggregation),
      definitions.map(({ propertyName }) => propertyName),
      filters.map((rows) => JSON.stringify(rows)),
      // Every event counts as one: the index alone answers it.
      definitions.map(({ aggregation }, place) => aggregation === 'count' && filters[place]!.length === 0),
    ]);
    const places = [
      ...new Set(current.rows.flatMap(({ day, place }) => (day === null ? [] : [Number(place)]))),
    ];
    return {
      ...current,
      metrics: places.map((place) => known[place - 1]!),
      leftOut: current.rows.filter(({ day }) => day === null).length,
      rows: current.rows.flatMap(({ place, day, event_count: events, total }) => {
        const metric = known[Number(place) - 1]!;
        if (day === null) return [];
        const quantity = addsUp(metric) ? (total ?? events!) : null;
        return [{ day, metricId: metric.metricId, quantity, events: events! }];
      }),
    };
  }

  private async metricsOf(org: Uuid, metricId: Uuid | undefined): Promise<readonly Metric[]> {
    const { rows } = await this.database.pool.query<MetricRow>({
      name: 'analytics-metrics',
      text: `select * from metrics where org = $1 and ($2::uuid is null and archived_at is null or metric_id = $2)
        order by created_at desc, metric_id limit ${MOST_KNOWN}`,
      values: [org, metricId ?? null],
    });
    return rows.map(metricOf);
  }
}

/** An average of several customers is no average, and the level of a gauge depends on what came before the day. */
const addsUp = ({ definition }: Metric): boolean =>
  definition.metricType === 'counter' && definition.aggregation !== 'average';

/**
 * Metrics that count every event of a name have the counts of that name, which the index holds. Of the others, each reads
 * the events of its name in the range, customer by customer, and what each customer's day amounts to is added up.
 */
const USAGE_BY_METRIC = `
  with recursive ${COUNTED_PAIRS('p.event_name = any($5::text[])')}, wanted as (
    select w.*, coalesce(of_name.events, 0) as of_name from unnest(
        $6::text[], $7::text[], $8::text[], $9::jsonb[], $10::boolean[])
      with ordinality as w (event_name, aggregation, property, filters, is_plain, place)
    left join (select event_name, sum(events) as events from counted group by event_name) of_name using (event_name)
  ), chosen as materialized (
    select * from wanted where of_name > 0 order by of_name desc, place limit ${MOST_METRICS}
  ), further as (
    select q.place, d.day, sum(d.event_count) as events, sum(d.total) as total
    from chosen q join pair p using (event_name) cross join lateral (
      select day, ${COUNTS}
      from (
        select day, ${valuesOf('property')} from (
          select date_trunc($4::text, e.event_time at time zone 'UTC')::date as day, e.properties -> q.property as property
          from usage_events e
          where e.org = $1 and e.customer_key = p.customer_key and e.event_name = q.event_name
            and e.event_time >= $2 and e.event_time < $3 and ${PASSES_FILTERS}
          offset 0
        ) event
      ) valued
      group by day
    ) d
    where not q.is_plain
    group by q.place, d.day
  )
  select rows.place, rows.day, rows.events as event_count, rows.total from (
    select q.place, q.of_name, c.day, sum(c.events) as events, null::numeric as total
    from chosen q join counted c using (event_name) where q.is_plain group by q.place, q.of_name, c.day
    union all
    select f.place, q.of_name, f.day, f.events, f.total from further f join chosen q using (place)
    union all
    select place, of_name, null, null, null from wanted
    where of_name > 0 and place not in (select place from chosen)
  ) rows
  order by rows.of_name desc, rows.place, rows.day`;
