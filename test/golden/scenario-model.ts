import type { CancelTerms, SwitchTerms, TermAddon } from '../../src/subscription/domain/events.js';
import type { PricedVersion } from '../../src/subscription/domain/term-periods.js';
import type { BatchRounding, Tier } from '../../src/pricing/tiers.js';
import type { MetricDefinition, PriceAdjustment, PriceContent } from '../../src/pricing/price-content.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { namedId, type Uuid } from '../../src/kernel/ids.js';
import type { Interval, IntervalUnit, PlanDuration } from '../../src/kernel/period.js';
import type { Model } from './cases.js';

/** A case in steps, in the words of the interface: a plan or two, and what happens in the order of time. */
export interface ScenarioModel extends Model {
  readonly kind: 'scenario';
  readonly org?: {
    readonly tax_rate?: string;
    readonly default_currency_code?: string;
    readonly proration_basis?: 'second' | 'day';
  };
  readonly customer?: { readonly tax_rate?: string; readonly timezone?: string };
  readonly metrics?: Readonly<Record<string, WireMetric>>;
  readonly plans: Readonly<Record<string, WirePlan>>;
  readonly addons?: Readonly<Record<string, WireAddon>>;
  readonly steps: readonly Step[];
  /** What the price adjustment of the last invoice sums to. */
  readonly plan_adjustment?: string;
}

export interface Step {
  readonly at: string;
  readonly do: string;
  readonly plan?: string;
  readonly metric?: string;
  readonly n?: string;
  /** When it was used, where it is tracked later. */
  readonly time?: string;
  readonly addon?: string;
  readonly quantity?: string;
  /** Of a credit: what other steps call it. */
  readonly name?: string;
  readonly amount?: string;
  readonly expires_at?: string | null;
  readonly amount_paid?: string;
  readonly units?: string;
  readonly invoice_now?: boolean;
  readonly version?: string;
  readonly replace_with?: string;
  readonly flat_fee_behavior?: CancelTerms['flatFee'];
  readonly turn_off_auto_renew?: boolean;
  /** Of a switch: the plan. */
  readonly to?: string;
  readonly invoicing_behavior?: SwitchTerms['invoicing'];
  readonly usage_behavior?: SwitchTerms['usage'];
  readonly expect?: Expectation;
}

export interface Expectation {
  /** Of a step that is refused. */
  readonly status?: 400;
  /** Null: the step issues no invoice. */
  readonly invoice?: null | { readonly amount: string; readonly billing_type?: string };
  /** What the invoice draws, by the name of the credit. */
  readonly drawdowns?: Readonly<Record<string, string>>;
  /** What is left of credits after the step; one amount: of the credit of this step. */
  readonly amount_remaining?: string | Readonly<Record<string, string>>;
  readonly credit_granted?: string;
  /** What the invoice draws from credits in all, as its line says it. */
  readonly applied_credit?: string;
  /** What is left of all credits after the step. */
  readonly credit_left?: string;
  readonly zero_lines?: number;
  /** Lines after price adjustment, before tax, in any order, without zero lines. */
  readonly nonzero_net_lines?: readonly string[];
  readonly tax?: string;
  readonly amount?: string;
  /** Of the first usage line; exact, so also `470/31`. */
  readonly quantity?: string;
  readonly billing_type?: string;
  /** Units that are paid for beforehand from now on. */
  readonly later_windows_units?: string;
  readonly note?: string;
  readonly term_start_utc?: string;
  /** Of the newest term, as it is shown. */
  readonly end_date?: string;
}

interface WireMetric {
  readonly metric_type: MetricDefinition['metricType'];
  readonly aggregation_type: MetricDefinition['aggregation'];
  readonly property_name?: string;
  readonly granularity?: string;
  readonly event_type?: MetricDefinition['eventType'];
  readonly proration?: string;
}

interface WireIntervals {
  readonly reset_interval_unit?: IntervalUnit;
  readonly reset_interval_count?: number;
  readonly invoicing_interval_unit?: IntervalUnit;
  readonly invoicing_interval_count?: number;
}

interface WirePlan {
  readonly plan_duration: PlanDuration;
  readonly day_anchor?: number;
  readonly month_anchor?: number;
  readonly currency_code?: string;
  readonly recurring_charges?: readonly (WireIntervals & {
    readonly amount: string;
    readonly charge_timing: 'in_advance' | 'in_arrears';
    readonly charge_behavior: 'prorate' | 'full';
  })[];
  readonly components?: readonly (WireIntervals & {
    readonly metric: string;
    readonly tiers: readonly WireTier[];
    readonly prepaid_charge?: { readonly units: string; readonly charge_behavior: 'prorate' | 'full' };
  })[];
  readonly price_adjustment?: {
    readonly price_adjustment_type: PriceAdjustment['type'];
    readonly price_adjustment_amount: string;
  };
}

type WireAddon = Pick<WirePlan, 'recurring_charges' | 'components'> & {
  readonly billing_frequency?: TermAddon['billingFrequency'];
  readonly invoice_when?: TermAddon['invoiceWhen'];
};

export interface WireTier {
  readonly type: Tier['type'];
  readonly range_start: string;
  readonly range_end?: string | null;
  readonly cost_per_batch?: string | null;
  readonly metric_units_per_batch?: string | null;
  readonly batch_rounding_type?: BatchRounding | null;
}

/** A plan of the model as a customer subscribes to it. */
export function offerOf(model: ScenarioModel, name: string): PricedVersion {
  const plan = model.plans[name]!;
  const content = contentOf(model, plan);
  return {
    planId: namedId(`plan ${name}`),
    versionId: namedId(`version of ${name}`),
    contentHash: contentHash(content),
    content,
    duration: plan.plan_duration,
    dayAnchor: plan.day_anchor ?? null,
    monthAnchor: plan.month_anchor ?? null,
  };
}

export const metricIdOf = (name: string): Uuid => namedId(`metric ${name}`);

const definitionOf = (model: ScenarioModel, name: string): MetricDefinition => {
  const metric = model.metrics![name]!;
  return {
    eventName: name,
    metricType: metric.metric_type,
    aggregation: metric.aggregation_type,
    propertyName: metric.property_name ?? null,
    granularity: metric.granularity ?? null,
    eventType: metric.event_type ?? null,
    proration: metric.proration ?? null,
    numericFilters: [],
    categoricalFilters: [],
    isCostMetric: false,
  };
};

export function contentOf(model: ScenarioModel, plan: Omit<WirePlan, 'plan_duration'>): PriceContent {
  const { recurring_charges: charges = [], components = [], price_adjustment: adjustment } = plan;
  return {
    currency: plan.currency_code ?? model.org?.default_currency_code ?? 'USD',
    recurringCharges: charges.map((charge, n) => ({
      name: `charge ${n}`,
      timing: charge.charge_timing,
      behavior: charge.charge_behavior,
      amount: charge.amount,
      ...intervalsOf(charge),
    })),
    components: components.map((component) => ({
      metricId: metricIdOf(component.metric),
      metricName: component.metric,
      metric: definitionOf(model, component.metric),
      metricHash: contentHash(definitionOf(model, component.metric)),
      tiers: component.tiers.map(tierOf),
      volume: false,
      prepaid: component.prepaid_charge
        ? { units: component.prepaid_charge.units, behavior: component.prepaid_charge.charge_behavior }
        : null,
      ...intervalsOf(component),
    })),
    priceAdjustment: adjustment
      ? {
          name: 'adjustment',
          description: null,
          type: adjustment.price_adjustment_type,
          amount: adjustment.price_adjustment_amount,
        }
      : null,
  };
}

export const tierOf = (tier: WireTier): Tier => ({
  type: tier.type,
  rangeStart: tier.range_start,
  rangeEnd: tier.range_end ?? null,
  costPerBatch: tier.cost_per_batch ?? null,
  unitsPerBatch: tier.metric_units_per_batch ?? null,
  rounding: tier.batch_rounding_type ?? null,
});

const intervalsOf = (wire: WireIntervals) => ({
  resetInterval: intervalOf(wire.reset_interval_unit, wire.reset_interval_count),
  invoicingInterval: intervalOf(wire.invoicing_interval_unit, wire.invoicing_interval_count),
});

const intervalOf = (unit: IntervalUnit | undefined, count = 1): Interval | null =>
  unit ? { unit, count } : null;
