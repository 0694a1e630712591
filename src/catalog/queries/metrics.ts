import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import { forEachConcurrent } from '../../platform/concurrency/limits.js';
import type { Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import { metricDecider, type Metric } from '../domain/metric.js';
import type { MetricRow } from '../read-models.js';
import { newestThenByName } from './newest-then-by-name.js';

export const metricOf = (row: MetricRow): Metric => ({
  metricId: row.metric_id,
  name: row.name,
  definition: {
    eventName: row.event_name,
    metricType: row.metric_type,
    aggregation: row.aggregation,
    propertyName: row.property_name,
    granularity: row.granularity,
    eventType: row.event_type,
    proration: row.proration,
    numericFilters: row.numeric_filters,
    categoricalFilters: row.categorical_filters,
    isCostMetric: row.is_cost_metric,
  },
  definitionHash: row.definition_hash,
  archivedAt: row.archived_at,
});

export class GetMetric extends Query<Metric> {
  constructor(
    readonly org: Uuid,
    readonly metricId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetMetric)
export class GetMetricHandler implements IQueryHandler<GetMetric> {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  async execute({ org, metricId }: GetMetric): Promise<Metric> {
    const row = await this.database.db
      .withTables<{ metrics: MetricRow }>()
      .selectFrom('metrics')
      .selectAll()
      .where('org', '=', org)
      .where('metric_id', '=', metricId)
      .executeTakeFirst();
    if (!row) throw new DomainError('not_found', unknownId('metric'));
    return metricOf(row);
  }
}

export class ListMetrics extends Query<Slice<Metric>> {
  constructor(
    readonly org: Uuid,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListMetrics)
export class ListMetricsHandler implements IQueryHandler<ListMetrics> {
  constructor(private readonly database: Database) {}

  /** Lists metrics that are not archived, the newest first, then by name. */
  async execute({ org, page }: ListMetrics): Promise<Slice<Metric>> {
    const { db } = this.database;
    const filtered = db
      .withTables<{ metrics: MetricRow }>()
      .selectFrom('metrics')
      .selectAll()
      .where('org', '=', org)
      .where('archived_at', 'is', null);
    const slice = await newestThenByName(filtered, { db, org, table: 'metrics', id: 'metric_id', ...page });

    return { ...slice, rows: slice.rows.map(metricOf) };
  }
}

/** Returns the ids of metrics that do not exist in the log; archived metrics exist. */
export class FindMissingMetrics extends Query<ReadonlySet<Uuid>> {
  constructor(
    readonly org: Uuid,
    readonly metricIds: readonly Uuid[],
  ) {
    super();
  }
}

/** Streams read concurrently. */
const AT_ONCE = 8;

@QueryHandler(FindMissingMetrics)
export class FindMissingMetricsHandler implements IQueryHandler<FindMissingMetrics> {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async execute({ org, metricIds }: FindMissingMetrics): Promise<ReadonlySet<Uuid>> {
    const missing = new Set<Uuid>();
    await forEachConcurrent(new Set(metricIds), AT_ONCE, async (id) => {
      const { state } = await foldStream(this.store, streamName('metric', org, id), metricDecider);
      if (state === undefined) missing.add(id);
    });
    return missing;
  }
}
