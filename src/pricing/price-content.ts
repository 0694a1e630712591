import type { Tier } from './tiers.js';
import type { Interval } from '../kernel/period.js';

export interface NumericFilter {
  readonly propertyName: string;
  readonly operator: 'gte' | 'gt' | 'eq' | 'lt' | 'lte';
  /** Decimal text. */
  readonly comparisonValue: string;
}

export interface CategoricalFilter {
  readonly propertyName: string;
  readonly operator: 'isin' | 'isnotin';
  readonly comparisonValue: readonly string[];
}

/** Definition of a metric. It never changes; a metric changes only its name and its archival. */
export interface MetricDefinition {
  readonly eventName: string;
  readonly metricType: 'counter' | 'gauge' | 'rate';
  readonly aggregation: 'count' | 'sum' | 'max' | 'unique' | 'average';
  /** Null only for counters that count. */
  readonly propertyName: string | null;
  readonly granularity: string | null;
  readonly eventType: 'delta' | 'total' | null;
  readonly proration: string | null;
  readonly numericFilters: readonly NumericFilter[];
  readonly categoricalFilters: readonly CategoricalFilter[];
  readonly isCostMetric: boolean;
}

export interface RecurringCharge {
  readonly name: string;
  readonly timing: 'in_advance' | 'in_arrears';
  readonly behavior: 'prorate' | 'full';
  /** Decimal text in major units of the version's currency. */
  readonly amount: string;
  readonly invoicingInterval: Interval | null;
  readonly resetInterval: Interval | null;
}

export interface PlanComponent {
  readonly metricId: string;
  /** Definition at the publication of the version, so a run reads no other stream to count usage. */
  readonly metricName: string;
  readonly metric: MetricDefinition;
  readonly metricHash: string;
  readonly tiers: readonly Tier[];
  /** Bulk pricing: the whole quantity at the price of the tier that contains it. */
  readonly volume: boolean;
  readonly invoicingInterval: Interval | null;
  readonly resetInterval: Interval | null;
  readonly prepaid: { readonly units: string | null; readonly behavior: 'prorate' | 'full' } | null;
}

export interface PriceAdjustment {
  readonly name: string;
  readonly description: string | null;
  readonly type: 'percentage' | 'fixed' | 'price_override';
  /** Decimal text: percent or major units. */
  readonly amount: string;
}

/** Prices of a version. They are hashed at publication and never change, so they can be cached by version id. */
export interface PriceContent {
  readonly currency: string;
  readonly recurringCharges: readonly RecurringCharge[];
  readonly components: readonly PlanComponent[];
  readonly priceAdjustment: PriceAdjustment | null;
}

/** Source of a charge: a recurring charge, the prepaid units of a component, or its usage. `index` is its place in the plan. */
export type ChargeSource =
  | { readonly kind: 'recurring'; readonly index: number; readonly charge: RecurringCharge }
  | { readonly kind: 'prepaid' | 'usage'; readonly index: number; readonly component: PlanComponent };

/** Cached per price content, which never changes. */
const frozenView = new WeakMap<PriceContent, readonly ChargeSource[]>();

export function sourcesOf(content: PriceContent): readonly ChargeSource[] {
  let sources = frozenView.get(content);
  if (!sources) frozenView.set(content, (sources = readSources(content)));
  return sources;
}

function readSources({ recurringCharges, components }: PriceContent): ChargeSource[] {
  return [
    ...recurringCharges.map((charge, index): ChargeSource => ({ kind: 'recurring', index, charge })),
    ...components.flatMap((component, index): ChargeSource[] => [
      ...(component.prepaid ? [{ kind: 'prepaid' as const, index, component }] : []),
      { kind: 'usage', index, component },
    ]),
  ];
}

export const intervalsOf = (source: ChargeSource) =>
  source.kind === 'recurring' ? source.charge : source.component;

export const inAdvance = (source: ChargeSource): boolean =>
  source.kind === 'prepaid' || (source.kind === 'recurring' && source.charge.timing === 'in_advance');

/** Returns a key that is unique in a version: the content never changes, so an index identifies a charge. */
export const sourceKey = (source: ChargeSource): string =>
  source.kind === 'recurring' ? `charge.${source.index}` : `${source.kind}.${source.component.metricId}`;

/** Name of its lines. */
export function sourceName(source: ChargeSource): string {
  switch (source.kind) {
    case 'recurring':
      return source.charge.name;
    case 'prepaid':
      return `${source.component.metricName} (prepaid)`;
    case 'usage':
      return source.component.metricName;
  }
}
