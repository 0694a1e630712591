import type { PlanComponent } from '../../pricing/price-content.js';
import type { Instant } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
import type { Period } from '../../kernel/period.js';
import { ONE, ZERO, add, isZero, maxQuantity, multiply, quantity, subtract } from '../../kernel/quantity.js';
import type { Quantity } from '../../kernel/quantity.js';
import { coveredUnits, feeSince } from '../../pricing/carried-over-proration.js';
import { latestUnits, unitsDuring, type UnitsHeld } from '../../pricing/prepaid-units.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';
import { prorationFactor, proratedPart } from '../../pricing/proration.js';
import { rate } from '../../pricing/tiers.js';

/** Exact cost of an item, in major units, with its inputs. */
export interface Charge {
  readonly exact: Quantity;
  readonly quantity: Quantity;
  /** The share of the full interval, for what is prorated. */
  readonly fraction: Quantity | null;
  /** For prepaid units that changed within their window: how many over which part of it. */
  readonly held?: readonly UnitsHeld[];
  /** For usage that a switch moved: units of it that an earlier plan was paid for. */
  readonly covered?: Quantity;
}

type MeasuredTerm = Pick<RunTerm, 'term' | 'cut' | 'cancelled' | 'content' | 'addon' | 'prepaidChanges'>;

/** A fee, or the units paid for beforehand (docs/billing.md#recurring-charges, docs/billing.md#prepaid-units). */
export function fixedCharge(item: ScheduledItem, term: MeasuredTerm): Charge {
  const { source } = item;
  if (source.kind === 'recurring') {
    const count = term.addon ? quantity(String(term.addon.quantity)) : ONE;
    const amount = multiply(quantity(source.charge.amount), count);
    const behavior = behaviorAtCut(item, term) ?? source.charge.behavior;
    if (behavior === 'refund') return { exact: ZERO, quantity: count, fraction: null };
    if (behavior === 'charge_full') return { exact: amount, quantity: count, fraction: null };
    return inPart(amount, count, behavior === 'full', item, term);
  }
  return unitsCharge(source.component, item, term);
}

/** Prorated, each part of the window at the price of the units it had; in full, the window at that of its latest units. */
function unitsCharge(component: PlanComponent, item: ScheduledItem, term: MeasuredTerm): Charge {
  const { tiers, volume, prepaid } = component;
  const units = latestUnits(component, term, item.segment);
  const held = unitsDuring(component, term, item.segment);
  const isFull = prepaid!.behavior === 'full';
  if (held.length <= 1 || isFull) {
    const charge = inPart(rate(tiers, units, volume), units, isFull, item, term);
    return held.length > 1 ? { ...charge, held } : charge;
  }
  const exact = held
    .map((part) => multiply(rate(tiers, part.units, volume), prorationFactor(part.during, item.full, term)))
    .reduce(add, ZERO);
  return { exact, quantity: units, fraction: null, held };
}

/** Behavior that a cancellation sets for fees whose windows it cuts; earlier windows are owed as agreed. */
const behaviorAtCut = ({ segment }: ScheduledItem, { term, cancelled }: MeasuredTerm) =>
  cancelled && segment.end === term.end ? cancelled.flatFee : null;

/** A window's usage; with prepaid units only what it costs above the latest of them (docs/billing.md#prepaid-units). */
export function usageCharge(
  component: PlanComponent,
  used: Quantity,
  segment: Period,
  term: MeasuredTerm,
): Charge {
  const { tiers, volume } = component;
  if (!component.prepaid) {
    const covered = coveredUnits(component.metricId, segment.start, term.term);
    if (isZero(covered)) {
      return { exact: maxQuantity(rate(tiers, used, volume), ZERO), quantity: used, fraction: null };
    }
    const rest = maxQuantity(subtract(used, covered), ZERO);
    return { exact: maxQuantity(rate(tiers, rest, volume), ZERO), quantity: used, fraction: null, covered };
  }
  const cost = rate(tiers, used, volume);
  const paid = rate(tiers, latestUnits(component, term, segment), volume);
  return { exact: maxQuantity(subtract(cost, paid), ZERO), quantity: used, fraction: null };
}

/** The share that a window is of its full interval, or all of the price. */
function inPart(
  price: Quantity,
  units: Quantity,
  isFull: boolean,
  item: ScheduledItem,
  term: MeasuredTerm,
): Charge {
  // A segment without length bills nothing, with full charges too (docs/billing.md#proration).
  if (isEmpty(item.segment)) return { exact: ZERO, quantity: units, fraction: null };
  const share = prorationFactor(item.segment, item.full, term);
  // A plan that was switched away from on the day it began has no day and no line, in full neither.
  if (isFull) {
    const noDay = term.cut === 'switched' && isZero(share);
    return { exact: noDay ? ZERO : price, quantity: units, fraction: null };
  }
  const since = pieceSince(item, term);
  if (since === item.segment.start)
    return { exact: multiply(price, share), quantity: units, fraction: share };
  return {
    exact: proratedPart(price, since, item.segment, item.full, term),
    quantity: units,
    fraction: share,
  };
}

/** Where the first piece began that was charged of the fee's window at this price. */
function pieceSince({ source, segment }: ScheduledItem, { term, content }: MeasuredTerm): Instant {
  const isPiece =
    source.kind === 'recurring' && source.charge.behavior === 'prorate' && segment.start === term.start;
  return isPiece ? feeSince(source.index, content, term) : segment.start;
}
