import { Injectable } from '@nestjs/common';
import { metricOf } from '../../catalog/queries/metrics.js';
import type { Metric } from '../../catalog/domain/metric.js';
import type { MetricRow } from '../../catalog/read-models.js';
import { invalidFields, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { pastMoment } from '../../platform/as-of/moment.js';
import { Database } from '../../platform/database/open-database.js';
import { AnalyticsReader, type RowsAsOf } from './analytics-reader.js';
import { COUNT_USAGE_BY_METRIC, STORE_COUNTS, usageByMetricValues } from './usage-by-metric-sql.js';
import { type UsageGranularity } from './usage-granularity.js';

/** Usage of a metric in a day or month, over all customers. */
interface UsageOfMetricRow {
  readonly day: string;
  readonly metricId: Uuid;
  /** Decimal text; null for a metric whose quantities do not add up over customers. */
  readonly quantity: string | null;
  readonly events: string;
}

export interface UsageByMetric extends RowsAsOf<readonly UsageOfMetricRow[]> {
  /** Metrics with rows, those with most events first. */
  readonly metrics: readonly Metric[];
  /** Metrics with events in the range, but without rows. */
  readonly leftOut: number;
}

interface CountedRow {
  /** Index of the metric in the list of known ones, the latest first, from 1. */
  readonly ordinal: string;
  /** Null: the metric has events but no rows, because others have more events. */
  readonly day: string | null;
  readonly event_count: string | null;
  readonly total: string | null;
  /** Number of stored events of the name that the metric reads. */
  readonly name_events: string | null;
  /** False when the row was counted for this answer. */
  readonly is_known: boolean;
}

interface Selection {
  readonly range: Period;
  readonly granularity: UsageGranularity;
  /** Undefined: the metrics with most events. */
  readonly metricId: Uuid | undefined;
}

/** Counts usage of all customers by metric (docs/contract.md#analytics). */
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
      const detail = unknownId('metric');
      throw invalidFields({ code: 'does_not_exist', detail, attr: 'metric_id' });
    }
    const ids = known.map((metric) => metric.metricId);
    const values = usageByMetricValues({ range, granularity }, known, ids);
    const current = await this.reader.read<CountedRow>(org, 'usage-by-metric', COUNT_USAGE_BY_METRIC, values);
    await this.keep(org, granularity, known, current.rows);
    const ordinals = [
      ...new Set(
        current.rows.flatMap(({ day, ordinal, event_count: events }) =>
          day === null || events === '0' ? [] : [Number(ordinal)],
        ),
      ),
    ];
    return {
      ...current,
      metrics: ordinals.map((ordinal) => known[ordinal - 1]!),
      leftOut: current.rows.filter(({ day }) => day === null).length,
      rows: current.rows.flatMap(({ ordinal, day, event_count: events, total }) => {
        const metric = known[Number(ordinal) - 1]!;
        if (day === null || events === '0') return [];
        const quantity = addsUp(metric) ? (total ?? events!) : null;
        return [{ day, metricId: metric.metricId, quantity, events: events! }];
      }),
    };
  }

  /** Keeps the counted rows for the next answer. Rows of a past moment are not kept. */
  private async keep(
    org: Uuid,
    granularity: UsageGranularity,
    known: readonly Metric[],
    rows: readonly CountedRow[],
  ): Promise<void> {
    const counted = rows.filter(({ is_known: isKnown }) => !isKnown);
    if (counted.length === 0 || pastMoment()) return;
    await this.database.pool.query({
      name: 'analytics-keep-usage',
      text: STORE_COUNTS,
      values: [
        org,
        granularity,
        counted.map(({ ordinal }) => known[Number(ordinal) - 1]!.metricId),
        counted.map(({ day }) => day),
        counted.map(({ name_events: events }) => events),
        counted.map(({ event_count: events }) => events),
        counted.map(({ total }) => total),
      ],
    });
  }

  private async metricsOf(org: Uuid, metricId: Uuid | undefined): Promise<readonly Metric[]> {
    const { rows } = await this.database.pool.query<MetricRow>({
      name: 'analytics-metrics',
      text: `select * from metrics where org = $1 and ($2::uuid is null and archived_at is null or metric_id = $2)
        order by created_at desc, metric_id`,
      values: [org, metricId ?? null],
    });
    return rows.map(metricOf);
  }
}

/** Averages of customers do not add up, and the level of a gauge depends on events before the day. */
const addsUp = ({ definition }: Metric): boolean =>
  definition.metricType === 'counter' && definition.aggregation !== 'average';
