import { localDay, type Interval, type Ms } from './calendar.js';
import type { Component } from './history.js';
import { ZERO, compare, decimal, over, plus, times, type Rational } from './rational.js';
import {
  periodsOf,
  resetOf,
  shareOf,
  windowsOf,
  type Period,
  type TakenOver,
  type Term,
  type Window,
} from './terms.js';

/** Since when a prorated fee is charged at its price: each goes on with one of the same price and interval. */
export function feeSince(place: number, { prices, before, start }: Term): Ms {
  const charge = prices.recurring_charges[place]!;
  const reset = JSON.stringify(resetOf(charge));
  const isLike = (amount: string, interval: Interval | null) =>
    compare(decimal(amount), decimal(charge.amount)) === 0 && JSON.stringify(interval) === reset;
  const earlier = prices.recurring_charges
    .slice(0, place)
    .filter((one) => one.charge_behavior === 'prorate' && isLike(one.amount, resetOf(one))).length;
  return before?.fees.filter((fee) => isLike(fee.amount, fee.interval))[earlier]?.since ?? start;
}

/** The same of an adjustment that is given once per billing period. */
export function adjustmentSince({ prices, before, start }: Term): Ms {
  const said = prices.price_adjustment;
  const same = before?.adjustment;
  const isSame =
    said?.price_adjustment_type === same?.type &&
    said !== null &&
    compare(decimal(said.price_adjustment_amount), decimal(same!.amount)) === 0;
  return isSame ? same!.since : start;
}

/** What is charged of a running period, and since when. */
function chargedOf(
  term: Term,
  period: Period,
  windowAt: (interval: Interval | null) => Ms,
): Pick<TakenOver, 'fees' | 'adjustment'> {
  const { prices, start } = term;
  const fees = prices.recurring_charges.flatMap((charge, place) => {
    if (charge.charge_behavior !== 'prorate') return [];
    const [interval, from] = [resetOf(charge), windowAt(resetOf(charge))];
    return [{ amount: charge.amount, interval, since: from === start ? feeSince(place, term) : from }];
  });
  const said = prices.price_adjustment;
  const since = period.start === start ? adjustmentSince(term) : period.start;
  const adjustment = said && {
    type: said.price_adjustment_type,
    amount: said.price_adjustment_amount,
    since,
  };
  return { fees, adjustment };
}

/** After an end that was set inside a period the rest of it follows: what is measured by the period goes on. */
export function insidePeriod(term: Term): TakenOver | null {
  const period = periodsOf(term).at(-1)!;
  if (period.end === period.full.end) return null;
  const { end: at } = term;
  const { fees, adjustment } = chargedOf(term, period, () => period.start);
  const measured = fees.filter(({ interval }) => interval === null);
  if (measured.length === 0 && adjustment === null) return null;
  return {
    termStart: at,
    periodStart: at,
    billedAt: at,
    fees: measured,
    adjustment,
    usage: new Map(),
    covered: new Map(),
  };
}

/** What a switch hands on (docs/billing.md#plan-switches). @param at inside the term, or at its start */
export function handedOn(term: Term, at: Ms, transfers: boolean, billedAt: Ms): TakenOver {
  const { before, start, prices, zone } = term;
  const none = new Map<string, Ms>();
  if (at === start) {
    const nothing = {
      termStart: at,
      periodStart: at,
      fees: [],
      adjustment: null,
      usage: none,
      covered: new Map(),
    };
    const { usage, covered, ...others } = before ?? nothing;
    const kept = transfers ? { usage, covered } : { usage: none, covered: new Map() };
    return { ...others, billedAt, ...kept };
  }
  const period = periodsOf(term).find(({ end }) => at < end)!;
  const windowAt = (interval: Interval | null) =>
    windowsOf(period, interval, term).find(({ end }) => at < end)!.start;
  // In `day` basis the day of a switch is the new plan's: one that began on that day has charged nothing.
  const hasNoDay = term.basis === 'day' && localDay(start, zone) === localDay(at, zone);
  const charged = hasNoDay
    ? { fees: before?.fees ?? [], adjustment: before?.adjustment ?? null }
    : chargedOf(term, period, windowAt);
  const windows = prices.components.map((component): [string, Ms] => {
    const from = windowAt(resetOf(component));
    return [component.metric, from === start ? (before?.usage.get(component.metric) ?? start) : from];
  });
  const usage = transfers ? new Map(windows) : none;
  const covered = prices.components.map((component): [string, Rational] => {
    const window = windowsOf(period, resetOf(component), term).find(({ end }) => at < end)!;
    const earlier = window.start === start ? before?.covered.get(component.metric) : undefined;
    return [component.metric, plus(earlier ?? ZERO, unitsLeft(component, window, at, term))];
  });
  return {
    termStart: before?.termStart ?? start,
    periodStart: period.wholeStart,
    billedAt,
    ...charged,
    usage,
    // Kept separate, the new plan's usage is no usage of that window.
    covered: new Map(transfers ? covered : []),
  };
}

/** Units that stay paid for in the window that a switch cuts: all that are charged in full, of others the share of time. */
function unitsLeft(component: Component, { start, end, full }: Window, at: Ms, term: Term): Rational {
  const prepaid = component.prepaid_charge;
  const days = (to: Ms) => shareOf({ start, end: to }, full, term);
  if (!prepaid || days(at).n === 0n) return ZERO;
  const changes = term.units.filter(({ metric }) => metric === component.metric);
  const heldAt = (instant: Ms) =>
    decimal((changes.findLast((one) => one.at <= instant) ?? changes[0])!.units ?? '0');
  if (prepaid.charge_behavior === 'full') {
    return decimal((changes.findLast((one) => one.at < at) ?? changes[0])!.units ?? '0');
  }
  const cuts = changes.map((one) => one.at).filter((one) => one > start && one < at);
  const shares = [start, ...cuts].map((from, n) =>
    times(heldAt(from), shareOf({ start: from, end: cuts[n] ?? at }, full, term)),
  );
  return over(shares.reduce(plus, ZERO), days(end));
}
