import {
  type Instant,
  clampedDate,
  dayNumber,
  monthNumber,
  earliest,
  latest,
  plusMicros,
} from '../kernel/instant.js';
import { fromExact, type Money, subtractMoney, toQuantity } from '../kernel/money.js';
import {
  type CutWindow,
  fractionOf,
  intersect,
  isEmpty,
  type Period,
  nextBoundary,
  windowsOf,
  type Anchor,
  type Interval,
} from '../kernel/period.js';
import { multiply, ONE, parts, type Quantity, quantity } from '../kernel/quantity.js';
import { isInsideLocalDay, localDateOf } from '../kernel/zone.js';
import { pricingPolicyOf } from './pricing-policy.js';
import {
  type PrepaidChange,
  type PricedTerm,
  type EarlyEnd,
  type PlanComponent,
  countedFrom,
  fullPeriodAt,
  periodBasisOf,
} from './price-content.js';

/** A term, or its part between two boundaries if it is longer than the plan's duration (docs/billing.md#terms-and-periods). */
export interface BillingPeriod extends Period {
  /** The full period between two boundaries that contains it. */
  readonly full: Period;
  /** The period from its start before a switch, from which reset windows count; else the period itself. */
  readonly whole: Period;
}

/** Returns the billing periods that have begun by `until` and the next one; together they tile the term. */
export function billingPeriodsOf({ start, end, basis }: PricedTerm, until: Instant): BillingPeriod[] {
  const periods: BillingPeriod[] = [];
  for (let from = start; from < end;) {
    const full = fullPeriodAt(from, basis);
    const to = earliest(full.end, end);
    const begun = from === start ? (basis.continues?.periodStart ?? from) : from;
    const period = { start: from, end: to, full, whole: { start: begun, end: to } };
    periods.push(period);
    if (from > until) break;
    from = period.end;
  }
  return periods;
}

/** Returns the last billing period of a term without computing those before it. */
export function lastPeriodOf({ start, end, basis }: PricedTerm): BillingPeriod {
  const full = fullPeriodAt(plusMicros(end, -1n), basis);
  const from = latest(full.start, start);
  const begun = from === start ? (basis.continues?.periodStart ?? from) : from;
  const to = earliest(full.end, end);
  return { start: from, end: to, full, whole: { start: begun, end: to } };
}

/**
 * Cuts a period by a reset interval, counted from the start of the whole period. Tiers and units begin anew in each window;
 * only the last window is cut. Without an interval the period is its own window, prorated against its full period.
 */
export function resetWindowsOf(
  period: BillingPeriod,
  interval: Interval | null,
  term: PricedTerm,
): CutWindow[] {
  if (interval === null) return [{ window: { start: period.start, end: period.end }, full: period.full }];
  const { whole } = period;
  const windows = windowsFrom(countedFrom(whole.start, term.basis), whole, interval, term);
  return windows
    .filter(({ window }) => window.end > period.start)
    .map(({ window, full }) => ({ window: intersect(window, period), full }));
}

/**
 * Returns the windows of a period. The first begins with the period, even if windows count from a boundary near its start,
 * and by which the period may have ended.
 */
function windowsFrom(
  from: Instant,
  { start, end }: Period,
  interval: Interval,
  term: PricedTerm,
): CutWindow[] {
  const { zone, policy } = term.basis;
  const needsBoundary = from <= start || pricingPolicyOf(policy).term.windowsNeedBoundary;
  const counted = { start: from, end: needsBoundary ? end : latest(end, plusMicros(from, 1n)) };
  const windows = windowsOf(counted, zone, interval, from, intendedDay(from, term));
  if (from === start) return windows;
  return windows
    .filter(({ window }) => window.end > start)
    .map(({ window, full }, index) =>
      index > 0
        ? { window, full }
        : { window: { start, end: earliest(window.end, end) }, full: { start, end: full.end } },
    );
}

/**
 * Returns the dates inside the term on which accrued charges are invoiced, up to the first after `until`. They count from
 * the start of the term; after a switch, from the start of the first term of the chain. Without an interval there are none,
 * and charges are invoiced at the end of the period.
 */
export function invoicingDatesOf(term: PricedTerm, interval: Interval | null, until: Instant): Instant[] {
  const dates: Instant[] = [];
  if (interval === null) return dates;
  const anchor = invoicingAnchor(term);
  const { windowsNeedBoundary } = pricingPolicyOf(term.basis.policy).term;
  // The first date is planned also before the boundary that dates count from.
  const counted = windowsNeedBoundary ? until : latest(until, anchor.firstStart);
  for (let date = anchor.firstStart; date <= counted;) {
    date = nextBoundary(date, term.basis.zone, interval, anchor);
    if (date >= term.end) break;
    if (date > term.start) dates.push(date);
  }
  return dates;
}

/**
 * Returns the invoicing date at or after the end of a window, which can be after the end of the term. The boundary that dates
 * count from is none, also where the window ends before it.
 */
export function invoicingDateOf({ end }: Period, interval: Interval, term: PricedTerm): Instant {
  const anchor = invoicingAnchor(term);
  return nextBoundary(latest(plusMicros(end, -1n), anchor.firstStart), term.basis.zone, interval, anchor);
}

const invoicingAnchor = (term: PricedTerm): Anchor =>
  windowAnchorOf(term.basis.continues?.termStart ?? term.start, { ...term, basis: periodBasisOf(term) });

/** Returns the anchor of windows that count from an instant. */
export function windowAnchorOf(start: Instant, term: PricedTerm): Anchor {
  const from = countedFrom(start, term.basis);
  const day = intendedDay(from, term) ?? localDateOf(from, term.basis.zone).day;
  return { day, month: null, firstStart: from };
}

/** Returns the anchor's day if an instant falls on it, clamped or not: from 28 February with day 31 the next is 31 March. */
function intendedDay(at: Instant, { basis }: PricedTerm): number | undefined {
  if (basis.duration.unit !== 'month' && basis.duration.unit !== 'year') return undefined;
  const date = localDateOf(at, basis.zone);
  const clamped = clampedDate(monthNumber(date), basis.anchor.day);
  return dayNumber(clamped) === dayNumber(date) ? basis.anchor.day : undefined;
}

/** A term with the event that cut it short: in `day` basis, that event decides who pays for the last day. */
export interface ProratedTerm {
  readonly term: Pick<PricedTerm, 'start' | 'end' | 'basis'>;
  readonly endedBy: EarlyEnd;
}

/**
 * Returns the fraction of its full interval that a segment of a term covers, in the term's proration basis. In `day` basis
 * the last day of a term counts as used, unless a switch passes it to the new plan or the term ends at the day's start.
 */
export function prorationFactor(segment: Period, full: Period, { term, endedBy }: ProratedTerm): Quantity {
  const { prorationBasis, zone } = term.basis;
  if (segment.start === full.start && segment.end === full.end) return ONE;
  const counted = { start: countedAt(segment.start, term), end: countedAt(segment.end, term) };
  const endsInside =
    prorationBasis === 'day' &&
    counted.end === term.end &&
    (endedBy === 'cancelled' ? isCutInside(term) : endedBy === null && isInsideLocalDay(term.end, zone));
  const endDay = endsInside ? ({ endDay: 'used' } as const) : {};
  return fractionOf(counted, full, prorationBasis, zone, { ...endDay, ...secondsUntilOf(term.basis) });
}

/** Tells whether a cancellation cuts a billing period: the day of one at its end is a day of the next period. */
const isCutInside = ({ end, basis }: ProratedTerm['term']): boolean =>
  pricingPolicyOf(basis.policy).term.cancellationCutsEndedWindows || fullPeriodAt(end, basis).start < end;

/** Returns the instant inside a day up to which a term before was charged by seconds, for a term that counts days. */
function secondsUntilOf({ daysFrom, zone, policy }: PricedTerm['basis']): {
  readonly secondsUntil?: Instant;
} {
  if (!daysFrom || pricingPolicyOf(policy).term.renewalCountsWholeFirstDay) return {};
  return isInsideLocalDay(daysFrom, zone) ? { secondsUntil: daysFrom } : {};
}

/** Moves an instant to the end of a day that the previous term already paid for. */
export function countedAt(at: Instant, { start, basis }: Pick<PricedTerm, 'start' | 'basis'>): Instant {
  const { daysFrom, policy } = basis;
  if (!daysFrom || at < start || pricingPolicyOf(policy).term.renewalCountsUsedDay) return at;
  return latest(at, daysFrom);
}

/** Formats a factor as `n/d`, the form in a line's explanation. */
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
  subtractMoney(fromExact(multiply(price, upTo), currency), fromExact(multiply(price, before), currency));

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

/** Number of prepaid units during a part of a window. */
export interface UnitSpan {
  readonly units: Quantity;
  readonly during: Period;
}

/** Returns the prepaid units over a window, in order; a change applies from its instant on (docs/billing.md#prepaid-units). */
export function unitsDuring(component: Prepaid, term: PrepaidTerm, window: Period): UnitSpan[] {
  const starts = [window.start, ...changesOf(component, term).map(({ effectiveAt }) => effectiveAt)];
  const parts = starts.map((start, index) =>
    intersect({ start, end: starts[index + 1] ?? window.end }, window),
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
