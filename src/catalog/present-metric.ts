import { toWireId } from '../kernel/ids.js';
import {
  flag,
  listOf,
  named,
  nullable,
  number,
  object,
  oneOf,
  text,
  type Schema,
  type WireOf,
} from '../platform/http/openapi/schema.js';
import { wireId } from '../platform/http/openapi/values.js';
import { AGGREGATIONS, EVENT_TYPES, GRANULARITIES, METRIC_TYPES } from './domain/metric-definition.js';
import type { Metric } from './domain/metric.js';

const GRANULARITY: Schema<string> = oneOf(GRANULARITIES);

/** Wire shape of a metric (docs/contract.md#metric). */
export const METRIC = named(
  'Metric',
  object({
    metric_id: wireId('metric'),
    metric_name: text(),
    event_name: text(),
    property_name: nullable(text()),
    aggregation_type: oneOf(AGGREGATIONS),
    metric_type: oneOf(METRIC_TYPES),
    granularity: nullable(GRANULARITY),
    event_type: nullable(oneOf(EVENT_TYPES)),
    proration: nullable(GRANULARITY),
    numeric_filters: listOf(
      named(
        'NumericFilter',
        object({
          property_name: text({ maxLength: 100 }),
          operator: oneOf(['gte', 'gt', 'eq', 'lt', 'lte']),
          comparison_value: number(),
        }),
      ),
    ),
    categorical_filters: listOf(
      named(
        'CategoricalFilter',
        object({
          property_name: text({ maxLength: 100 }),
          operator: oneOf(['isin', 'isnotin']),
          comparison_value: listOf(text()),
        }),
      ),
    ),
    is_cost_metric: flag(),
    custom_sql: nullable(text()),
  }),
);

export function presentMetric({
  metricId,
  name,
  definition,
}: Pick<Metric, 'metricId' | 'name' | 'definition'>): WireOf<typeof METRIC> {
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
