import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import type { Uuid } from '../../kernel/ids.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Metric } from '../domain/metric.js';
import type { MetricRow } from '../read-models.js';
import { metricOf } from './metric-rows.js';

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

  /** The newest first, then by name; without those that are archived. */
  async execute({ org, page }: ListMetrics): Promise<Slice<Metric>> {
    let wanted = this.database.db
      .withTables<{ metrics: MetricRow }>()
      .selectFrom('metrics')
      .selectAll()
      .where('org', '=', org)
      .where('archived_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) {
      const { at, id } = readCursor(page.cursor);
      const last = sql<string>`(select name from metrics where org = ${org} and metric_id = ${id})`;
      wanted = wanted.where(sql<boolean>`(created_at < ${at} or created_at = ${at} and name > ${last})`);
    }
    const slice = sliceOf(await wanted.execute(), page.limit, (row) => ({
      at: row.created_at,
      id: row.metric_id,
    }));
    return { ...slice, rows: slice.rows.map(metricOf) };
  }
}
