import { formatInstant } from '../../kernel/instant.js';
import { toWireId } from '../../kernel/ids.js';
import { currencyUnit, type CurrencyUnit } from '../../kernel/money.js';
import type { Interval } from '../../kernel/period.js';
import { add, exactDecimalText, quantity, ZERO } from '../../kernel/quantity.js';
import type { Tier } from '../../billing/rating/tiers.js';
import type { PlanVersion } from '../domain/plan.js';
import type { PlanComponent, PriceAdjustment, RecurringCharge } from '../domain/price-content.js';
import { statusOf } from '../domain/version-status.js';
import type { PlanView } from '../queries/plan-view.js';
import { presentFeature } from '../present-feature.js';
import { presentMetric } from '../present-metric.js';

/** PlanVersion of api.md 2.4, with its id. */
export function presentVersion(version: PlanVersion, { plan, running, customers, asOf }: PlanView) {
  const { recurringCharges, components, priceAdjustment, currency } = version.content;
  const unit = currencyUnit(currency);
  const runningHere = running.get(version.versionId) ?? 0;
  return {
    version_id: toWireId('plan_version', version.versionId),
    recurring_charges: recurringCharges.map((charge) => presentCharge(charge, unit)),
    components: components.map((component) => presentComponent(component, unit)),
    features: version.features.map(presentFeature),
    price_adjustment: priceAdjustment && presentAdjustment(priceAdjustment),
    version: version.number,
    status: statusOf(version, runningHere, asOf),
    plan_name: plan.name,
    currency: unit,
    active_from: version.activeFrom && formatInstant(version.activeFrom),
    active_to: version.activeTo && formatInstant(version.activeTo),
    localized_name: version.localizedName,
    target_customers: version.targetCustomerKeys.flatMap((key) => customers.get(key) ?? []),
    created_on: formatInstant(version.createdAt),
    usage_billing_frequency: null,
    flat_fee_billing_type: recurringCharges[0]?.timing ?? 'in_advance',
    flat_rate: sumOf(recurringCharges),
    description: plan.description,
  };
}

const presentCharge = (charge: RecurringCharge, unit: CurrencyUnit) => ({
  name: charge.name,
  charge_timing: charge.timing,
  charge_behavior: charge.behavior,
  amount: Number(charge.amount),
  pricing_unit: unit,
  ...presentIntervals(charge),
});

const presentComponent = (component: PlanComponent, unit: CurrencyUnit) => ({
  billable_metric: presentMetric({
    metricId: component.metricId,
    name: component.metricName,
    definition: component.metric,
  }),
  tiers: component.tiers.map(presentTier),
  pricing_unit: unit,
  ...presentIntervals(component),
  prepaid_charge: component.prepaid && {
    units: numberOrNull(component.prepaid.units),
    charge_behavior: component.prepaid.behavior,
  },
});

const presentTier = (tier: Tier) => ({
  type: tier.type,
  range_start: Number(tier.rangeStart),
  range_end: numberOrNull(tier.rangeEnd),
  cost_per_batch: numberOrNull(tier.costPerBatch),
  metric_units_per_batch: numberOrNull(tier.unitsPerBatch),
  batch_rounding_type: tier.rounding,
});

const presentIntervals = (charge: {
  readonly invoicingInterval: Interval | null;
  readonly resetInterval: Interval | null;
}) => ({
  invoicing_interval_unit: charge.invoicingInterval?.unit ?? null,
  invoicing_interval_count: charge.invoicingInterval?.count ?? null,
  reset_interval_unit: charge.resetInterval?.unit ?? null,
  reset_interval_count: charge.resetInterval?.count ?? null,
});

const presentAdjustment = (adjustment: PriceAdjustment) => ({
  price_adjustment_name: adjustment.name,
  price_adjustment_description: adjustment.description,
  price_adjustment_type: adjustment.type,
  price_adjustment_amount: Number(adjustment.amount),
});

const sumOf = (charges: readonly RecurringCharge[]): number =>
  Number(exactDecimalText(charges.reduce((sum, { amount }) => add(sum, quantity(amount)), ZERO)));

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
