import type { PlanComponent } from '../../pricing/price-content.js';
import type { Instant } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
import type { Period } from '../../kernel/period.js';
import {
  ONE,
  ZERO,
  add,
  compareQuantities,
  isZero,
  maxQuantity,
  multiply,
  quantity,
  subtract,
} from '../../kernel/quantity.js';
import type { Quantity } from '../../kernel/quantity.js';
import { coveredUnits, feeSince, unitsSince } from '../../pricing/carried-over-proration.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import {
  latestUnits,
  proratedPart,
  prorationFactor,
  unitsDuring,
  type UnitSpan,
} from '../../pricing/proration.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';
import { priceByTiers } from '../../pricing/tiers.js';

/** The whole cost of an item, exact, in major units, and the figures it was computed from. */
export interface Charge {
  readonly exact: Quantity;
  readonly quantity: Quantity;
  /** The proration factor, where the charge is prorated. */
  readonly fraction: Quantity | null;
  /** Prepaid units that changed within their window: how many over which part of it. */
  readonly held?: readonly UnitSpan[];
  /** Units of transferred usage that prepaid units of an earlier plan cover. */
  readonly covered?: Quantity;
}

type ChargedTerm = Pick<RunTerm, 'term' | 'endedBy' | 'cancelled' | 'content' | 'addon' | 'prepaidChanges'>;

/** Computes a recurring charge or prepaid units (docs/billing.md#recurring-charges, docs/billing.md#prepaid-units). */
export function fixedCharge(item: ScheduledItem, term: ChargedTerm): Charge {
  const { source } = item;
  if (source.kind === 'recurring') {
    const count = term.addon ? quantity(String(term.addon.quantity)) : ONE;
    const amount = multiply(quantity(source.charge.amount), count);
    const behavior = behaviorAtCut(item, term) ?? source.charge.behavior;
    if (behavior === 'refund') return { exact: ZERO, quantity: count, fraction: null };
    if (behavior === 'charge_full') return { exact: amount, quantity: count, fraction: null };
    return prorated(amount, count, behavior === 'full', item, term);
  }
  return unitsCharge(source.component, item, term);
}

/** Charges prepaid units: prorated, each part of the window for its units; in full, the window for its latest units. */
function unitsCharge(component: PlanComponent, item: ScheduledItem, term: ChargedTerm): Charge {
  const { tiers, volume, prepaid } = component;
  const units = latestUnits(component, term, item.segment);
  const held = unitsDuring(component, term, item.segment);
  const isFull = prepaid!.behavior === 'full';
  if (held.length <= 1 || isFull) {
    const charge = prorated(priceByTiers(tiers, units, volume), units, isFull, item, term);
    return held.length > 1 ? { ...charge, held } : charge;
  }
  const exact = unitsParts(component, item, term)
    .map((part) => part.exact)
    .reduce(add, ZERO);
  return { exact, quantity: units, fraction: null, held };
}

/** A part of a window during which a prorated component had its prepaid units. */
export interface UnitsPart extends UnitSpan {
  readonly fraction: Quantity;
  /** Start of cumulative rounding; absent when the part is rounded alone. */
  readonly since?: Instant;
  readonly exact: Quantity;
}

/** Splits a window by its prepaid units. Parts priced like the first one continue the rounding of an earlier term. */
export function unitsParts(component: PlanComponent, item: ScheduledItem, term: ChargedTerm): UnitsPart[] {
  const { segment, full } = item;
  const held = unitsDuring(component, term, segment);
  const prices = held.map(({ units }) => priceByTiers(component.tiers, units, component.volume));
  const changed = prices.findIndex((price) => compareQuantities(price, prices[0]!) !== 0);
  const since = pricedSince(item, term);
  return held.map((part, index) => {
    const fraction = prorationFactor(part.during, full, term);
    const continues = since < segment.start && (changed < 0 || index < changed);
    return continues
      ? { ...part, fraction, since, exact: proratedPart(prices[index]!, since, part.during, full, term) }
      : { ...part, fraction, exact: multiply(prices[index]!, fraction) };
  });
}

/** The behavior that a cancellation sets for fees whose windows it cuts; windows that were over before keep theirs. */
const behaviorAtCut = ({ segment }: ScheduledItem, { term, cancelled }: ChargedTerm) =>
  cancelled && segment.end === term.end ? cancelled.flatFee : null;

/** Charges a window's usage; with prepaid units only the cost above the latest units (docs/billing.md#prepaid-units). */
export function usageCharge(
  component: PlanComponent,
  used: Quantity,
  segment: Period,
  term: ChargedTerm,
): Charge {
  const { tiers, volume } = component;
  if (!component.prepaid) {
    const covered = coveredUnits(component.metricId, segment.start, term.term);
    if (isZero(covered)) {
      return { exact: maxQuantity(priceByTiers(tiers, used, volume), ZERO), quantity: used, fraction: null };
    }
    const rest = maxQuantity(subtract(used, covered), ZERO);
    return {
      exact: maxQuantity(priceByTiers(tiers, rest, volume), ZERO),
      quantity: used,
      fraction: null,
      covered,
    };
  }
  const cost = priceByTiers(tiers, used, volume);
  const paid = priceByTiers(tiers, latestUnits(component, term, segment), volume);
  return { exact: maxQuantity(subtract(cost, paid), ZERO), quantity: used, fraction: null };
}

/** Prorates the price of a window, or charges it in full. */
function prorated(
  price: Quantity,
  units: Quantity,
  isFull: boolean,
  item: ScheduledItem,
  term: ChargedTerm,
): Charge {
  // A window without length is not charged, with `full` either (docs/billing.md#proration).
  if (isEmpty(item.segment)) return { exact: ZERO, quantity: units, fraction: null };
  const factor = prorationFactor(item.segment, item.full, term);
  // A plan that is switched away from on its first day, in day basis, has a factor of 0 and no line, with `full` either.
  if (isFull) {
    const noDay = term.endedBy === 'switched' && item.segment.end === term.term.end && isZero(factor);
    return { exact: noDay ? ZERO : price, quantity: units, fraction: null };
  }
  const since = pricedSince(item, term);
  if (since === item.segment.start)
    return { exact: multiply(price, factor), quantity: units, fraction: factor };
  return {
    exact: proratedPart(price, since, item.segment, item.full, term),
    quantity: units,
    fraction: factor,
  };
}

/** Returns when the current price of the window began. Cumulative rounding counts from there. */
export function pricedSince({ source, segment }: ScheduledItem, measured: ChargedTerm): Instant {
  const { term, content } = measured;
  if (segment.start !== term.start) return segment.start;
  if (source.kind === 'recurring' && source.charge.behavior === 'prorate')
    return feeSince(source.index, content, term);
  if (source.kind !== 'prepaid' || pricingPolicyOf(term.basis.policy).term.roundsUnitsAndAddonsSeparately)
    return segment.start;
  const { tiers, volume } = source.component;
  const [first] = unitsDuring(source.component, measured, segment);
  return first ? unitsSince(source.component, priceByTiers(tiers, first.units, volume), term) : segment.start;
}
