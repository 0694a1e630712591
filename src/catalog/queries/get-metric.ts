import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Metric } from '../domain/metric.js';
import type { MetricRow } from '../read-models.js';
import { metricOf } from './metric-rows.js';

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
    if (!row) throw new DomainError('not_found', 'There is no metric with this id.');
    return metricOf(row);
  }
}
