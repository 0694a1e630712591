import { priceByTiers } from '../../src/pricing/tiers.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { PriceContent } from '../../src/pricing/price-content.js';
import type { Instant } from '../../src/kernel/instant.js';
import { fullPeriodOf, type Interval, type Period } from '../../src/kernel/period.js';
import {
  ZERO,
  add,
  isZero,
  maxQuantity,
  multiply,
  quantity,
  ratio,
  readExactText,
  subtract,
  type Quantity,
} from '../../src/kernel/quantity.js';
import type { Used } from '../support/pure-account.js';
import { cents, isCut, periodsOf, share, windows } from './periods-oracle.js';

/**
 * Computes the whole cost of a term or an add-on in minor units, billing period by billing period, from the
 * plan, the commands and the usage alone: without runs, charge keys, due dates or accounts. It is slow and
 * simple on purpose. Billing must come to the same amount, whenever its runs take place.
 */
export function costOf(runTerm: RunTerm, usage: readonly Used[]): { base: bigint; adjusted: bigint | null } {
  const { content } = runTerm;
  let base = costWithoutLength(runTerm);
  let adjusted: bigint | null = 0n;
  for (const [place, { period, full }] of periodsOf(runTerm).entries()) {
    const fees = content.recurringCharges.map((charge) => feeOf(charge, period, full, runTerm, place === 0));
    const used = content.components.map((component) => usageOf(component, period, full, runTerm, usage));
    const inPeriod = [...fees, ...used].reduce((sum, cost) => sum + cost, 0n);
    base += inPeriod;
    const withAdjustment = adjust(content, inPeriod, share(period, full, runTerm));
    adjusted = adjusted === null || withAdjustment === null ? null : adjusted + withAdjustment;
  }
  return { base, adjusted };
}

/**
 * Returns the fees of an add-on that is cancelled before it begins: `charge_full` charges each once
 * (docs/billing.md#charge-full).
 */
function costWithoutLength({ addon, cancelled, content, term }: RunTerm): bigint {
  if (!addon || term.start < term.end || cancelled?.flatFee !== 'charge_full') return 0n;
  const count = ratio(BigInt(addon.quantity), 1n);
  return content.recurringCharges.reduce(
    (sum, { amount }) => sum + cents(multiply(quantity(amount), count)),
    0n,
  );
}

export type Charge = PriceContent['recurringCharges'][number];
export type Component = PriceContent['components'][number];

/**
 * Computes a recurring charge (docs/billing.md#recurring-charges). A one-time add-on charges its fee for the
 * first window only.
 */
function feeOf(charge: Charge, period: Period, full: Period, runTerm: RunTerm, isFirst: boolean): bigint {
  const { addon, cancelled } = runTerm;
  if (addon?.once && !isFirst) return 0n;
  const amount = multiply(quantity(charge.amount), ratio(BigInt(addon?.quantity ?? 1), 1n));
  const all = windows(period, full, charge.resetInterval, runTerm);
  return (addon?.once ? all.slice(0, 1) : all).reduce((sum, { window, full: whole }) => {
    const said = (isCut(whole, full, runTerm) ? cancelled!.flatFee : null) ?? charge.behavior;
    if (said === 'refund') return sum;
    if (said === 'full' || said === 'charge_full') return sum + cents(amount);
    const upTo = (start: Instant, end: Instant) =>
      cents(multiply(amount, share({ start, end }, whole, runTerm)));
    const since = goesOnSince(charge, window, runTerm);
    return sum + upTo(since, window.end) - (since < window.start ? upTo(since, window.start) : 0n);
  }, 0n);
}

/**
 * Returns since when a fee is charged at its price: a term that begins inside a full period continues the
 * fees of the term before.
 */
export function goesOnSince(
  { amount, resetInterval }: Charge,
  { start }: Period,
  { term }: RunTerm,
): Instant {
  if (start !== term.start || resetInterval !== null) return start;
  const same = term.basis.continues?.fees.find((fee) => fee.amount === amount && fee.resetInterval === null);
  return same?.since ?? start;
}

/** Computes usage and prepaid units (docs/billing.md#usage, docs/billing.md#prepaid-units). */
function usageOf(
  component: Component,
  period: Period,
  full: Period,
  runTerm: RunTerm,
  usage: readonly Used[],
): bigint {
  const { tiers, volume, metricId, prepaid } = component;
  return windows(period, full, component.resetInterval, runTerm).reduce((sum, { window, full: whole }) => {
    const billedUpTo = billedTo(component, window, runTerm);
    const used = usage
      .filter(({ at, metricId: metric }) => metric === metricId && at >= window.start && at < billedUpTo)
      .reduce((total, { n }) => add(total, quantity(n)), ZERO);
    const bought = (at: Instant) =>
      priceByTiers(tiers, quantity(unitsBefore(component, runTerm, at)), volume);
    const latest = prepaid ? bought(window.end) : ZERO;
    const against = prepaid ? bought(billedUpTo) : ZERO;
    const ahead =
      prepaid?.behavior === 'prorate'
        ? unitsCost(component, window, whole, runTerm, (price) =>
            unitsGoOnSince(component, price, window, runTerm),
          )
        : cents(latest);
    const over = maxQuantity(subtract(priceByTiers(tiers, used, volume), against), ZERO);
    return sum + ahead + (billedUpTo > window.start ? cents(over) : 0n);
  }, 0n);
}

/**
 * Returns what prorated units cost in a window. The parts at the price that it begins with continue the rounding of what
 * was charged at this price before; the others are rounded together.
 * @param sinceOf returns since when the window is charged at a price
 */
export function unitsCost(
  component: Component,
  window: Period,
  full: Period,
  runTerm: RunTerm,
  sinceOf: (price: Quantity) => Instant,
): bigint {
  const parts = unitParts(component, window, runTerm).map((part) => ({
    part,
    price: priceByTiers(
      component.tiers,
      quantity(unitsBefore(component, runTerm, part.end)),
      component.volume,
    ),
  }));
  const [first] = parts;
  if (!first) return 0n;
  const since = sinceOf(first.price);
  const changed = parts.findIndex(({ price }) => !isZero(subtract(price, first.price)));
  const going = since < window.start ? (changed < 0 ? parts.length : changed) : 0;
  const upTo = (end: Instant) => cents(multiply(first.price, share({ start: since, end }, full, runTerm)));
  const continued = parts
    .slice(0, going)
    .reduce((sum, { part }) => sum + upTo(part.end) - upTo(part.start), 0n);
  const others = parts
    .slice(going)
    .map(({ part, price }) => multiply(price, share(part, full, runTerm)))
    .reduce(add, ZERO);
  return continued + cents(others);
}

/** Returns since when units are charged at a price: a renewal inside a full period continues those of the term before. */
export function unitsGoOnSince(
  { metricId, resetInterval }: Component,
  price: Quantity,
  { start }: Period,
  { term }: RunTerm,
): Instant {
  if (start !== term.start || resetInterval !== null) return start;
  const same = term.basis.continues?.units?.find(
    (units) => units.metricId === metricId && isZero(subtract(readExactText(units.amount), price)),
  );
  return same?.since ?? start;
}

/**
 * Returns the instant up to which usage of a window is billed: its end, or with `bill_none` the last date
 * that had come by the cancellation.
 */
function billedTo({ invoicingInterval }: Component, window: Period, runTerm: RunTerm): Instant {
  const { term, cancelled } = runTerm;
  if (cancelled?.usage !== 'bill_none') return window.end;
  const dates = invoicingInterval ? invoicingDates(runTerm, invoicingInterval) : boundaries(runTerm);
  if (dates.some((date) => date >= window.end && date <= term.end)) return window.end;
  const before = invoicingInterval ? dates.filter((date) => date < window.end) : [];
  return before.at(-1) ?? window.start;
}

const boundaries = (runTerm: RunTerm): Instant[] => periodsOf(runTerm).map(({ full }) => full.end);

function invoicingDates(runTerm: RunTerm, interval: Interval): Instant[] {
  const { start, end, basis } = runTerm.term;
  const full = fullPeriodOf(start, basis.zone, basis.duration, basis.anchor);
  return windows({ start, end }, full, interval, runTerm).map((cut) => cut.full.end);
}

const changesOf = ({ metricId }: Component, { prepaidChanges = [] }: RunTerm) =>
  prepaidChanges.filter((change) => change.metricId === metricId);

/**
 * Returns the units right before an instant. A renewal takes over the units of the term before; the term
 * itself holds only the latest.
 */
export function unitsBefore(component: Component, runTerm: RunTerm, at: Instant): string {
  const changes = changesOf(component, runTerm);
  const made = changes.findLast(({ effectiveAt }) => effectiveAt < at);
  const carried = runTerm.term.prepaidUnits?.find(({ metricId }) => metricId === component.metricId);
  return made?.units ?? changes[0]?.unitsBefore ?? carried?.units ?? component.prepaid!.units!;
}

/** Cuts a window at every change of its units. */
export function unitParts(component: Component, { start, end }: Period, runTerm: RunTerm): Period[] {
  const cuts = changesOf(component, runTerm)
    .map(({ effectiveAt }) => effectiveAt)
    .filter((at) => at > start && at < end);
  return [start, ...cuts].map((from, place) => ({ start: from, end: cuts[place] ?? end }));
}

/** Applies the price adjustment; returns null if the result depends on the split of the base into lines. */
function adjust({ priceAdjustment }: PriceContent, base: bigint, part: Quantity): bigint | null {
  if (priceAdjustment === null || base === 0n) return base;
  const amount = cents(multiply(quantity(priceAdjustment.amount), part));
  switch (priceAdjustment.type) {
    case 'percentage':
      return null;
    case 'fixed':
      return base + amount < 0n ? 0n : base + amount;
    case 'price_override':
      return amount;
  }
}
