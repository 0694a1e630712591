import type { Ms, Span } from './calendar.js';
import type { Component } from './history.js';
import { decimal, type Rational } from './rational.js';
import type { Term } from './terms.js';
import { costOf } from './tiers.js';

/** Returns the parts of a span between changes of prepaid units, each with the price of its units. */
export function unitsParts(
  component: Component,
  { start, end }: Span,
  term: Term,
): (Span & { readonly price: Rational })[] {
  const cuts = changesOf(component, term)
    .map(({ at }) => at)
    .filter((at) => at > start && at < end);
  return [start, ...cuts].map((from, n) => {
    const until = cuts[n] ?? end;
    return { start: from, end: until, price: unitsPrice(component, unitsBefore(component, term, until)) };
  });
}

export const unitsPrice = (component: Component, units: Rational): Rational =>
  costOf(component.tiers, component.bulk_pricing_enabled, units);

const changesOf = ({ metric }: Component, { units }: Term) =>
  units.filter((change) => change.metric === metric);

/** Returns the latest prepaid units before an instant. */
export function unitsBefore(component: Component, term: Term, at: Ms): Rational {
  const changes = changesOf(component, term);
  const latest = changes.findLast((change) => change.at < at) ?? changes[0];
  return decimal(latest?.units ?? component.prepaid_charge?.units ?? '0');
}
