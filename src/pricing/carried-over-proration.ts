import type {
  PlanComponent,
  PriceContent,
  CarriedOverProration,
  PrepaidChange,
  PricedTerm,
  TransferredUsage,
} from './price-content.js';
import type { Instant } from '../kernel/instant.js';
import type { CutWindow, Interval, Period } from '../kernel/period.js';
import {
  ZERO,
  add,
  compareQuantities,
  exactText,
  isZero,
  quantity,
  readExactText,
  type Quantity,
} from '../kernel/quantity.js';
import { localDateText } from '../kernel/zone.js';
import {
  billingPeriodsOf,
  countedAt,
  lastPeriodOf,
  resetWindowsOf,
  type PrepaidTerm,
  retainedUnits,
} from './proration.js';

interface SwitchedTerm {
  readonly usage: 'transfer_to_new_subscription' | 'keep_separate';
  readonly billedAt: Instant;
  readonly prepaidChanges?: readonly PrepaidChange[];
}

/**
 * Returns the proration that a switched term passes to its successor (docs/billing.md#plan-switches).
 * @param content prices of the term
 * @param at instant of the switch, inside the term or at its start
 */
export function carriedOverAtSwitch(
  term: PricedTerm,
  content: PriceContent,
  at: Instant,
  { usage, billedAt, prepaidChanges = [] }: SwitchedTerm,
): CarriedOverProration {
  const transfers = usage === 'transfer_to_new_subscription';
  const inherited = term.basis.continues;
  if (at === term.start) {
    const nothing = { termStart: at, periodStart: at, fees: [], adjustment: null, usage: [] };
    const { usage: transferred, ...others } = inherited ?? nothing;
    return { ...others, billedAt, usage: transfers ? transferred : [] };
  }
  const period = billingPeriodsOf(term, at).find(({ end }) => at < end)!;
  const cutAt = (interval: Interval | null): CutWindow =>
    resetWindowsOf(period, interval, term).find(({ window }) => at < window.end)!;
  const windowAt = (interval: Interval | null): Instant => cutAt(interval).window.start;
  const priced = hasNoDay(term, at)
    ? { fees: inherited?.fees ?? [], adjustment: inherited?.adjustment ?? null }
    : pricedSince(term, content, period, windowAt);
  return {
    termStart: inherited?.termStart ?? term.start,
    periodStart: period.whole.start,
    billedAt,
    ...priced,
    usage: !transfers
      ? []
      : content.components.map((component) =>
          transferredUsage(component, cutAt(component.resetInterval), { term, prepaidChanges }, at),
        ),
  };
}

/** Returns the running window of a component, with the units that were prepaid for it on former plans. */
function transferredUsage(
  component: PlanComponent,
  cut: CutWindow,
  { term, prepaidChanges }: PrepaidTerm,
  at: Instant,
): TransferredUsage {
  const { metricId } = component;
  const isFirst = cut.window.start === term.start;
  const since = isFirst ? usageSince(metricId, term) : cut.window.start;
  const before = isFirst ? coveredUnits(metricId, since, term) : ZERO;
  const ended = { term: { ...term, end: at }, cut: 'switched' as const, prepaidChanges };
  const covered = add(before, retainedUnits(component, cut, ended, at));
  return { metricId, since, ...(!isZero(covered) && { covered: exactText(covered) }) };
}

/** Returns the units prepaid on a former plan that cover usage of a transferred window. */
export function coveredUnits(
  metricId: string,
  since: Instant,
  { basis }: Pick<PricedTerm, 'basis'>,
): Quantity {
  const transferred = basis.continues?.usage.find((one) => one.metricId === metricId && one.since === since);
  return transferred?.covered === undefined ? ZERO : readExactText(transferred.covered);
}

/**
 * Returns the proration that a term whose end was set inside a period passes to its renewal: the fees and the adjustment
 * that are measured against that period, so that all parts sum to their price. Undefined if there are none.
 */
export function carriedOverAtRenewal(
  term: PricedTerm,
  content: PriceContent,
): CarriedOverProration | undefined {
  const { end } = term;
  const period = lastPeriodOf(term);
  if (period.end === period.full.end) return undefined;
  const { fees, adjustment } = pricedSince(term, content, period, () => period.start);
  const measured = fees.filter(({ resetInterval }) => resetInterval === null);
  if (measured.length === 0 && adjustment === null) return undefined;
  return { termStart: end, periodStart: end, billedAt: end, fees: measured, adjustment, usage: [] };
}

/** Returns the fees and the adjustment of a running period, each with the instant since which it has its price. */
function pricedSince(
  term: PricedTerm,
  content: PriceContent,
  period: Period,
  windowAt: (interval: Interval | null) => Instant,
): Pick<CarriedOverProration, 'fees' | 'adjustment'> {
  return {
    fees: content.recurringCharges.flatMap((charge, index) => {
      if (charge.behavior !== 'prorate') return [];
      const { amount, resetInterval } = charge;
      const from = windowAt(resetInterval);
      const since = from === term.start ? feeSince(index, content, term) : from;
      return [{ amount, resetInterval, since: countedAt(since, term) }];
    }),
    adjustment: content.priceAdjustment && {
      type: content.priceAdjustment.type,
      amount: content.priceAdjustment.amount,
      since: countedAt(period.start === term.start ? adjustmentSince(content, term) : period.start, term),
    },
  };
}

/** Returns whether a plan has no day: in `day` basis the day of a switch belongs to the new plan. */
const hasNoDay = (term: PricedTerm, at: Instant): boolean => {
  const { prorationBasis, zone } = term.basis;
  const dayOf = (instant: Instant) => localDateText(countedAt(instant, term), zone);
  return prorationBasis === 'day' && dayOf(term.start) === dayOf(at);
};

type BegunTerm = Pick<PricedTerm, 'start' | 'basis'>;

/**
 * Returns since when a prorated fee is charged at its price, for the window that a term begins in. That is before the term
 * if its predecessor had a fee of equal amount and reset interval; each fee of the predecessor is carried on once.
 * @param index index of the fee in `content`
 */
export function feeSince(index: number, content: PriceContent, { start, basis }: BegunTerm): Instant {
  const before = basis.continues?.fees ?? [];
  const isLike =
    (a: Pick<CarriedFee, 'amount' | 'resetInterval'>) => (b: Pick<CarriedFee, 'amount' | 'resetInterval'>) =>
      compareQuantities(quantity(a.amount), quantity(b.amount)) === 0 &&
      a.resetInterval?.unit === b.resetInterval?.unit &&
      a.resetInterval?.count === b.resetInterval?.count;
  const fee = content.recurringCharges[index]!;
  const own = content.recurringCharges.slice(0, index).filter(({ behavior }) => behavior === 'prorate');
  const nth = own.filter(isLike(fee)).length;
  return before.filter(isLike(fee))[nth]?.since ?? start;
}

type CarriedFee = CarriedOverProration['fees'][number];

/** Returns since when a price adjustment that applies once per billing period is given, for the period that a term begins in. */
export function adjustmentSince(
  { priceAdjustment: own }: PriceContent,
  { start, basis }: BegunTerm,
): Instant {
  const before = basis.continues?.adjustment;
  const isEqual =
    own &&
    before?.type === own.type &&
    compareQuantities(quantity(before.amount), quantity(own.amount)) === 0;
  return isEqual ? before.since : start;
}

/** Returns the start of the usage window that a term begins in: before the term if a switch transferred the usage. */
export const usageSince = (metricId: string, { start, basis }: BegunTerm): Instant =>
  basis.continues?.usage.find((moved) => moved.metricId === metricId)?.since ?? start;
