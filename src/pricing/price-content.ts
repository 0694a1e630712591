import type { Tier } from './tiers.js';
import { type Interval, fullPeriodOf, type Anchor, type Period } from '../kernel/period.js';
import type { Uuid } from '../kernel/ids.js';
import { toMicros, type Instant } from '../kernel/instant.js';
import { pricingPolicyOf } from './pricing-policy.js';

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

/** Source of a charge: a recurring charge, the prepaid units of a component, or its usage; `index` in the version. */
export type ChargeSource =
  | { readonly kind: 'recurring'; readonly index: number; readonly charge: RecurringCharge }
  | { readonly kind: 'prepaid' | 'usage'; readonly index: number; readonly component: PlanComponent };

/** Cached per price content, which never changes. */
const sourcesByContent = new WeakMap<PriceContent, readonly ChargeSource[]>();

export function sourcesOf(content: PriceContent): readonly ChargeSource[] {
  let sources = sourcesByContent.get(content);
  if (!sources) sourcesByContent.set(content, (sources = readSources(content)));
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

export const isInAdvance = (source: ChargeSource): boolean =>
  source.kind === 'prepaid' || (source.kind === 'recurring' && source.charge.timing === 'in_advance');

/** Returns a key that is unique in a version: the content never changes, so an index identifies a charge. */
export const sourceKey = (source: ChargeSource): string =>
  source.kind === 'recurring' ? `charge.${source.index}` : `${source.kind}.${source.component.metricId}`;

/** Returns the name of the lines of a charge. */
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

/** Everything a term is priced by. It is fixed when the term starts; later changes of settings do not affect it. */
export interface TermBasis {
  readonly planId: Uuid;
  readonly versionId: Uuid;
  readonly contentHash: string;
  readonly currency: string;
  /** IANA zone of the customer, else of the organization, else UTC. */
  readonly zone: string;
  readonly anchor: Anchor;
  /** The plan's duration as an interval: the length of a full period. */
  readonly duration: Interval;
  readonly prorationBasis: 'second' | 'day';
  readonly policy: string;
  /** Start of the subscription itself, set by a switch that keeps usage separate. Absent: the anchor's first start. */
  readonly ownStart?: Instant;
  /**
   * Instant from which a renewal that begins inside a day counts (docs/billing.md#day-basis): the next day, if the term
   * before was charged for that day by the `day` basis; the renewal's start, if it counts days and the term before was
   * charged up to there by seconds.
   */
  readonly daysFrom?: Instant;
  /**
   * First full period of a renewal after the zone changed; it does not begin and end at boundaries of the anchor. A renewal
   * inside it keeps it, and so does a switch, for the add-ons and invoicing dates that began in it.
   */
  readonly firstFull?: Period;
  /** Present if the term began inside a billing period of its predecessor (after a switch, or an end that was set). */
  readonly continues?: CarriedOverProration;
}

/**
 * Proration that a term inherits when it begins inside its predecessor's billing period. A predecessor of zero length
 * hands over the proration that it inherited, so several switches at one instant equal one.
 */
export interface CarriedOverProration {
  /** Start of the first term of the chain: invoicing dates count from it. */
  readonly termStart: Instant;
  /** Start of the running billing period: reset windows count from it. */
  readonly periodStart: Instant;
  /** Instant at which the fees of the switch are billed. */
  readonly billedAt: Instant;
  /** Prorated fees of the running window, each with the instant since which it is charged at this price. */
  readonly fees: readonly {
    readonly amount: string;
    readonly resetInterval: Interval | null;
    readonly since: Instant;
  }[];
  readonly adjustment: { readonly type: string; readonly amount: string; readonly since: Instant } | null;
  /** Prorated prepaid units of the running window; absent where there are none, and in terms of earlier releases. */
  readonly units?: readonly CarriedUnits[];
  /** Metrics whose usage the switch transfers, with the starts of their running windows. */
  readonly usage: readonly TransferredUsage[];
}

/** Price of the latest prepaid units of a component, with the instant since which the window is charged at it. */
export interface CarriedUnits {
  readonly metricId: Uuid;
  /** Exact text, in major units. */
  readonly amount: string;
  readonly resetInterval: Interval | null;
  readonly since: Instant;
}

export interface TransferredUsage {
  readonly metricId: Uuid;
  readonly since: Instant;
  /** Units prepaid on the former plan. They cover usage of the window if the new component has no prepaid units. */
  readonly covered?: string;
}

export interface PrepaidUnits {
  readonly metricId: Uuid;
  /** Decimal text. */
  readonly units: string;
}

/** One change of the prepaid units of a component within a term. */
export interface PrepaidChange extends PrepaidUnits {
  readonly unitsBefore: string;
  readonly effectiveAt: Instant;
  readonly invoiceNow: boolean;
  /** True when the term's end was moved after the change: the rest of the window is then settled at the end, as with fees. */
  readonly settledAtEnd?: boolean;
}

/** The fields of a term that its billing periods and prices depend on. */
export interface PricedTerm {
  readonly start: Instant;
  readonly end: Instant;
  /** Units bought ahead, per prepaid component of the version. */
  readonly prepaidUnits?: readonly PrepaidUnits[];
  readonly basis: TermBasis;
}

/** Event that cut a term short; null while it runs to its agreed end. */
export type EarlyEnd = 'cancelled' | 'switched' | null;

/** Returns the anchor that boundaries count from: its date is that of the first zone, also in a term of another zone. */
export function boundaryAnchorOf({ anchor, policy }: Pick<TermBasis, 'anchor' | 'policy'>): Anchor {
  if (anchor.firstZone === undefined || !pricingPolicyOf(policy).term.boundariesMoveWithZone) return anchor;
  const { firstZone: _firstZone, ...moved } = anchor;
  return moved;
}

/** Returns the full period that contains an instant. */
export function fullPeriodAt(at: Instant, basis: TermBasis): Period {
  const { firstFull, zone, duration } = basis;
  if (firstFull && firstFull.start <= at && at < firstFull.end) return firstFull;
  return fullPeriodOf(at, zone, duration, boundaryAnchorOf(basis));
}

/** Returns the instant that intervals of a period count from: its start, or for `firstFull` the boundary nearest to it. */
export function countedFrom(start: Instant, basis: TermBasis): Instant {
  const { firstFull, zone, duration } = basis;
  if (start !== firstFull?.start) return start;
  const around = fullPeriodOf(start, zone, duration, boundaryAnchorOf(basis));
  const [before, after] = [around.start, around.end].map(toMicros) as [bigint, bigint];
  return after - toMicros(start) < toMicros(start) - before ? around.end : around.start;
}

/** Returns the basis of a term, by its policy without a first full period that ended before its switch (`firstFull`). */
export function periodBasisOf({ start, basis }: Pick<PricedTerm, 'start' | 'basis'>): TermBasis {
  const { firstFull, ...others } = basis;
  if (!firstFull || start < firstFull.end) return basis;
  return pricingPolicyOf(basis.policy).term.switchForgetsFirstFull ? others : basis;
}
