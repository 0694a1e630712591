import { ArrayMaxSize, IsArray, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsDecimalInRange, IsFlag, IsListOf } from '../../platform/http/validation/validators.js';
import {
  AGGREGATIONS,
  EVENT_TYPES,
  GRANULARITIES,
  METRIC_TYPES,
  type MetricProposal,
} from '../domain/metric-definition.js';
import type { CategoricalFilter, NumericFilter } from '../../pricing/price-content.js';
import { IsName } from './fields.js';

const NUMERIC_OPERATORS = ['gte', 'gt', 'eq', 'lt', 'lte'] as const;
const CATEGORICAL_OPERATORS = ['isin', 'isnotin'] as const;

class NumericFilterBody {
  @IsString() @IsNotEmpty() @MaxLength(100) property_name!: string;
  @IsIn(NUMERIC_OPERATORS) operator!: NumericFilter['operator'];
  @IsDecimalInRange('-1e300', '1e300') comparison_value!: string;
}

class CategoricalFilterBody {
  @IsString() @IsNotEmpty() @MaxLength(100) property_name!: string;
  @IsIn(CATEGORICAL_OPERATORS) operator!: CategoricalFilter['operator'];
  @IsArray() @ArrayMaxSize(1000) @IsString({ each: true }) comparison_value!: string[];
}

/** Body of `POST /api/metrics/` (docs/contract.md#metrics). */
export class CreateMetricBody {
  @IsName(200) metric_name!: string;
  /** Required by `checkMetric`, unless the metric is custom. */
  @IsOptional() @IsString() @IsNotEmpty() @MaxLength(200) event_name?: string;
  @IsIn(METRIC_TYPES) metric_type!: MetricProposal['metricType'];
  @IsOptional() @IsString() @IsNotEmpty() @MaxLength(200) property_name?: string;
  @IsOptional() @IsIn(AGGREGATIONS) aggregation_type?: MetricProposal['aggregation'];
  /** Alias of `aggregation_type`. */
  @IsOptional() @IsIn(AGGREGATIONS) usage_aggregation_type?: MetricProposal['aggregation'];
  @IsOptional() @IsIn(GRANULARITIES) granularity?: MetricProposal['granularity'];
  @IsOptional() @IsIn(EVENT_TYPES) event_type?: MetricProposal['eventType'];
  @IsOptional() @IsIn(GRANULARITIES) proration?: MetricProposal['proration'];
  @IsOptional() @IsListOf(() => NumericFilterBody, 100) numeric_filters?: NumericFilterBody[];
  @IsOptional() @IsListOf(() => CategoricalFilterBody, 100) categorical_filters?: CategoricalFilterBody[];
  @IsOptional() @IsFlag() is_cost_metric?: boolean;
}

/** Reads the metric of a body; a faulty field counts as left out. */
export function toMetricProposal(
  body: CreateMetricBody,
  isFaulty: (attr: string) => boolean,
): MetricProposal {
  const sound = <Field extends keyof CreateMetricBody>(field: Field) =>
    isFaulty(field) ? null : (body[field] ?? null);
  return {
    metricType: body.metric_type,
    eventName: sound('event_name'),
    aggregation: sound('aggregation_type') ?? sound('usage_aggregation_type'),
    propertyName: sound('property_name'),
    granularity: sound('granularity'),
    eventType: sound('event_type'),
    proration: sound('proration'),
    numericFilters: (sound('numeric_filters') ?? []).map((filter) => ({
      propertyName: filter.property_name,
      operator: filter.operator,
      comparisonValue: filter.comparison_value,
    })),
    categoricalFilters: (sound('categorical_filters') ?? []).map((filter) => ({
      propertyName: filter.property_name,
      operator: filter.operator,
      comparisonValue: filter.comparison_value,
    })),
    isCostMetric: sound('is_cost_metric') ?? false,
  };
}
