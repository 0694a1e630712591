import type { PlanComponent } from '../../pricing/price-content.js';
import { earliest, latest, type Instant } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
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
const behaviorAtCut = (item: ScheduledItem, { term, cancelled }: ChargedTerm) =>
  cancelled && isCut(item, term) ? cancelled.flatFee : null;

/** Tells whether the end of a cancelled term cuts a window. It cuts none that ends at that instant anyway. */
function isCut({ segment, full, period }: ScheduledItem, { end, basis }: ChargedTerm['term']): boolean {
  if (segment.end !== end) return false;
  const { cancellationCutsEndedWindows } = pricingPolicyOf(basis.policy).term;
  return cancellationCutsEndedWindows || earliest(full.end, period.full.end) > end;
}

type RatedWindow = Pick<ScheduledItem, 'period' | 'segment' | 'full'>;

/** Charges a window's usage; with prepaid units only the cost above the latest units (docs/billing.md#prepaid-units). */
export function usageCharge(
  component: PlanComponent,
  used: Quantity,
  item: RatedWindow,
  term: ChargedTerm,
): Charge {
  const { tiers, volume } = component;
  const costOf = (units: Quantity) => priceByTiers(tiers, units, volume);
  const units = unitsAgainstUsage(component, item, term);
  if (units !== null) {
    const exact = maxQuantity(subtract(costOf(used), costOf(units)), ZERO);
    return { exact, quantity: used, fraction: null };
  }
  const covered = coveredUnits(component.metricId, item.segment.start, term.term);
  if (isZero(covered)) return { exact: maxQuantity(costOf(used), ZERO), quantity: used, fraction: null };
  const rest = maxQuantity(subtract(used, covered), ZERO);
  return { exact: maxQuantity(costOf(rest), ZERO), quantity: used, fraction: null, covered };
}

/**
 * Returns the plan's prepaid units that the usage of a window is rated against, null without any. Units are charged nothing
 * for a window that has no time or no day of the term, and then cover nothing.
 */
export function unitsAgainstUsage(
  component: PlanComponent,
  { period, segment, full }: RatedWindow,
  term: ChargedTerm,
): Quantity | null {
  if (!component.prepaid) return null;
  // The segment may begin before the term, with transferred usage, and end on a date inside the window.
  const window = {
    start: latest(segment.start, term.term.start),
    end: earliest(full.end, period.end),
  };
  const isCharged =
    pricingPolicyOf(term.term.basis.policy).term.unchargedUnitsCover ||
    !isZero(chargedFactor(component.prepaid.behavior === 'full', { segment: window, full }, term));
  return isCharged ? latestUnits(component, term, segment) : null;
}

/**
 * Returns the factor of its price that a window is charged. It is 0 for a window without length, in full too, and in `day`
 * basis where a plan is switched away from on the window's first day (docs/billing.md#day-basis).
 */
function chargedFactor(
  isFull: boolean,
  { segment, full }: Pick<ScheduledItem, 'segment' | 'full'>,
  term: ChargedTerm,
): Quantity {
  if (isEmpty(segment)) return ZERO;
  const factor = prorationFactor(segment, full, term);
  if (!isFull) return factor;
  const hasNoDay = term.endedBy === 'switched' && segment.end === term.term.end && isZero(factor);
  return hasNoDay ? ZERO : ONE;
}

/** Prorates the price of a window, or charges it in full. */
function prorated(
  price: Quantity,
  units: Quantity,
  isFull: boolean,
  item: ScheduledItem,
  term: ChargedTerm,
): Charge {
  const factor = chargedFactor(isFull, item, term);
  if (isFull || isEmpty(item.segment)) {
    return { exact: factor === ZERO ? ZERO : price, quantity: units, fraction: null };
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
