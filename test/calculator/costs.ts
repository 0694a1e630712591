import { isEmpty, gridFrom, type Grid, type Ms, type Span } from './calendar.js';
import type { Due } from './dues.js';
import { passes } from './filters.js';
import type { Component, Metric } from './history.js';
import { measureUsage, type GranularityGrids, type UsageEvent } from './metering.js';
import {
  ZERO,
  compare,
  decimal,
  higher,
  integer,
  minus,
  plus,
  rational,
  rounded,
  times,
  type Rational,
} from './rational.js';
import { countedFrom, fullAt, gridAt, resetOf, prorationFactor, type Term } from './terms.js';
import { addonSince, feeSince, unitsSince } from './carried-over.js';
import { unitsBefore, unitsParts, unitsPrice } from './prepaid.js';

export interface Cost {
  readonly exact: Rational;
  readonly quantity: Rational;
}

/**
 * Returns the cost of a recurring charge over a window (docs/billing.md#recurring-charges).
 * @param decimals decimals of the currency
 */
export function feeCost({ source, segment, full, period, term }: Due, decimals: number): Cost {
  if (source.kind !== 'fee') throw new Error('no fee');
  const { charge } = source;
  const quantity = integer(term.addon?.quantity ?? 1);
  const price = times(decimal(charge.amount), quantity);
  const isCut = term.cut?.by === 'cancel' && Math.min(full.end, period.full.end) > term.end;
  const behavior = (isCut ? term.cut!.flatFee : null) ?? charge.charge_behavior;
  if (behavior === 'refund') return { exact: ZERO, quantity };
  if (behavior === 'charge_full') return { exact: price, quantity };
  if (isEmpty(segment)) return { exact: ZERO, quantity };
  if (behavior === 'full') return { exact: hasZeroDays(segment, full, term) ? ZERO : price, quantity };
  const since =
    segment.start === term.start && charge.charge_behavior === 'prorate'
      ? term.addon
        ? addonSince(charge, term)
        : feeSince(source.index, term)
      : segment.start;
  return { exact: cumulativeCost(price, since, segment, full, term, decimals), quantity };
}

/** Tells whether a plan is switched away from on the day it began: in `day` basis it has no day. */
const hasZeroDays = (segment: Span, full: Span, term: Term): boolean =>
  term.cut?.by === 'switch' && segment.end === term.end && prorationFactor(segment, full, term).n === 0n;

/**
 * Rounds cumulatively (docs/billing.md#cumulative-rounding): the rounded total up to the segment's end less the
 * rounded total up to its start, both counted from `since`.
 */
export function cumulativeCost(
  price: Rational,
  since: Ms,
  segment: Span,
  full: Span,
  term: Term,
  decimals: number,
): Rational {
  const total = (end: Ms) => times(price, prorationFactor({ start: since, end }, full, term));
  if (since === segment.start) return total(segment.end);
  const scale = rational(10n ** BigInt(decimals));
  const whole = (exact: Rational) => rounded(times(exact, scale));
  return rational(whole(total(segment.end)) - whole(total(segment.start)), scale.n);
}

/**
 * Returns the cost of prepaid units over a window (docs/billing.md#prepaid-units).
 * @param decimals decimals of the currency
 */
export function unitsCost({ source, segment, full, term }: Due, decimals: number): Cost {
  if (source.kind !== 'units') throw new Error('no units');
  const { component } = source;
  const quantity = unitsBefore(component, term, segment.end);
  if (isEmpty(segment)) return { exact: ZERO, quantity };
  if (component.prepaid_charge!.charge_behavior === 'full')
    return { exact: hasZeroDays(segment, full, term) ? ZERO : unitsPrice(component, quantity), quantity };
  const parts = unitsParts(component, segment, term);
  const { price: first } = parts[0]!;
  const since = segment.start === term.start ? unitsSince(component, first, term) : segment.start;
  const changed = parts.findIndex(({ price }) => compare(price, first) !== 0);
  const later = changed < 0 ? [] : parts.slice(changed);
  const begun = { start: segment.start, end: later[0]?.start ?? segment.end };
  const exact = later
    .map(({ price, ...part }) => times(price, prorationFactor(part, full, term)))
    .reduce(plus, cumulativeCost(first, since, begun, full, term, decimals));
  return { exact, quantity };
}

/** Returns the cost of usage, less the cost of the latest prepaid units. */
export function usageCost(due: Due, quantity: Rational): Cost {
  const { source, segment, term } = due;
  if (source.kind !== 'usage') throw new Error('no usage');
  const { component } = source;
  const price = (units: Rational) => unitsPrice(component, units);
  const isPaid = component.prepaid_charge !== null && isUnitsTime(due, component.prepaid_charge, term);
  const paid = isPaid ? price(unitsBefore(component, term, segment.end)) : ZERO;
  const covered = isPaid ? ZERO : coveredIn(component.metric, segment.start, term);
  const rest = higher(minus(quantity, covered), ZERO);
  return { exact: higher(minus(price(rest), paid), ZERO), quantity };
}

/** Tells whether a plan has time in a window for which its prepaid units are charged. */
function isUnitsTime(
  { segment, full, period }: Due,
  { charge_behavior: behavior }: NonNullable<Component['prepaid_charge']>,
  term: Term,
): boolean {
  const own = { start: Math.max(segment.start, term.start), end: Math.min(full.end, period.end) };
  if (isEmpty(own)) return false;
  if (behavior === 'full') return !hasZeroDays(own, full, term);
  return prorationFactor(own, full, term).n !== 0n;
}

/** Returns the units of a moved window that were prepaid on an earlier plan. */
const coveredIn = (metric: string, start: number, { carriedOver }: Term): Rational =>
  (carriedOver?.usage.get(metric) === start ? carriedOver.covered.get(metric) : undefined) ?? ZERO;

/** Returns the usage of a window. */
export function usedIn(
  { source, segment, period, term }: Due,
  metric: Metric,
  events: readonly UsageEvent[],
): Rational {
  if (source.kind !== 'usage') throw new Error('no usage');
  const own = events.filter(
    (event) => event.metric === source.component.metric && passes(event.properties, metric, term.filters),
  );
  return measureUsage(metric, segment, own, stretchesOf(source.component, period.wholeStart, term));
}

function stretchesOf(component: Component, from: Ms, term: Term): GranularityGrids {
  const { grid, zone, ownStart } = term;
  const reset = resetOf(component);
  const ofWindows = reset !== null && (reset.unit === 'month' || reset.unit === 'year');
  const counted = (months: number): Grid => {
    if (ofWindows) return gridAt(countedFrom(from, term), { unit: 'month', count: months }, term);
    if (grid.months > 0) return { ...grid, months };
    return gridFrom(grid.day, { unit: 'month', count: months }, zone);
  };
  const total = fullAt(from, term);
  return { zone, months: counted(1), quarters: counted(3), years: counted(12), total, ownStart };
}
