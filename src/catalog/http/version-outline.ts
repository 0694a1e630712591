import { streamName } from '../../kernel/event.js';
import { customerKeyOf, fromWireId, type Uuid } from '../../kernel/ids.js';
import type { Tier } from '../../pricing/tiers.js';
import type { ChargeOutline, ComponentOutline, VersionOutline } from '../domain/version-proposal.js';
import {
  ComponentBody,
  PricesBody,
  RecurringChargeBody,
  VersionBody,
  type TierBody,
} from './version.body.js';

type IsFaulty = (attr: string) => boolean;

const NOTHING: VersionOutline = {
  currency: undefined,
  charges: [],
  components: [],
  featureIds: [],
  targetCustomerKeys: [],
};

/** Returns the streams of the metrics that a version counts by. */
export const metricStreamsOf = (org: Uuid, { components }: VersionOutline): string[] =>
  components.flatMap(({ metricId }) => (metricId ? [streamName('metric', org, metricId)] : []));

/** Reads the outline of a version's body, whose other parts may be faulty. */
export function outlineOf(
  org: Uuid,
  body: PricesBody,
  isFaulty: IsFaulty,
  prefix = 'initial_version.',
): VersionOutline {
  if (!(body instanceof PricesBody)) return NOTHING;
  return {
    currency: isFaulty(`${prefix}currency_code`) ? undefined : (body.currency_code ?? null),
    charges: listOf(body.recurring_charges).map((charge, index) =>
      chargeOutline(charge, isFaulty, `${prefix}recurring_charges.${index}`),
    ),
    components: listOf(body.components).map((component, index) =>
      componentOutline(component, isFaulty, `${prefix}components.${index}`),
    ),
    priceAdjustment: adjustmentOutline(body, isFaulty, `${prefix}price_adjustment`),
    featureIds: isFaulty(`${prefix}features`)
      ? []
      : (body.features ?? []).map((text) => fromWireId('feature', text) ?? null),
    targetCustomerKeys:
      !(body instanceof VersionBody) || isFaulty(`${prefix}target_customer_ids`)
        ? []
        : (body.target_customer_ids ?? []).map((customerId) => customerKeyOf(org, customerId)),
  };
}

function adjustmentOutline(
  body: PricesBody,
  isFaulty: IsFaulty,
  path: string,
): VersionOutline['priceAdjustment'] {
  const adjustment = body instanceof VersionBody ? body.price_adjustment : undefined;
  if (!adjustment || isFaulty(`${path}.price_adjustment_type`) || isFaulty(`${path}.price_adjustment_amount`))
    return undefined;
  return { type: adjustment.price_adjustment_type, amount: adjustment.price_adjustment_amount };
}

function chargeOutline(charge: unknown, isFaulty: IsFaulty, path: string): ChargeOutline {
  if (!(charge instanceof RecurringChargeBody))
    return { name: undefined, amount: undefined, pricingUnit: undefined };
  return {
    name: isFaulty(`${path}.name`) ? undefined : charge.name,
    amount: isFaulty(`${path}.amount`) ? undefined : charge.amount,
    pricingUnit: codeOf(charge.pricing_unit),
  };
}

function componentOutline(component: unknown, isFaulty: IsFaulty, path: string): ComponentOutline {
  if (!(component instanceof ComponentBody)) {
    return { metricId: undefined, tiers: undefined, volume: false, pricingUnit: undefined };
  }
  return {
    metricId: isFaulty(`${path}.metric_id`) ? undefined : component.metric_id,
    tiers: isFaulty(`${path}.tiers`) ? undefined : component.tiers.map(toTier),
    volume: component.bulk_pricing_enabled === true,
    pricingUnit: codeOf(component.pricing_unit),
  };
}

export const toTier = (tier: TierBody): Tier => ({
  type: tier.type,
  rangeStart: tier.range_start,
  rangeEnd: tier.range_end ?? null,
  costPerBatch: tier.cost_per_batch ?? null,
  unitsPerBatch: tier.metric_units_per_batch ?? null,
  rounding: tier.batch_rounding_type ?? null,
});

/** Returns a field that may be no list as a list. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns undefined where no unit was sent, and a code of no currency for a value that is no unit. */
function codeOf(pricingUnit: unknown): string | undefined {
  if (pricingUnit === undefined || pricingUnit === null) return undefined;
  const code = typeof pricingUnit === 'object' && 'code' in pricingUnit ? pricingUnit.code : pricingUnit;
  return typeof code === 'string' ? code.trim().toUpperCase() : '';
}
