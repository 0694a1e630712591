import type { MetricDefinition, PriceContent } from '../../../src/pricing/price-content.js';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import { namedId } from '../../../src/kernel/ids.js';
import type { Interval } from '../../../src/kernel/period.js';
import type { PricedVersion } from '../../../src/subscription/domain/term-periods.js';
import type { Tier } from '../../../src/pricing/tiers.js';
import type {
  Addon,
  History,
  Intervals,
  Metric,
  Plan,
  Prices,
  Tier as WireTier,
} from '../../calculator/history.js';

/** Converts a plan of a history to the engine's form. */
export function pricedVersionOf(history: History, name: string): PricedVersion {
  const plan = history.plans[name]!;
  const content = contentOf(history, plan, plan.price_adjustment);
  return {
    planId: planIdOf(name),
    versionId: namedId(`version of ${name}`),
    content,
    contentHash: contentHash(content),
    duration: plan.plan_duration,
    dayAnchor: plan.day_anchor,
    monthAnchor: plan.month_anchor,
  };
}

export const addonContentOf = (history: History, addon: Addon): PriceContent =>
  contentOf(history, addon, null);

export const planIdOf = (name: string) => namedId(`plan ${name}`);

export const metricIdOf = (name: string) => namedId(`metric ${name}`);

function contentOf(history: History, prices: Prices, adjustment: Plan['price_adjustment']): PriceContent {
  return {
    currency: history.currency.code,
    recurringCharges: prices.recurring_charges.map((charge) => ({
      name: charge.name,
      amount: charge.amount,
      ...intervalsOf(charge),
      timing: charge.charge_timing,
      behavior: charge.charge_behavior,
    })),
    components: prices.components.map((component) => {
      const metric = definitionOf(history.metrics[component.metric]!, component.metric);
      return {
        metricId: metricIdOf(component.metric),
        metricName: component.metric,
        metric,
        metricHash: contentHash(metric),
        tiers: component.tiers.map(tierOf),
        volume: component.bulk_pricing_enabled,
        prepaid: component.prepaid_charge && {
          units: component.prepaid_charge.units,
          behavior: component.prepaid_charge.charge_behavior,
        },
        ...intervalsOf(component),
      };
    }),
    priceAdjustment: adjustment && {
      name: 'adjustment',
      description: null,
      type: adjustment.price_adjustment_type,
      amount: adjustment.price_adjustment_amount,
    },
  };
}

/** Converts a tier to the engine's form; nullable fields may be missing. */
export const tierOf = (tier: Pick<WireTier, 'type' | 'range_start'> & Partial<WireTier>): Tier => ({
  type: tier.type,
  rangeStart: tier.range_start,
  rangeEnd: tier.range_end ?? null,
  costPerBatch: tier.cost_per_batch ?? null,
  unitsPerBatch: tier.metric_units_per_batch ?? null,
  rounding: tier.batch_rounding_type ?? null,
});

const definitionOf = (metric: Metric, eventName: string): MetricDefinition => ({
  eventName,
  metricType: metric.metric_type,
  aggregation: metric.aggregation_type,
  propertyName: metric.property_name,
  granularity: metric.granularity,
  eventType: metric.event_type,
  proration: metric.proration,
  numericFilters: metric.numeric_filters.map(filterOf),
  categoricalFilters: metric.categorical_filters.map(filterOf),
  isCostMetric: false,
});

const filterOf = <Operator, Value>(filter: {
  readonly property_name: string;
  readonly operator: Operator;
  readonly comparison_value: Value;
}) => ({
  propertyName: filter.property_name,
  operator: filter.operator,
  comparisonValue: filter.comparison_value,
});

const intervalsOf = (intervals: Intervals) => ({
  resetInterval: intervalOf(intervals.reset_interval_unit, intervals.reset_interval_count),
  invoicingInterval: intervalOf(intervals.invoicing_interval_unit, intervals.invoicing_interval_count),
});

const intervalOf = (unit: Interval['unit'] | null, count: number | null): Interval | null =>
  unit && { unit, count: count ?? 1 };
