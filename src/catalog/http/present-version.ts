import { formatInstant } from '../../kernel/instant.js';
import { toWireId } from '../../kernel/ids.js';
import { currencyUnit } from '../../kernel/money.js';
import { add, exactDecimalText, quantity, ZERO } from '../../kernel/quantity.js';
import type { PlanVersion } from '../domain/plan-state.js';
import type { PriceAdjustment, RecurringCharge } from '../../pricing/price-content.js';
import { statusOf } from '../domain/resolve-version.js';
import type { PlanView } from '../queries/plans.js';
import { presentFeature } from '../present-feature.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { presentPrices } from './present-prices.js';
import type { PLAN_VERSION } from './version-schema.js';

/** Presents a plan version (docs/contract.md#plan-version). */
export function presentVersion(
  version: PlanVersion,
  { plan, running, customers, asOf }: PlanView,
): WireOf<typeof PLAN_VERSION> {
  const { recurringCharges, priceAdjustment, currency } = version.content;
  const runningHere = running.get(version.versionId) ?? 0;
  return {
    version_id: toWireId('plan_version', version.versionId),
    ...presentPrices(version.content),
    features: version.features.map(presentFeature),
    price_adjustment: priceAdjustment && presentAdjustment(priceAdjustment),
    version: version.number,
    status: statusOf(version, runningHere, asOf),
    plan_name: plan.name,
    currency: currencyUnit(currency),
    active_from: version.activeFrom && formatInstant(version.activeFrom),
    active_to: version.activeTo && formatInstant(version.activeTo),
    localized_name: version.localizedName,
    day_anchor: version.dayAnchor,
    month_anchor: version.monthAnchor,
    target_customers: version.targetCustomerKeys.flatMap((key) => customers.get(key) ?? []),
    created_on: formatInstant(version.createdAt),
    usage_billing_frequency: null,
    flat_fee_billing_type: recurringCharges[0]?.timing ?? 'in_advance',
    flat_rate: sumOf(recurringCharges),
    description: plan.description,
  };
}

const presentAdjustment = (adjustment: PriceAdjustment) => ({
  price_adjustment_name: adjustment.name,
  price_adjustment_description: adjustment.description,
  price_adjustment_type: adjustment.type,
  price_adjustment_amount: Number(adjustment.amount),
});

const sumOf = (charges: readonly RecurringCharge[]): number =>
  Number(exactDecimalText(charges.reduce((sum, { amount }) => add(sum, quantity(amount)), ZERO)));
