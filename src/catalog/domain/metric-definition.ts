import { DomainError, invalidFields, type FieldError } from '../../kernel/errors.js';
import type { CategoricalFilter, MetricDefinition, NumericFilter } from '../../pricing/price-content.js';

export const METRIC_TYPES = ['counter', 'gauge', 'rate', 'custom'] as const;
export const AGGREGATIONS = ['count', 'sum', 'max', 'unique', 'average'] as const;
/** Granularities from fine to coarse; `total` is the whole period. */
export const GRANULARITIES = [
  'seconds',
  'minutes',
  'hours',
  'days',
  'months',
  'quarters',
  'years',
  'total',
] as const;
export const EVENT_TYPES = ['delta', 'total'] as const;

type Aggregation = (typeof AGGREGATIONS)[number];
type Granularity = (typeof GRANULARITIES)[number];

/** A metric as requested: each field is valid by itself, rules across fields are not checked yet. */
export interface MetricProposal {
  readonly eventName: string | null;
  readonly metricType: (typeof METRIC_TYPES)[number];
  readonly aggregation: Aggregation | null;
  readonly propertyName: string | null;
  readonly granularity: Granularity | null;
  readonly eventType: (typeof EVENT_TYPES)[number] | null;
  readonly proration: Granularity | null;
  readonly numericFilters: readonly NumericFilter[];
  readonly categoricalFilters: readonly CategoricalFilter[];
  readonly isCostMetric: boolean;
}

type Definable = MetricProposal & { readonly metricType: MetricDefinition['metricType'] };

const AGGREGATIONS_OF: Readonly<Record<MetricDefinition['metricType'], readonly Aggregation[]>> = {
  counter: ['count', 'sum', 'max', 'unique', 'average'],
  gauge: ['max'],
  rate: ['count', 'sum', 'max', 'average'],
};

/**
 * Returns the definition of a proposed metric (docs/contract.md#metrics). Fields that its type does not use are dropped,
 * so equal metrics have equal definitions.
 * @throws DomainError with every field at fault; `invalid_operation` for a custom metric
 */
export function defineMetric(proposal: MetricProposal): MetricDefinition {
  if (!isDefinable(proposal)) {
    throw new DomainError(
      'invalid_operation',
      'Custom metrics are not supported. Use a counter, a gauge or a rate.',
    );
  }
  const [first, ...rest] = checkMetric(proposal);
  if (first) throw invalidFields(first, ...rest);
  return settle(proposal);
}

const isDefinable = (proposal: MetricProposal): proposal is Definable => proposal.metricType !== 'custom';

/** A proposal whose type may be missing or wrong. */
type UntypedProposal = Omit<MetricProposal, 'metricType'> & {
  readonly metricType: MetricProposal['metricType'] | undefined;
};

/**
 * Checks the rules across the fields of a metric; without a type those that every type has. A custom metric has no faults
 * here: `defineMetric` refuses it.
 */
export function checkMetric(proposal: UntypedProposal): FieldError[] {
  const { metricType, aggregation, granularity } = proposal;
  if (metricType === 'custom') return [];
  const faults: FieldError[] = [];
  const fault = (code: FieldError['code'], attr: string, detail: string) =>
    faults.push({ code, attr, detail });

  if (proposal.eventName === null) fault('required', 'event_name', 'This field is required. Send it.');
  if (aggregation === null) fault('required', 'aggregation_type', 'This field is required. Send it.');
  else if (metricType !== undefined && !AGGREGATIONS_OF[metricType].includes(aggregation)) {
    const detail = `A ${metricType} does not aggregate so. Choose ${AGGREGATIONS_OF[metricType].join(', ')}.`;
    fault('invalid_choice', 'aggregation_type', detail);
  }
  if (aggregation !== null && aggregation !== 'count' && proposal.propertyName === null) {
    fault(
      'required',
      'property_name',
      'Give the property that the metric reads. Only counts of events need none.',
    );
  }
  if (metricType === undefined) return faults;
  if (metricType === 'counter' && granularity !== null && granularity !== 'total') {
    fault('invalid_choice', 'granularity', 'A counter covers the whole period. Give total, or leave it out.');
  }
  if (metricType !== 'counter' && granularity === null) {
    fault('required', 'granularity', `Give the granularity of the ${metricType}.`);
  }
  if (metricType === 'gauge') {
    if (proposal.eventType === null) fault('required', 'event_type', 'Give the event type of the gauge.');
    if (!isFiner(proposal.proration, granularity)) {
      fault('invalid_choice', 'proration', 'Give a proration that is finer than the granularity, or none.');
    }
  }
  return faults;
}

function isFiner(proration: Granularity | null, granularity: Granularity | null): boolean {
  if (proration === null || granularity === null) return true;
  return GRANULARITIES.indexOf(proration) < GRANULARITIES.indexOf(granularity);
}

/** Requires that `checkMetric` found no fault: event name and aggregation are present. */
function settle(proposal: Definable): MetricDefinition {
  const { metricType, aggregation } = proposal;
  return {
    eventName: proposal.eventName!,
    metricType,
    aggregation: aggregation!,
    propertyName: aggregation === 'count' ? null : proposal.propertyName,
    granularity: metricType === 'counter' ? 'total' : proposal.granularity,
    eventType: metricType === 'gauge' ? proposal.eventType : null,
    proration: metricType === 'gauge' ? proposal.proration : null,
    numericFilters: proposal.numericFilters,
    categoricalFilters: proposal.categoricalFilters,
    isCostMetric: proposal.isCostMetric,
  };
}
