import type { Instant } from '../kernel/instant.js';
import { fromExact, subtract, toQuantity, type Money } from '../kernel/money.js';
import { fractionOf, type Period } from '../kernel/period.js';
import { ONE, multiply, parts, type Quantity } from '../kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../kernel/zone.js';
import type { PricedTerm, TermCut } from './term-basis.js';

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
