import type { Metric } from '../domain/metric.js';
import type { MetricRow } from '../read-models.js';

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
