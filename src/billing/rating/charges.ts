import type { PlanComponent } from '../../catalog/domain/price-content.js';
import { fractionOf, isEmpty } from '../../kernel/period.js';
import type { Period } from '../../kernel/period.js';
import { ONE, ZERO, maxQuantity, multiply, parts, quantity, subtract } from '../../kernel/quantity.js';
import type { Quantity } from '../../kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../../kernel/zone.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';
import { rate } from './tiers.js';

/** What an item should cost in all, exact and not rounded, in major units; and what it was reckoned from. */
export interface Charge {
  readonly exact: Quantity;
  readonly quantity: Quantity;
  /** The share of the full interval, for what is prorated. */
  readonly fraction: Quantity | null;
}

type MeasuredTerm = Pick<RunTerm, 'term' | 'cut' | 'cancelled' | 'addon'>;

/** A fee, or the units paid for beforehand (billing.md sections 4 and 6). */
export function fixedCharge(item: ScheduledItem, term: MeasuredTerm): Charge {
  const { source } = item;
  if (source.kind === 'recurring') {
    const count = term.addon ? quantity(String(term.addon.quantity)) : ONE;
    const amount = multiply(quantity(source.charge.amount), count);
    const behavior = behaviorAtCut(item, term) ?? source.charge.behavior;
    if (behavior === 'refund') return { exact: ZERO, quantity: count, fraction: null };
    if (behavior === 'charge_full') return { exact: amount, quantity: count, fraction: null };
    return prorated(amount, count, behavior === 'charge_prorated' ? 'prorate' : behavior, item, term);
  }
  const { tiers, volume, prepaid } = source.component;
  const units = unitsBought(source.component, term);
  return prorated(rate(tiers, units, volume), units, prepaid?.behavior ?? 'full', item, term);
}

/** What a cancellation says of the fees whose windows it cuts; those that were over before it are owed as agreed. */
const behaviorAtCut = ({ segment }: ScheduledItem, { term, cancelled }: MeasuredTerm) =>
  cancelled && segment.end === term.end ? cancelled.flatFee : null;

/** A window's usage; with prepaid units only what it costs above them (billing.md sections 2 and 6). */
export function usageCharge(component: PlanComponent, used: Quantity, term: MeasuredTerm): Charge {
  const { tiers, volume } = component;
  const cost = rate(tiers, used, volume);
  const paid = component.prepaid ? rate(tiers, unitsBought(component, term), volume) : ZERO;
  return { exact: maxQuantity(subtract(cost, paid), ZERO), quantity: used, fraction: null };
}

function unitsBought({ metricId, prepaid }: PlanComponent, { term }: MeasuredTerm): Quantity {
  const bought = term.prepaidUnits?.find((units) => units.metricId === metricId);
  return quantity(bought?.units ?? prepaid?.units ?? '0');
}

function prorated(
  price: Quantity,
  units: Quantity,
  behavior: 'prorate' | 'full',
  item: ScheduledItem,
  term: MeasuredTerm,
): Charge {
  // What has no length bills nothing, also in full (billing.md section 3).
  if (isEmpty(item.segment)) return { exact: ZERO, quantity: units, fraction: null };
  if (behavior === 'full') return { exact: price, quantity: units, fraction: null };
  const fraction = shareOf(item.segment, item.full, term);
  return { exact: multiply(price, fraction), quantity: units, fraction };
}

/**
 * The part of its full interval that a segment of a term is, in the term's basis. In `day` basis the day that a term
 * ends on was used, unless a switch gave it to the new plan or the end is the day's first instant.
 */
export function shareOf(segment: Period, full: Period, { term, cut }: MeasuredTerm): Quantity {
  const { prorationBasis, zone } = term.basis;
  if (segment.start === full.start && segment.end === full.end) return ONE;
  const endsInside =
    prorationBasis === 'day' &&
    segment.end === term.end &&
    (cut === 'cancelled' || (cut === null && startOfLocalDay(localDateOf(term.end, zone), zone) < term.end));
  return fractionOf(segment, full, prorationBasis, zone, { endDay: endsInside ? 'used' : 'next' });
}

/** A share as a line explains it: `n/d`. */
export function shareText(share: Quantity): string {
  const { n, d } = parts(share);
  return `${n}/${d}`;
}
