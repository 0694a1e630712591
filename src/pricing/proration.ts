import type { Instant } from '../kernel/instant.js';
import { fromExact, type Money, subtract, toQuantity } from '../kernel/money.js';
import { type CutWindow, fractionOf, intersect, isEmpty, type Period } from '../kernel/period.js';
import {
  add,
  divide,
  isZero,
  multiply,
  ONE,
  parts,
  type Quantity,
  quantity,
  ZERO,
} from '../kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../kernel/zone.js';
import type { PrepaidChange, PricedTerm, TermCut } from './term-basis.js';
import type { PlanComponent } from './price-content.js';

/** A term with the event that cut it short: in `day` basis, that event decides who pays for the last day. */
export interface ProratedTerm {
  readonly term: Pick<PricedTerm, 'end' | 'basis'>;
  readonly cut: TermCut;
}

/**
 * Returns the fraction of its full interval that a segment of a term covers, in the term's proration basis. In `day` basis
 * the last day of a term counts as used, unless a switch passes it to the new plan or the term ends at the day's start.
 */
export function prorationFactor(segment: Period, full: Period, { term, cut }: ProratedTerm): Quantity {
  const { prorationBasis, zone } = term.basis;
  if (segment.start === full.start && segment.end === full.end) return ONE;
  const endsInside =
    prorationBasis === 'day' &&
    segment.end === term.end &&
    (cut === 'cancelled' || (cut === null && startOfLocalDay(localDateOf(term.end, zone), zone) < term.end));
  return fractionOf(segment, full, prorationBasis, zone, endsInside ? { endDay: 'used' } : {});
}

/** Formats a factor as it stands in a line's explanation: `n/d`. */
export function factorText(factor: Quantity): string {
  const { n, d } = parts(factor);
  return `${n}/${d}`;
}

/**
 * Returns the price of the part of a full period between two cumulative factors, by cumulative rounding:
 * round(price × upTo) − round(price × before). All parts of a period then sum to its price to the cent.
 * @param price in major units
 */
export const cumulativelyRounded = (
  price: Quantity,
  before: Quantity,
  upTo: Quantity,
  currency: string,
): Money =>
  subtract(fromExact(multiply(price, upTo), currency), fromExact(multiply(price, before), currency));

/**
 * Returns the price of one part of a full period that is charged in several parts at one price, in major units.
 * @param since start of the first of the parts
 */
export function proratedPart(
  price: Quantity,
  since: Instant,
  { start, end }: Period,
  full: Period,
  term: ProratedTerm,
): Quantity {
  const factorUpTo = (to: Instant) => prorationFactor({ start: since, end: to }, full, term);
  const { currency } = term.term.basis;
  return toQuantity(cumulativelyRounded(price, factorUpTo(start), factorUpTo(end), currency));
}

/** A term with the changes of its prepaid units, in order; `term` has the latest units. */
export interface PrepaidTerm {
  readonly term: PricedTerm;
  readonly prepaidChanges?: readonly PrepaidChange[];
}

type Prepaid = Pick<PlanComponent, 'metricId' | 'prepaid'>;

/** Units held over a part of a window. */
export interface UnitsHeld {
  readonly units: Quantity;
  readonly during: Period;
}

/** Returns the prepaid units over a window, in order; a change applies from its instant on (docs/billing.md#prepaid-units). */
export function unitsDuring(component: Prepaid, term: PrepaidTerm, window: Period): UnitsHeld[] {
  const starts = [window.start, ...changesOf(component, term).map(({ effectiveAt }) => effectiveAt)];
  const parts = starts.map((start, place) =>
    intersect({ start, end: starts[place + 1] ?? window.end }, window),
  );
  return parts
    .filter((part) => !isEmpty(part))
    .map((during) => ({ units: unitsAt(component, term, during.start), during }));
}

/** Returns the units at the end of a window. */
export const latestUnits = (component: Prepaid, term: PrepaidTerm, { end }: Period): Quantity =>
  unitsBy(component, term, ({ effectiveAt }) => effectiveAt < end);

/** Returns the last change of units within a window. */
export const latestChange = (
  component: Prepaid,
  term: PrepaidTerm,
  { start, end }: Period,
): PrepaidChange | undefined =>
  changesOf(component, term).findLast(({ effectiveAt }) => start <= effectiveAt && effectiveAt < end);

/**
 * Returns the prepaid units that still cover usage in the window that a switch cuts
 * (docs/billing.md#prepaid-units-after-a-switch): with `full` all of them, with `prorate` the fraction of their price that
 * the plan keeps. In `day` basis a plan without a day in the window keeps none.
 * @param term the term as the switch ends it
 */
export function unitsKept(
  component: Prepaid,
  { window, full }: CutWindow,
  term: PrepaidTerm & ProratedTerm,
  at: Instant,
): Quantity {
  if (!component.prepaid) return ZERO;
  const used = { start: window.start, end: at };
  const shareIn = (part: Period) => prorationFactor(part, full, term);
  if (isZero(shareIn(used))) return ZERO;
  if (component.prepaid.behavior === 'full') return latestUnits(component, term, used);
  const kept = unitsDuring(component, term, used)
    .map(({ units, during }) => multiply(units, shareIn(during)))
    .reduce(add, ZERO);
  return divide(kept, shareIn(window));
}

const unitsAt = (component: Prepaid, term: PrepaidTerm, at: Instant): Quantity =>
  unitsBy(component, term, ({ effectiveAt }) => effectiveAt <= at);

function unitsBy(
  component: Prepaid,
  term: PrepaidTerm,
  isMade: (change: PrepaidChange) => boolean,
): Quantity {
  const changes = changesOf(component, term);
  const made = changes.findLast(isMade);
  const held = term.term.prepaidUnits?.find(({ metricId }) => metricId === component.metricId)?.units;
  // The term has the latest units; before its first change it had those that were changed.
  return quantity(made?.units ?? changes[0]?.unitsBefore ?? held ?? component.prepaid?.units ?? '0');
}

const changesOf = ({ metricId }: Prepaid, { prepaidChanges = [] }: PrepaidTerm): readonly PrepaidChange[] =>
  prepaidChanges.filter((change) => change.metricId === metricId);
