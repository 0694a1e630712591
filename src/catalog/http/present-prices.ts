import type { Tier } from '../../pricing/tiers.js';
import { currencyUnit, type CurrencyUnit } from '../../kernel/money.js';
import type { Interval } from '../../kernel/period.js';
import type { PlanComponent, PriceContent, RecurringCharge } from '../../pricing/price-content.js';
import { presentMetric } from '../present-metric.js';

/** Presents recurring charges and components (docs/contract.md#recurring-charge, docs/contract.md#plan-component). */
export function presentPrices({ currency, recurringCharges, components }: PriceContent) {
  const unit = currencyUnit(currency);
  return {
    recurring_charges: recurringCharges.map((charge) => presentCharge(charge, unit)),
    components: components.map((component) => presentComponent(component, unit)),
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
  bulk_pricing_enabled: component.volume,
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

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
