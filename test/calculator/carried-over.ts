import { unitsParts } from './prepaid.js';
import { localDay, startOfDay, type Interval, type Ms } from './calendar.js';
import type { Charge, Component } from './history.js';
import { ZERO, compare, decimal, over, plus, times, type Rational } from './rational.js';
import {
  periodsOf,
  resetOf,
  prorationFactor,
  windowsOf,
  type Period,
  type CarriedOver,
  type Term,
  type Window,
} from './terms.js';

/**
 * Returns since when a prorated fee is charged at its price. It continues a predecessor's fee of the same price and
 * interval.
 */
export function feeSince(index: number, { prices, carriedOver, start }: Term): Ms {
  const charge = prices.recurring_charges[index]!;
  const reset = JSON.stringify(resetOf(charge));
  const isSamePrice = (amount: string, interval: Interval | null) =>
    compare(decimal(amount), decimal(charge.amount)) === 0 && JSON.stringify(interval) === reset;
  const earlier = prices.recurring_charges
    .slice(0, index)
    .filter((one) => one.charge_behavior === 'prorate' && isSamePrice(one.amount, resetOf(one))).length;
  return carriedOver?.fees.filter((fee) => isSamePrice(fee.amount, fee.interval))[earlier]?.since ?? start;
}

/** Returns since when a fee of an add-on is charged in the full period that its term began in. */
export const addonSince = (charge: Charge, { addon, start }: Term): Ms =>
  (resetOf(charge) === null ? addon?.since : null) ?? start;

/** Returns since when an adjustment applies. It continues a predecessor's adjustment of the same type and amount. */
export function adjustmentSince({ prices, carriedOver, start }: Term): Ms {
  const adjustment = prices.price_adjustment;
  const same = carriedOver?.adjustment;
  const isSame =
    adjustment?.price_adjustment_type === same?.type &&
    adjustment !== null &&
    compare(decimal(adjustment.price_adjustment_amount), decimal(same!.amount)) === 0;
  return isSame ? same!.since : start;
}

/** Returns the fees, the adjustment and the units of a running period, with the instants since which they are charged. */
function chargedOf(
  term: Term,
  period: Period,
  windowAt: (interval: Interval | null) => Ms,
  at: Ms,
): Pick<CarriedOver, 'fees' | 'adjustment' | 'units'> {
  const { prices, start } = term;
  const fees = prices.recurring_charges.flatMap((charge, index) => {
    if (charge.charge_behavior !== 'prorate') return [];
    const [interval, from] = [resetOf(charge), windowAt(resetOf(charge))];
    const since = from === start ? feeSince(index, term) : from;
    return [{ amount: charge.amount, interval, since: chargedFrom(since, term) }];
  });
  const { price_adjustment: priced } = prices;
  const since = chargedFrom(period.start === start ? adjustmentSince(term) : period.start, term);
  const adjustment = priced && {
    type: priced.price_adjustment_type,
    amount: priced.price_adjustment_amount,
    since,
  };
  const units = prices.components.flatMap((component) =>
    unitsCharged(component, windowAt(resetOf(component)), at, term),
  );
  return { fees, adjustment, units };
}

/** Returns the price of the prepaid units before an instant, and since when the window is charged at it. */
function unitsCharged(component: Component, from: Ms, at: Ms, term: Term): readonly CarriedUnits[] {
  if (component.prepaid_charge?.charge_behavior !== 'prorate' || from === at) return [];
  const parts = unitsParts(component, { start: from, end: at }, term);
  const { price } = parts.at(-1)!;
  const first = parts.findLastIndex((part) => compare(part.price, price) !== 0) + 1;
  const { start } = parts[first]!;
  const since = start === term.start ? unitsSince(component, price, term) : start;
  const [metric, interval] = [component.metric, resetOf(component)];
  return [{ metric, interval, price, since: chargedFrom(since, term) }];
}

type CarriedUnits = CarriedOver['units'][number];

/** Returns since when prepaid units are charged at a price. They continue a predecessor's of the same price and interval. */
export function unitsSince(component: Component, price: Rational, { carriedOver, start }: Term): Ms {
  const reset = JSON.stringify(resetOf(component));
  const isContinued = (one: CarriedUnits) =>
    one.metric === component.metric &&
    compare(one.price, price) === 0 &&
    JSON.stringify(one.interval) === reset;
  return carriedOver?.units.find(isContinued)?.since ?? start;
}

/** Moves the start of a term to its first day that is charged for. */
const chargedFrom = (since: Ms, { start, firstDay, zone }: Term): Ms =>
  since < start ? since : Math.max(since, startOfDay(firstDay, zone));

/**
 * Returns what the successor inherits when a term ended inside a period: fees, adjustments and units that are measured
 * by the period.
 */
export function carriedOverInPeriod(term: Term): CarriedOver {
  const period = periodsOf(term).at(-1)!;
  const { end: at } = term;
  const { fees, adjustment, units } = chargedOf(term, period, () => period.start, at);
  const ofPeriod = ({ interval }: { readonly interval: Interval | null }) => interval === null;
  return {
    termStart: at,
    periodStart: at,
    billedAt: at,
    fees: fees.filter(ofPeriod),
    adjustment,
    units: units.filter(ofPeriod),
    usage: new Map(),
    covered: new Map(),
  };
}

/**
 * Returns what the new term inherits in a switch (docs/billing.md#plan-switches).
 * @param at inside the term, or at its start
 */
export function carriedOverBySwitch(term: Term, at: Ms, transfers: boolean, billedAt: Ms): CarriedOver {
  const { carriedOver, start, prices, zone } = term;
  const none = new Map<string, Ms>();
  if (at === start) {
    const nothing = {
      termStart: at,
      periodStart: at,
      fees: [],
      adjustment: null,
      units: [],
      usage: none,
      covered: new Map(),
    };
    const { usage, covered, ...others } = carriedOver ?? nothing;
    const kept = transfers ? { usage, covered } : { usage: none, covered: new Map() };
    return { ...others, billedAt, ...kept };
  }
  const period = periodsOf(term).find(({ end }) => at < end)!;
  const windowAt = (interval: Interval | null) =>
    windowsOf(period, interval, term).find(({ end }) => at < end)!.start;
  // In `day` basis the day of a switch belongs to the new plan: a term whose first day it is has charged nothing.
  const hasZeroDays = term.basis === 'day' && localDay(at, zone) <= term.firstDay;
  const charged = hasZeroDays
    ? {
        fees: carriedOver?.fees ?? [],
        adjustment: carriedOver?.adjustment ?? null,
        units: carriedOver?.units ?? [],
      }
    : chargedOf(term, period, windowAt, at);
  const windows = prices.components.map((component): [string, Ms] => {
    const from = windowAt(resetOf(component));
    return [component.metric, from === start ? (carriedOver?.usage.get(component.metric) ?? start) : from];
  });
  const usage = transfers ? new Map(windows) : none;
  const covered = prices.components.map((component): [string, Rational] => {
    const window = windowsOf(period, resetOf(component), term).find(({ end }) => at < end)!;
    const earlier = window.start === start ? carriedOver?.covered.get(component.metric) : undefined;
    return [component.metric, plus(earlier ?? ZERO, unitsLeft(component, window, at, term))];
  });
  return {
    termStart: carriedOver?.termStart ?? start,
    periodStart: period.wholeStart,
    billedAt,
    ...charged,
    usage,
    // With `keep_separate` the usage of the new plan does not belong to these windows.
    covered: new Map(transfers ? covered : []),
  };
}

/**
 * Returns the prepaid units that remain in a window that a switch cuts: all of them when charged in full, otherwise
 * the share of the elapsed time.
 */
function unitsLeft(component: Component, { start, end, full }: Window, at: Ms, term: Term): Rational {
  const prepaid = component.prepaid_charge;
  const days = (to: Ms) => prorationFactor({ start, end: to }, full, term);
  if (!prepaid || days(at).n === 0n) return ZERO;
  const changes = term.units.filter(({ metric }) => metric === component.metric);
  const heldAt = (instant: Ms) =>
    decimal((changes.findLast((one) => one.at <= instant) ?? changes[0])!.units ?? '0');
  if (prepaid.charge_behavior === 'full') {
    return decimal((changes.findLast((one) => one.at < at) ?? changes[0])!.units ?? '0');
  }
  const cuts = changes.map((one) => one.at).filter((one) => one > start && one < at);
  const shares = [start, ...cuts].map((from, n) =>
    times(heldAt(from), prorationFactor({ start: from, end: cuts[n] ?? at }, full, term)),
  );
  return over(shares.reduce(plus, ZERO), days(end));
}
