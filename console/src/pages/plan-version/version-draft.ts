import { checkTiers, type Tier } from '../../../../src/pricing/tiers.js';
import { quantity } from '../../../../src/kernel/quantity.js';
import type {
  ComponentBody,
  PlanComponent,
  PlanVersion,
  PublishVersionBody,
  RecurringCharge,
  RecurringChargeBody,
  TierBody,
  VersionBody,
} from '../../../../clients/typescript/src/index.js';
import type { TierPrices } from '../../pricing/tier-prices.js';
import { numberOf } from '../../shared/number-of.js';

/** Tier as typed: every number is text, and an empty text is no number. */
export interface TierDraft {
  readonly type: Tier['type'];
  readonly start: string;
  readonly end: string;
  readonly cost: string;
  readonly batch: string;
  readonly rounding: NonNullable<Tier['rounding']>;
}

export type Intervals = Pick<
  RecurringCharge,
  'invoicing_interval_unit' | 'invoicing_interval_count' | 'reset_interval_unit' | 'reset_interval_count'
>;

export interface ChargeDraft {
  readonly name: string;
  readonly amount: string;
  readonly timing: RecurringCharge['charge_timing'];
  readonly behavior: RecurringCharge['charge_behavior'];
  /** Copied from the version that this one began as. */
  readonly intervals: Partial<Intervals>;
}

export interface ComponentDraft {
  readonly metricId: string;
  readonly isBulk: boolean;
  readonly prepaid: 'none' | RecurringCharge['charge_behavior'];
  readonly prepaidUnits: string;
  readonly tiers: readonly TierDraft[];
  readonly intervals: Partial<Intervals>;
}

export interface VersionDraft {
  readonly currency: string;
  readonly name: string;
  /** Ids of customers, separated by commas; empty: all customers. */
  readonly customers: string;
  readonly makeActive: 'no' | 'replace_on_renewal' | 'grandfather';
  readonly charges: readonly ChargeDraft[];
  readonly components: readonly ComponentDraft[];
  /** Ids of the features that it grants. */
  readonly features: readonly string[];
  /** Tells whether the price adjustment of the copied version is kept. Its amount can be corrected. */
  readonly adjustment: 'kept' | 'none';
  readonly adjustmentAmount: string;
  /** Copied from the version that this one began as. */
  readonly kept: Pick<PlanVersion, 'price_adjustment' | 'day_anchor' | 'month_anchor'>;
}

export const NEW_CHARGE: ChargeDraft = {
  name: '',
  amount: '',
  timing: 'in_advance',
  behavior: 'prorate',
  intervals: {},
};

export const FIRST_TIER: TierDraft = {
  type: 'per_unit',
  start: '0',
  end: '',
  cost: '',
  batch: '1',
  rounding: 'no_rounding',
};

export const NEW_COMPONENT: ComponentDraft = {
  metricId: '',
  isBulk: false,
  prepaid: 'none',
  prepaidUnits: '',
  tiers: [FIRST_TIER],
  intervals: {},
};

/** The next tier begins at the end of the last one. */
export const tierAfter = (tiers: readonly TierDraft[]): TierDraft => ({
  ...FIRST_TIER,
  start: tiers.at(-1)?.end ?? '0',
});

const textOf = (value: number | null): string => (value === null ? '' : String(value));

const intervalsOf = (from: Intervals): Intervals => ({
  invoicing_interval_unit: from.invoicing_interval_unit,
  invoicing_interval_count: from.invoicing_interval_count,
  reset_interval_unit: from.reset_interval_unit,
  reset_interval_count: from.reset_interval_count,
});

const componentDraft = (component: PlanComponent): ComponentDraft => ({
  metricId: component.billable_metric.metric_id,
  isBulk: component.bulk_pricing_enabled,
  prepaid: component.prepaid_charge?.charge_behavior ?? 'none',
  prepaidUnits: textOf(component.prepaid_charge?.units ?? null),
  tiers: component.tiers.map((tier) => ({
    type: tier.type,
    start: textOf(tier.range_start),
    end: textOf(tier.range_end),
    cost: textOf(tier.cost_per_batch),
    batch: textOf(tier.metric_units_per_batch ?? 1),
    rounding: tier.batch_rounding_type ?? 'no_rounding',
  })),
  intervals: intervalsOf(component),
});

/** Begins a version as a copy of another one. */
export const draftOf = (version: PlanVersion): VersionDraft => ({
  currency: version.currency.code,
  name: version.localized_name ?? '',
  customers: '',
  makeActive: 'replace_on_renewal',
  charges: version.recurring_charges.map((charge) => ({
    name: charge.name,
    amount: textOf(charge.amount),
    timing: charge.charge_timing,
    behavior: charge.charge_behavior,
    intervals: intervalsOf(charge),
  })),
  components: version.components.map(componentDraft),
  features: version.features.map(({ feature_id: id }) => id),
  adjustment: version.price_adjustment ? 'kept' : 'none',
  adjustmentAmount: textOf(version.price_adjustment?.price_adjustment_amount ?? null),
  kept: {
    price_adjustment: version.price_adjustment,
    day_anchor: version.day_anchor,
    month_anchor: version.month_anchor,
  },
});

const optional = (text: string): number | null => (text.trim() === '' ? null : numberOf(text));

const chargeBody = ({ name, amount, timing, behavior, intervals }: ChargeDraft): RecurringChargeBody => ({
  ...intervals,
  name,
  amount: numberOf(amount),
  charge_timing: timing,
  charge_behavior: behavior,
});

const tierBody = ({ type, start, end, cost, batch, rounding }: TierDraft): TierBody => ({
  type,
  range_start: numberOf(start),
  range_end: optional(end),
  cost_per_batch: type === 'free' ? null : optional(cost),
  ...(type === 'per_unit' ? { metric_units_per_batch: optional(batch), batch_rounding_type: rounding } : {}),
});

const componentBody = (component: ComponentDraft): ComponentBody => ({
  ...component.intervals,
  metric_id: component.metricId,
  bulk_pricing_enabled: component.isBulk,
  tiers: component.tiers.map(tierBody),
  prepaid_charge:
    component.prepaid === 'none'
      ? null
      : { units: optional(component.prepaidUnits), charge_behavior: component.prepaid },
});

/** A plan with its first version, as typed. */
export interface PlanDraft extends VersionDraft {
  readonly planName: string;
  readonly duration: 'monthly' | 'quarterly' | 'yearly';
  readonly description: string;
}

/** Begins a plan with its first version. */
export const firstPlan = (currency: string): PlanDraft => ({
  planName: '',
  duration: 'monthly',
  description: '',
  currency,
  name: '',
  customers: '',
  makeActive: 'replace_on_renewal',
  charges: [NEW_CHARGE],
  components: [],
  features: [],
  adjustment: 'none',
  adjustmentAmount: '',
  kept: { price_adjustment: null, day_anchor: null, month_anchor: null },
});

/** Returns the body of the first version of a plan. */
export function versionBody(draft: VersionDraft): VersionBody {
  const { price_adjustment: copied, day_anchor: day, month_anchor: month } = draft.kept;
  return {
    currency_code: draft.currency,
    localized_name: draft.name.trim() === '' ? null : draft.name,
    recurring_charges: draft.charges.map(chargeBody),
    components: draft.components.map(componentBody),
    features: [...draft.features],
    price_adjustment:
      copied && draft.adjustment === 'kept'
        ? { ...copied, price_adjustment_amount: numberOf(draft.adjustmentAmount) }
        : null,
    ...(day === null ? {} : { day_anchor: day }),
    ...(month === null ? {} : { month_anchor: month }),
  };
}

export function bodyOf(planId: string, draft: VersionDraft): PublishVersionBody {
  const customers = draft.customers
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  return {
    plan_id: planId,
    ...versionBody(draft),
    make_active: draft.makeActive !== 'no',
    make_active_type: draft.makeActive === 'no' ? null : draft.makeActive,
    ...(customers.length > 0 ? { target_customer_ids: customers } : {}),
  };
}

/** Returns prices to draw, or the sentence that says why there are none yet. */
export function pricesOfDraft({ tiers, isBulk }: ComponentDraft): TierPrices | string {
  const typed = tiers.map(({ type, start, end, cost, batch, rounding }): Tier => ({
    type,
    rangeStart: start,
    rangeEnd: end === '' ? null : end,
    costPerBatch: type === 'free' || cost === '' ? null : cost,
    unitsPerBatch: type !== 'per_unit' || batch === '' ? null : batch,
    rounding: type === 'per_unit' ? rounding : null,
  }));
  try {
    for (const { rangeStart, rangeEnd, costPerBatch, unitsPerBatch } of typed)
      for (const text of [rangeStart, rangeEnd, costPerBatch, unitsPerBatch])
        if (text !== null) quantity(text);
  } catch {
    return 'The curve is drawn once every field has a number.';
  }
  const [fault] = checkTiers(typed, isBulk);
  return fault ? `Tier ${fault.index + 1}: ${fault.detail}` : { tiers: typed, isBulk };
}
