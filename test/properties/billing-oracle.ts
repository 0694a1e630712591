import { rate } from '../../src/billing/rating/tiers.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { PriceContent } from '../../src/catalog/domain/price-content.js';
import { earliest, toMicros } from '../../src/kernel/instant.js';
import { fractionOf, fullPeriodOf, windowsOf } from '../../src/kernel/period.js';
import type { Interval, Period } from '../../src/kernel/period.js';
import {
  ZERO,
  add,
  multiply,
  quantity,
  roundHalfAwayFromZero,
  ratio,
  subtract,
  maxQuantity,
} from '../../src/kernel/quantity.js';
import type { Quantity } from '../../src/kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../../src/kernel/zone.js';
import type { Used } from '../support/pure-account.js';

/**
 * What a term costs in all, billing period by billing period in minor units, from the plan and the usage alone: no
 * runs, keys, dates or accounts. Slow and plain on purpose; the engine must come to the same, however it was run.
 */
export function costOf(runTerm: RunTerm, usage: readonly Used[]): { base: bigint; adjusted: bigint | null } {
  const { content } = runTerm;
  let base = 0n;
  let adjusted: bigint | null = 0n;
  for (const { period, full } of periodsOf(runTerm)) {
    const inPeriod =
      content.recurringCharges.reduce((sum, charge) => sum + feeOf(charge, period, full, runTerm), 0n) +
      content.components.reduce(
        (sum, component) => sum + usageOf(component, period, full, runTerm, usage),
        0n,
      );
    base += inPeriod;
    const withAdjustment = adjust(content, inPeriod, share(period, full, runTerm));
    adjusted = adjusted === null || withAdjustment === null ? null : adjusted + withAdjustment;
  }
  return { base, adjusted };
}

type Charge = PriceContent['recurringCharges'][number];
type Component = PriceContent['components'][number];

const cents = (exact: Quantity): bigint => roundHalfAwayFromZero(multiply(exact, ratio(100n, 1n)));

function periodsOf({ term }: RunTerm): { period: Period; full: Period }[] {
  const { zone, duration, anchor } = term.basis;
  const periods = [];
  for (let start = term.start; start < term.end;) {
    const full = fullPeriodOf(start, zone, duration, anchor);
    const end = earliest(full.end, term.end);
    periods.push({ period: { start, end }, full });
    start = end;
  }
  return periods;
}

function windows(period: Period, full: Period, interval: Interval | null, { term }: RunTerm) {
  const { zone, anchor } = term.basis;
  if (interval === null) return [{ window: period, full }];
  // A period that begins with its full period begins on the anchor's day, also where the month is too short for it.
  const onAnchor =
    localDateOf(period.start, zone).day === localDateOf(full.start, zone).day && sameDay(period, full, zone);
  return windowsOf(period, zone, interval, period.start, onAnchor ? anchor.day : undefined);
}

const sameDay = (a: Period, b: Period, zone: string): boolean =>
  startOfLocalDay(localDateOf(a.start, zone), zone) === startOfLocalDay(localDateOf(b.start, zone), zone);

function share(segment: Period, full: Period, { term }: RunTerm): Quantity {
  const { prorationBasis, zone } = term.basis;
  const endsInside =
    segment.end === term.end && startOfLocalDay(localDateOf(term.end, zone), zone) !== term.end;
  if (prorationBasis === 'day') {
    return fractionOf(segment, full, 'day', zone, { endDay: endsInside ? 'used' : 'next' });
  }
  return ratio(toMicros(segment.end) - toMicros(segment.start), toMicros(full.end) - toMicros(full.start));
}

function feeOf(charge: Charge, period: Period, full: Period, runTerm: RunTerm): bigint {
  return windows(period, full, charge.resetInterval, runTerm).reduce((sum, part) => {
    const fraction = charge.behavior === 'full' ? ratio(1n, 1n) : share(part.window, part.full, runTerm);
    return sum + cents(multiply(quantity(charge.amount), fraction));
  }, 0n);
}

function usageOf(
  { tiers, volume, metricId, prepaid, resetInterval }: Component,
  period: Period,
  full: Period,
  runTerm: RunTerm,
  usage: readonly Used[],
): bigint {
  const bought = prepaid ? rate(tiers, quantity(prepaid.units!), volume) : ZERO;
  return windows(period, full, resetInterval, runTerm).reduce((sum, part) => {
    const used = usage
      .filter(
        ({ at, metricId: metric }) => metric === metricId && at >= part.window.start && at < part.window.end,
      )
      .reduce((total, { n }) => add(total, quantity(n)), ZERO);
    const ahead =
      prepaid?.behavior === 'prorate' ? multiply(bought, share(part.window, part.full, runTerm)) : bought;
    return sum + cents(ahead) + cents(maxQuantity(subtract(rate(tiers, used, volume), bought), ZERO));
  }, 0n);
}

/** Null where it depends on how the base was split into lines. */
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
