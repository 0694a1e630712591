import type { PlanComponent } from './price-content.js';
import type { Instant } from '../kernel/instant.js';
import { intersect, isEmpty, type CutWindow, type Period } from '../kernel/period.js';
import { ZERO, add, divide, isZero, multiply, quantity, type Quantity } from '../kernel/quantity.js';
import { prorationFactor, type ProratedTerm } from './proration.js';
import type { PrepaidChange, PricedTerm } from './term-basis.js';

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
