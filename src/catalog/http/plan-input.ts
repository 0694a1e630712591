import { fromWireId } from '../../kernel/ids.js';
import type { Interval, IntervalUnit } from '../../kernel/period.js';
import type { CreatePlanInput } from '../commands/create-plan.js';
import type { Feature } from '../domain/feature.js';
import type { PriceAdjustment, PriceContent, RecurringCharge } from '../../pricing/price-content.js';
import { priceContent, type ComponentProposal } from '../domain/price-proposal.js';
import type { VersionDraft } from '../domain/publish-version.js';
import type { VersionOutline, VersionReferences } from '../domain/version-proposal.js';
import type { CreatePlanBody } from './plan.body.js';
import type { ComponentBody, PricesBody, RecurringChargeBody, VersionBody } from './version.body.js';
import { toTier } from './version-outline.js';

/** Reads the plan from a body without faults. */
export const toPlanInput = (
  body: CreatePlanBody,
  outline: VersionOutline,
  known: VersionReferences,
): CreatePlanInput => ({
  name: body.plan_name,
  description: body.plan_description ?? null,
  duration: body.plan_duration ?? null,
  tags: (body.tags ?? []).map((tag) => tag.tag_name),
  externalLinks: (body.initial_external_links ?? []).map((link) => ({
    source: link.source,
    externalPlanId: link.external_plan_id,
  })),
  initialVersion: toVersionInput(body.initial_version, outline, known),
});

/** Reads the version from a body without faults. */
export const toVersionInput = (
  version: VersionBody,
  { targetCustomerKeys }: VersionOutline,
  known: VersionReferences,
): Omit<VersionDraft, 'versionId'> => ({
  number: version.version ?? null,
  content: toPrices(version, known, toAdjustment(version)),
  localizedName: version.localized_name ?? null,
  dayAnchor: version.day_anchor ?? null,
  monthAnchor: version.month_anchor ?? null,
  targetCustomerKeys: [...new Set(targetCustomerKeys)],
  features: toFeatures(version, known),
});

/** Reads the prices of a body without faults. */
export const toPrices = (
  prices: PricesBody,
  known: VersionReferences,
  priceAdjustment: PriceAdjustment | null,
): PriceContent =>
  priceContent(
    {
      currency: prices.currency_code ?? known.organizationCurrency,
      recurringCharges: (prices.recurring_charges ?? []).map(toCharge),
      components: (prices.components ?? []).map(toComponent),
      priceAdjustment,
    },
    known.metrics,
  );

/** Reads the features of a body without faults. */
export const toFeatures = ({ features }: PricesBody, known: VersionReferences): Feature[] =>
  [...new Set((features ?? []).map((text) => fromWireId('feature', text)!))].map((featureId) =>
    known.features.get(featureId)!,
  );

const toCharge = (charge: RecurringChargeBody): RecurringCharge => ({
  name: charge.name,
  timing: charge.charge_timing,
  behavior: charge.charge_behavior ?? 'prorate',
  amount: charge.amount,
  invoicingInterval: toInterval(charge.invoicing_interval_unit, charge.invoicing_interval_count),
  resetInterval: toInterval(charge.reset_interval_unit, charge.reset_interval_count),
});

const toComponent = (component: ComponentBody): ComponentProposal => ({
  metricId: component.metric_id,
  tiers: component.tiers.map(toTier),
  volume: component.bulk_pricing_enabled ?? false,
  invoicingInterval: toInterval(component.invoicing_interval_unit, component.invoicing_interval_count),
  resetInterval: toInterval(component.reset_interval_unit, component.reset_interval_count),
  prepaid: component.prepaid_charge
    ? {
        units: component.prepaid_charge.units ?? null,
        behavior: component.prepaid_charge.charge_behavior ?? 'prorate',
      }
    : null,
});

/** Reads an interval: a unit alone has the count 1; a count of 0 means no interval (docs/contract.md#recurring-charge). */
const toInterval = (unit: IntervalUnit | undefined, count = 1): Interval | null =>
  unit === undefined || count === 0 ? null : { unit, count };

function toAdjustment({ price_adjustment: adjustment }: VersionBody): PriceAdjustment | null {
  if (!adjustment) return null;
  return {
    name: adjustment.price_adjustment_name,
    description: adjustment.price_adjustment_description ?? null,
    type: adjustment.price_adjustment_type,
    amount: adjustment.price_adjustment_amount,
  };
}
