import { isEmpty, gridFrom, type Grid, type Ms, type Span } from './calendar.js';
import type { Due } from './dues.js';
import { passes } from './filters.js';
import type { Component, Metric } from './history.js';
import { measured, type Stretches, type UsageEvent } from './metering.js';
import {
  ZERO,
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
import { gridAt, resetOf, shareOf, type Term } from './terms.js';
import { feeSince } from './taken-over.js';
import { rated } from './tiers.js';

export interface Cost {
  readonly exact: Rational;
  readonly quantity: Rational;
}

/** A recurring charge over a window (docs/billing.md#recurring-charges). @param decimals of the currency */
export function feeCost({ source, segment, full, term }: Due, decimals: number): Cost {
  if (source.kind !== 'fee') throw new Error('no fee');
  const { charge } = source;
  const quantity = integer(term.addon?.quantity ?? 1);
  const price = times(decimal(charge.amount), quantity);
  const isCut = term.cut?.by === 'cancel' && segment.end === term.end;
  const said = (isCut ? term.cut!.flatFee : null) ?? charge.charge_behavior;
  if (said === 'refund') return { exact: ZERO, quantity };
  if (said === 'charge_full') return { exact: price, quantity };
  if (isEmpty(segment)) return { exact: ZERO, quantity };
  if (said === 'full') return { exact: hasNoDay(segment, full, term) ? ZERO : price, quantity };
  const since =
    segment.start === term.start && charge.charge_behavior === 'prorate'
      ? feeSince(source.place, term)
      : segment.start;
  return { exact: piece(price, since, segment, full, term, decimals), quantity };
}

/** In `day` basis a plan that is switched away from on the day it began has no day. */
const hasNoDay = (segment: Span, full: Span, term: Term): boolean =>
  term.cut?.by === 'switch' && shareOf(segment, full, term).n === 0n;

/** The partition law: the rounded total up to its end less the rounded total up to its start, counted from the first piece. */
export function piece(
  price: Rational,
  since: Ms,
  segment: Span,
  full: Span,
  term: Term,
  decimals: number,
): Rational {
  const total = (end: Ms) => times(price, shareOf({ start: since, end }, full, term));
  if (since === segment.start) return total(segment.end);
  const scale = rational(10n ** BigInt(decimals));
  const whole = (exact: Rational) => rounded(times(exact, scale));
  return rational(whole(total(segment.end)) - whole(total(segment.start)), scale.n);
}

/** Prepaid units over a window (docs/billing.md#prepaid-units). */
export function unitsCost({ source, segment, full, term }: Due): Cost {
  if (source.kind !== 'units') throw new Error('no units');
  const { component } = source;
  const quantity = unitsBefore(component, term, segment.end);
  if (isEmpty(segment)) return { exact: ZERO, quantity };
  const price = (units: Rational) => rated(component.tiers, component.bulk_pricing_enabled, units);
  if (component.prepaid_charge!.charge_behavior === 'full')
    return { exact: hasNoDay(segment, full, term) ? ZERO : price(quantity), quantity };
  const changes = changesOf(component, term).map(({ at }) => at);
  const cuts = changes.filter((at) => at > segment.start && at < segment.end);
  const parts = [segment.start, ...cuts].map((start, n) => ({ start, end: cuts[n] ?? segment.end }));
  const exact = parts
    .map((part) => times(price(unitsBefore(component, term, part.end)), shareOf(part, full, term)))
    .reduce(plus, ZERO);
  return { exact, quantity };
}

const changesOf = ({ metric }: Component, { units }: Term) =>
  units.filter((change) => change.metric === metric);

/** The latest units before an instant. */
function unitsBefore(component: Component, term: Term, at: Ms): Rational {
  const changes = changesOf(component, term);
  const latest = changes.findLast((change) => change.at < at) ?? changes[0];
  return decimal(latest?.units ?? component.prepaid_charge?.units ?? '0');
}

/** What usage costs; with prepaid units what it costs above the latest of them. */
export function usageCost({ source, segment, term }: Due, quantity: Rational): Cost {
  if (source.kind !== 'usage') throw new Error('no usage');
  const { component } = source;
  const price = (units: Rational) => rated(component.tiers, component.bulk_pricing_enabled, units);
  const paid = component.prepaid_charge ? price(unitsBefore(component, term, segment.end)) : ZERO;
  const covered = component.prepaid_charge ? ZERO : coveredIn(component.metric, segment.start, term);
  const rest = higher(minus(quantity, covered), ZERO);
  return { exact: higher(minus(price(rest), paid), ZERO), quantity };
}

/** Units that an earlier plan was paid for, of the window that a switch moved. */
const coveredIn = (metric: string, start: number, { before }: Term): Rational =>
  (before?.usage.get(metric) === start ? before.covered.get(metric) : undefined) ?? ZERO;

/** What was used of a window. */
export function usedIn(
  { source, segment, period, term }: Due,
  metric: Metric,
  events: readonly UsageEvent[],
): Rational {
  if (source.kind !== 'usage') throw new Error('no usage');
  const own = events.filter(
    (event) => event.metric === source.component.metric && passes(event.properties, metric, term.filters),
  );
  return measured(metric, segment, own, stretchesOf(source.component, period.wholeStart, term));
}

function stretchesOf(component: Component, from: Ms, term: Term): Stretches {
  const { grid, zone, ownStart } = term;
  const reset = resetOf(component);
  const ofWindows = reset !== null && (reset.unit === 'month' || reset.unit === 'year');
  const counted = (months: number): Grid => {
    if (ofWindows) return gridAt(from, { unit: 'month', count: months }, term);
    if (grid.months > 0) return { ...grid, months };
    return gridFrom(grid.day, { unit: 'month', count: months }, zone);
  };
  return { zone, months: counted(1), quarters: counted(3), years: counted(12), total: grid, ownStart };
}
