import { type PriceContent, fullPeriodAt, type TermBasis } from '../../pricing/price-content.js';
import { POLICY } from '../../pricing/policy.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  type Anchor,
  fullPeriodOf,
  type Interval,
  intervalOf,
  nextBoundary,
  type Period,
  type PlanDuration,
  renewalPeriod,
} from '../../kernel/period.js';
import {
  earliest,
  type Instant,
  instant,
  plusMicros,
  SECOND,
  dateOfDayNumber,
  dayNumber,
} from '../../kernel/instant.js';
import type { Term } from './events.js';
import type { FieldError } from '../../kernel/errors.js';
import { localDateOf, startOfLocalDay } from '../../kernel/zone.js';

/** Part of a plan version that a term is measured by. */
export interface PricedVersion {
  readonly planId: Uuid;
  readonly versionId: Uuid;
  readonly contentHash: string;
  readonly content: PriceContent;
  readonly duration: PlanDuration | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
}

/** Values taken anew at every start of a term (docs/billing.md#terms-and-periods). */
export interface TermPricing {
  readonly offer: PricedVersion;
  /** IANA zone of the customer, else of the organization, else UTC. */
  readonly zone: string;
  readonly prorationBasis: TermBasis['prorationBasis'];
}

export function basisOf({ offer, zone, prorationBasis }: TermPricing, anchor: Anchor): TermBasis {
  return {
    planId: offer.planId,
    versionId: offer.versionId,
    contentHash: offer.contentHash,
    currency: offer.content.currency,
    zone,
    anchor,
    duration: durationOf(offer),
    prorationBasis,
    policy: POLICY,
  };
}

/** The plan's duration; without one the longest interval of its charges, else a month (docs/billing.md#terms-and-periods). */
export function durationOf({ duration, content }: Pick<PricedVersion, 'duration' | 'content'>): Interval {
  if (duration !== null) return intervalOf(duration);
  const intervals = [...content.recurringCharges, ...content.components]
    .flatMap((charge) => [charge.resetInterval, charge.invoicingInterval])
    .filter((interval) => interval !== null);
  return intervals.reduce<Interval | undefined>(longer, undefined) ?? { unit: 'month', count: 1 };
}

/** Days of an average Gregorian year, so that units can be compared; whole numbers keep 12 months equal to a year. */
const DAYS_IN_400_YEARS = { day: 4800, week: 7 * 4800, month: 146_097, year: 12 * 146_097 };

function longer(longest: Interval | undefined, interval: Interval): Interval {
  const length = ({ unit, count }: Interval) => DAYS_IN_400_YEARS[unit] * count;
  return longest && length(longest) >= length(interval) ? longest : interval;
}

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

/** Far enough from the end of the calendar that every boundary of every plan can be written. */
export const LATEST = instant('9000-01-01T00:00:00Z');

/** An end in the last second of a local day means the midnight after it (docs/contract.md#times). */
export function normalizedEnd(end: Instant, zone: string): Instant {
  if (end >= LATEST) return end;
  const nextDay = dateOfDayNumber(dayNumber(localDateOf(end, zone)) + 1);
  const midnight = startOfLocalDay(nextDay, zone);
  return end >= plusMicros(midnight, -SECOND) ? midnight : end;
}

/** Checks an end that somebody sets. */
export function endErrors(start: Instant, end: Instant, now: Instant): FieldError[] {
  const wrong = (detail: string): FieldError[] => [{ code: 'invalid', attr: 'end_date', detail }];
  if (end >= LATEST) return wrong('Give an end before the year 9000.');
  if (end <= now) return wrong('The end is in the past.');
  return end <= start ? wrong('The end must be after the start.') : [];
}
