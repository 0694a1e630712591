import { earliest, type Instant } from '../../kernel/instant.js';
import { fullPeriodOf, nextBoundary, renewalPeriod, type Anchor, type Period } from '../../kernel/period.js';
import { fullPeriodAt } from '../../pricing/term-basis.js';
import type { Term } from './events.js';
import { durationOf, type TermPricing } from './term-pricing.js';

/**
 * The first period of a renewal. It begins at a boundary of the term before; where the customer's zone has changed since,
 * boundaries have moved by hours, and it goes to the boundary a whole interval on: a full period of its own. A term that
 * ended elsewhere is followed up to the next boundary.
 * @returns `full` where it is none of the grid's
 */
export function firstPeriodAfter(
  { end: start, basis }: Pick<Term, 'end' | 'basis'>,
  { offer, zone }: TermPricing,
  anchor: Anchor,
): { readonly end: Instant; readonly full: Period | null } {
  const interval = durationOf(offer);
  const isBoundaryIn = (where: string) => fullPeriodOf(start, where, interval, anchor).start === start;
  if (zone === basis.zone || !isBoundaryIn(basis.zone) || isBoundaryIn(zone)) {
    return { end: nextBoundary(start, zone, interval, anchor), full: null };
  }
  const full = renewalPeriod(start, zone, interval, anchor);
  return { end: full.end, full };
}

/** Where the billing period that runs at an instant would have ended. */
export const endOfRunningPeriod = ({ basis, end }: Term, at: Instant): Instant =>
  earliest(fullPeriodAt(at, basis).end, end);
