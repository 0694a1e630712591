import { toWireId } from '../kernel/ids.js';
import type { Metric } from './domain/metric.js';

/** Metric of api.md 2.8. */
export function presentMetric({
  metricId,
  name,
  definition,
}: Pick<Metric, 'metricId' | 'name' | 'definition'>) {
  return {
    metric_id: toWireId('metric', metricId),
    metric_name: name,
    event_name: definition.eventName,
    property_name: definition.propertyName,
    aggregation_type: definition.aggregation,
    metric_type: definition.metricType,
    granularity: definition.granularity,
    event_type: definition.eventType,
    proration: definition.proration,
    numeric_filters: definition.numericFilters.map((filter) => ({
      property_name: filter.propertyName,
      operator: filter.operator,
      comparison_value: Number(filter.comparisonValue),
    })),
    categorical_filters: definition.categoricalFilters.map((filter) => ({
      property_name: filter.propertyName,
      operator: filter.operator,
      comparison_value: filter.comparisonValue,
    })),
    is_cost_metric: definition.isCostMetric,
    custom_sql: null,
  };
}
