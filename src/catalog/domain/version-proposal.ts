import { checkTiers, type Tier } from '../../pricing/tiers.js';
import { type FieldError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { add, compareQuantities, quantity, ZERO } from '../../kernel/quantity.js';
import type { PriceAdjustment } from '../../pricing/price-content.js';
import type { Feature } from './feature.js';
import type { Metric } from './metric.js';

/**
 * Outline of a requested version, for the rules across fields. A field that cannot be read is undefined: it is
 * reported already, and the rules pass over it, so that one answer names every fault.
 */
export interface VersionOutline {
  /** Null: the organization's. */
  readonly currency: string | null | undefined;
  readonly charges: readonly ChargeOutline[];
  readonly components: readonly ComponentOutline[];
  /** Undefined for a version without one, too. */
  readonly priceAdjustment?: Pick<PriceAdjustment, 'type' | 'amount'> | undefined;
  /** Null for a text that cannot be an id. */
  readonly featureIds: readonly (Uuid | null)[];
  readonly targetCustomerKeys: readonly Uuid[];
}

export interface ChargeOutline {
  readonly name: string | undefined;
  /** Decimal text. */
  readonly amount: string | undefined;
  /** The currency the caller names for it, if any. */
  readonly pricingUnit: string | undefined;
}

export interface ComponentOutline {
  readonly metricId: Uuid | undefined;
  readonly tiers: readonly Tier[] | undefined;
  readonly volume: boolean;
  readonly pricingUnit: string | undefined;
}

/** Existing resources that an outline refers to; a missing one does not exist in this organization. */
export interface VersionReferences {
  readonly organizationCurrency: string;
  readonly metrics: ReadonlyMap<Uuid, Metric>;
  readonly features: ReadonlyMap<Uuid, Feature>;
  readonly customerKeys: ReadonlySet<Uuid>;
}

/**
 * Everything wrong with a version beyond its single fields (docs/contract.md#plans).
 * @param prefix what the paths of its fields begin with
 */
export function checkVersion(
  outline: VersionOutline,
  known: VersionReferences,
  prefix = 'initial_version.',
): FieldError[] {
  const currency = outline.currency === null ? known.organizationCurrency : outline.currency;
  return [
    ...outline.charges.flatMap((charge, index) => {
      const at = `${prefix}recurring_charges.${index}`;
      return [...checkCharge(outline, charge, index, at), ...checkPricingUnit(charge, currency, at)];
    }),
    ...checkFlatRate(outline, `${prefix}recurring_charges`),
    ...outline.components.flatMap((component, index) => {
      const at = `${prefix}components.${index}`;
      return [
        ...checkComponent(outline, known, component, index, at),
        ...checkPricingUnit(component, currency, at),
      ];
    }),
    ...checkPriceAdjustment(outline, `${prefix}price_adjustment.price_adjustment_amount`),
    ...missing(outline.featureIds, known.features, `${prefix}features`, unknownId('feature')),
    ...missing(
      outline.targetCustomerKeys,
      known.customerKeys,
      `${prefix}target_customer_ids`,
      unknownId('customer'),
    ),
  ];
}

function checkCharge(
  { charges }: VersionOutline,
  { name }: ChargeOutline,
  index: number,
  path: string,
): FieldError[] {
  if (name === undefined || charges.findIndex((other) => other.name === name) === index) return [];
  const detail = 'Another charge of this version has this name. Use another name.';
  return [{ code: 'invalid', detail, attr: `${path}.name` }];
}

/** Limits the sum of the charges, which answers show as the flat rate (docs/contract.md#plan-version). */
function checkFlatRate({ charges }: VersionOutline, attr: string): FieldError[] {
  const flatRate = charges.reduce((sum, { amount }) => add(sum, quantity(amount ?? '0')), ZERO);
  if (compareQuantities(flatRate, quantity('10000000000')) < 0) return [];
  const detail = 'The recurring charges sum to 10000000000 or more. Give smaller amounts.';
  return [{ code: 'max_value', detail, attr }];
}

/** Limits a discount to the price: more would be granted as credit, for money that was never paid. */
function checkPriceAdjustment({ priceAdjustment }: VersionOutline, attr: string): FieldError[] {
  if (priceAdjustment?.type !== 'percentage') return [];
  if (compareQuantities(quantity(priceAdjustment.amount), quantity('-100')) >= 0) return [];
  const detail = 'A discount is at most the whole price. Give at least -100; a raise may be any percentage.';
  return [{ code: 'min_value', detail, attr }];
}

function checkComponent(
  { components }: VersionOutline,
  { metrics }: VersionReferences,
  { metricId, tiers, volume }: ComponentOutline,
  index: number,
  path: string,
): FieldError[] {
  const faults: FieldError[] = [];
  const attr = `${path}.metric_id`;
  if (metricId !== undefined && !metrics.has(metricId)) {
    faults.push({ code: 'does_not_exist', detail: unknownId('metric'), attr });
  } else if (metricId !== undefined && components.findIndex((c) => c.metricId === metricId) < index) {
    const detail = 'Another component of this version has this metric. Merge the two.';
    faults.push({ code: 'invalid', detail, attr });
  }
  if (tiers?.length === 0) {
    faults.push({ code: 'invalid', detail: 'Give the component at least one tier.', attr: `${path}.tiers` });
  }
  for (const { index, field, code, detail } of tiers ? checkTiers(tiers, volume) : []) {
    faults.push({ code, detail, attr: `${path}.tiers.${index}.${field}` });
  }
  return faults;
}

/** Refuses a price in another currency than the version's. */
function checkPricingUnit(
  { pricingUnit }: { readonly pricingUnit: string | undefined },
  currency: string | undefined,
  path: string,
): FieldError[] {
  if (pricingUnit === undefined || currency === undefined || pricingUnit === currency) return [];
  const detail = `Every price of the version is in ${currency}. Give this price in ${currency}.`;
  return [{ code: 'invalid', detail, attr: `${path}.pricing_unit` }];
}

function missing(
  ids: readonly (Uuid | null)[],
  known: { has(id: Uuid): boolean },
  path: string,
  detail: string,
): FieldError[] {
  return ids.flatMap((id, index) =>
    id !== null && known.has(id) ? [] : [{ code: 'does_not_exist', detail, attr: `${path}.${index}` }],
  );
}
