import type {
  CarriedUnits,
  PlanComponent,
  PriceContent,
  CarriedOverProration,
  PrepaidChange,
  PricedTerm,
  TransferredUsage,
} from './price-content.js';
import type { Instant } from '../kernel/instant.js';
import { isSameInterval, type CutWindow, type Interval, type Period } from '../kernel/period.js';
import {
  ZERO,
  add,
  compareQuantities,
  divide,
  exactText,
  isZero,
  multiply,
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
  latestUnits,
  type PrepaidTerm,
  type ProratedTerm,
  prorationFactor,
  unitsDuring,
} from './proration.js';
import { priceByTiers } from './tiers.js';

interface SwitchedTerm {
  readonly usage: 'transfer_to_new_subscription' | 'keep_separate';
  readonly billedAt: Instant;
  readonly prepaidChanges?: readonly PrepaidChange[];
}

/**
 * Returns the proration that the successor of a switched term inherits (docs/billing.md#plan-switches).
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
  const cutAt = (interval: Interval | null): CutWindow | undefined =>
    resetWindowsOf(period, interval, term).find(({ window }) => at < window.end);
  const windowAt: WindowStartAt = (interval) => cutAt(interval)?.window.start;
  const priced = hasNoDay(term, at)
    ? pricedAs(inherited?.fees ?? [], inherited?.adjustment ?? null, inherited?.units ?? [])
    : carriedPrices({ term: { ...term, end: at }, prepaidChanges }, content, period, windowAt);
  return {
    termStart: inherited?.termStart ?? term.start,
    periodStart: period.whole.start,
    billedAt,
    ...priced,
    usage: !transfers
      ? []
      : content.components.flatMap((component) => {
          const cut = cutAt(component.resetInterval);
          return cut ? [transferredUsage(component, cut, { term, prepaidChanges }, at)] : [];
        }),
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
  const ended = { term: { ...term, end: at }, endedBy: 'switched' as const, prepaidChanges };
  const covered = add(before, retainedUnits(component, cut, ended, at));
  return { metricId, since, ...(!isZero(covered) && { covered: exactText(covered) }) };
}

/**
 * Returns the prepaid units that still cover usage in the window that a switch cuts
 * (docs/billing.md#prepaid-units-after-a-switch): with `full` all of them, with `prorate` the fraction of their price that
 * the plan keeps. In `day` basis a plan without a day in the window keeps none.
 * @param term the term as the switch ends it
 */
export function retainedUnits(
  component: PlanComponent,
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
 * Returns the proration that the renewal of a term inherits whose end was set inside a period: the fees, the adjustment
 * and the prepaid units that are prorated against that period, so that all parts sum to their price. Undefined if there
 * are none.
 */
export function carriedOverAtRenewal(
  ended: PrepaidTerm,
  content: PriceContent,
): CarriedOverProration | undefined {
  const { end } = ended.term;
  const period = lastPeriodOf(ended.term);
  if (period.end === period.full.end) return undefined;
  const { fees, adjustment, units = [] } = carriedPrices(ended, content, period, () => period.start);
  const ofPeriod = ({ resetInterval }: Pick<CarriedUnits, 'resetInterval'>) => resetInterval === null;
  const measured = pricedAs(fees.filter(ofPeriod), adjustment, units.filter(ofPeriod));
  if (measured.fees.length === 0 && adjustment === null && !measured.units) return undefined;
  return { termStart: end, periodStart: end, billedAt: end, ...measured, usage: [] };
}

type CarriedPrices = Pick<CarriedOverProration, 'fees' | 'adjustment' | 'units'>;

/**
 * Returns the start of the running window of an interval. By an earlier policy a period may have no window: it charges
 * nothing by this interval, so it passes nothing on.
 */
type WindowStartAt = (interval: Interval | null) => Instant | undefined;

const pricedAs = (
  fees: CarriedPrices['fees'],
  adjustment: CarriedPrices['adjustment'],
  units: readonly CarriedUnits[],
): CarriedPrices => ({ fees, adjustment, ...(units.length > 0 && { units }) });

/**
 * Returns the fees, the adjustment and the prepaid units of the period that a term ends in, each with the instant since
 * which it has its price.
 */
function carriedPrices(
  ended: PrepaidTerm,
  content: PriceContent,
  period: Period,
  windowAt: WindowStartAt,
): CarriedPrices {
  const { term } = ended;
  const fees = content.recurringCharges.flatMap((charge, index) => {
    const { amount, behavior, resetInterval } = charge;
    const from = windowAt(resetInterval);
    if (behavior !== 'prorate' || from === undefined) return [];
    const since = from === term.start ? feeSince(index, content, term) : from;
    return [{ amount, resetInterval, since: countedAt(since, term) }];
  });
  const { priceAdjustment } = content;
  const adjustment = priceAdjustment && {
    type: priceAdjustment.type,
    amount: priceAdjustment.amount,
    since: countedAt(period.start === term.start ? adjustmentSince(content, term) : period.start, term),
  };
  const units = content.components.flatMap((component) => {
    const from = windowAt(component.resetInterval);
    return from === undefined ? [] : carriedUnits(component, ended, from);
  });
  return pricedAs(fees, adjustment, units);
}

/** Returns the price of the units held at the end, and the instant since which the window has that price. */
function carriedUnits(component: PlanComponent, ended: PrepaidTerm, windowStart: Instant): CarriedUnits[] {
  const { term } = ended;
  const { metricId, resetInterval, tiers, volume } = component;
  const spans = unitsDuring(component, ended, { start: windowStart, end: term.end });
  if (component.prepaid?.behavior !== 'prorate' || spans.length === 0) return [];
  const prices = spans.map(({ units }) => priceByTiers(tiers, units, volume));
  const price = prices.at(-1)!;
  const changed = prices.findLastIndex((other) => compareQuantities(other, price) !== 0);
  const { start } = spans[changed + 1]!.during;
  const since = start === term.start ? unitsSince(component, price, term) : start;
  return [{ metricId, amount: exactText(price), resetInterval, since: countedAt(since, term) }];
}

/** Tells whether a plan has no charged day: in `day` basis the day of a switch belongs to the new plan. */
const hasNoDay = (term: PricedTerm, at: Instant): boolean => {
  const { prorationBasis, zone } = term.basis;
  const dayOf = (instant: Instant) => localDateText(countedAt(instant, term), zone);
  return prorationBasis === 'day' && dayOf(term.start) === dayOf(at);
};

type BegunTerm = Pick<PricedTerm, 'start' | 'basis'>;

/**
 * Returns the start of the current price of a prorated fee, in the window that a term begins in. It is before the term if
 * the predecessor had a fee of equal amount and reset interval; each fee of the predecessor matches once.
 * @param index index of the fee in `content`
 */
export function feeSince(index: number, content: PriceContent, { start, basis }: BegunTerm): Instant {
  const before = basis.continues?.fees ?? [];
  const isLike =
    (a: Pick<CarriedFee, 'amount' | 'resetInterval'>) => (b: Pick<CarriedFee, 'amount' | 'resetInterval'>) =>
      compareQuantities(quantity(a.amount), quantity(b.amount)) === 0 &&
      isSameInterval(a.resetInterval, b.resetInterval);
  const fee = content.recurringCharges[index]!;
  const own = content.recurringCharges.slice(0, index).filter(({ behavior }) => behavior === 'prorate');
  const nth = own.filter(isLike(fee)).length;
  return before.filter(isLike(fee))[nth]?.since ?? start;
}

type CarriedFee = CarriedOverProration['fees'][number];

/** Returns the start of the current price of prepaid units, in the window that a term begins in. */
export function unitsSince(
  { metricId, resetInterval }: PlanComponent,
  price: Quantity,
  { start, basis }: BegunTerm,
): Instant {
  const before = basis.continues?.units?.find(
    (units) =>
      units.metricId === metricId &&
      compareQuantities(readExactText(units.amount), price) === 0 &&
      isSameInterval(units.resetInterval, resetInterval),
  );
  return before?.since ?? start;
}

/** Returns the start of a price adjustment that applies once per billing period, in the period that a term begins in. */
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
