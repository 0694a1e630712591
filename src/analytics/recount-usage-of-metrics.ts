import type pg from 'pg';
import { metricOf } from '../catalog/queries/metrics.js';
import type { MetricRow } from '../catalog/read-models.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { COUNT_USAGE_BY_METRIC, usageByMetricValues } from './queries/usage-by-metric-sql.js';
import type { UsageGranularity } from './queries/usage-granularity.js';

/** Kept usage of a metric that is not what its events amount to. */
export interface UsageOfMetricMismatch {
  readonly org: Uuid;
  readonly metricId: Uuid;
  readonly granularity: UsageGranularity;
  readonly day: string;
  /** Events that the kept row counts. */
  readonly events: number;
  /** Events that were counted anew. */
  readonly counted: number;
}

interface KeptRow extends MetricRow {
  readonly kept: UsageGranularity;
  readonly day: string;
  readonly since: Instant;
  readonly until: Instant;
  readonly name_events: string;
  readonly events: string;
  readonly total: string | null;
}

/** Counts random rows of `usage_of_metrics` again. A row that is out of date because events came is left out. */
export async function recountUsageOfMetrics(
  pool: Pick<pg.Pool, 'query'>,
  sample: number,
): Promise<UsageOfMetricMismatch[]> {
  const { rows } = await pool.query<KeptRow>(SAMPLE, [sample]);
  const found: UsageOfMetricMismatch[] = [];
  for (const row of rows) {
    const { org, metric_id: metricId, kept: granularity, day, events } = row;
    const selection = { range: { start: row.since, end: row.until }, granularity };
    const { rows: counted } = await pool.query<{ event_count: string }>(
      `select event_count from (${COUNT_USAGE_BY_METRIC}) c
       where c.name_events = $12 and (c.event_count <> $13 or c.total is distinct from $14::numeric)`,
      [
        ...[org, ...usageByMetricValues(selection, [metricOf(row)], [null])],
        ...[row.name_events, events, row.total],
      ],
    );
    for (const { event_count: count } of counted)
      found.push({ org, metricId, granularity, day, events: Number(events), counted: Number(count) });
  }
  return found;
}

const SAMPLE = `
  select m.*, k.granularity as kept, k.day::text as day, k.name_events, k.events, k.total,
    k.day::timestamp at time zone 'UTC' as since,
    (k.day + ('1 ' || k.granularity)::interval) at time zone 'UTC' as until
  from usage_of_metrics k join metrics m using (org, metric_id)
  order by random() limit $1`;
