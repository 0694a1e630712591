import { fractionOf } from '../kernel/period.js';
import type { Period } from '../kernel/period.js';
import { ONE, parts } from '../kernel/quantity.js';
import type { Quantity } from '../kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../kernel/zone.js';
import type { RunTerm } from '../billing/rating/run.js';

export type MeasuredTerm = Pick<RunTerm, 'term' | 'cut'>;

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
  return fractionOf(segment, full, prorationBasis, zone, endsInside ? { endDay: 'used' } : {});
}

/** A share as a line explains it: `n/d`. */
export function shareText(share: Quantity): string {
  const { n, d } = parts(share);
  return `${n}/${d}`;
}
