import type { PlanComponent, PriceContent } from './price-content.js';
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
import type { Continuation, MovedUsage, SwitchTerms, Term } from '../subscription/domain/events.js';
import type { PrepaidChange } from '../subscription/domain/prepaid-changes.js';
import type { Subscription } from '../subscription/domain/subscription-state.js';
import { billingPeriodsOf, lastPeriodOf, resetWindowsOf } from './billing-periods.js';
import { unitsKept } from './prepaid-units.js';

/**
 * What of a term that a switch ends goes on in its successor (docs/billing.md#plan-switches).
 * @param content the prices of the term
 * @param at the instant of the switch, inside the term or at its start
 */
export function continuationOf(
  term: Term,
  content: PriceContent,
  at: Instant,
  { usage, billedAt, prepaidChanges = [] }: Switched,
): Continuation {
  const transfers = usage === 'transfer_to_new_subscription';
  const inherited = term.basis.continues;
  if (at === term.start) {
    const nothing = { termStart: at, periodStart: at, fees: [], adjustment: null, usage: [] };
    const { usage: moving, ...others } = inherited ?? nothing;
    return { ...others, billedAt, usage: transfers ? moving : [] };
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
          movedUsage(component, cutAt(component.resetInterval), { term, prepaidChanges }, at),
        ),
  };
}

interface Switched extends Pick<SwitchTerms, 'usage'> {
  readonly billedAt: Instant;
  readonly prepaidChanges?: readonly PrepaidChange[];
}

/** The running window of a component, with the units that were bought for it before. */
function movedUsage(
  component: PlanComponent,
  cut: CutWindow,
  { term, prepaidChanges }: Pick<Subscription, 'term' | 'prepaidChanges'>,
  at: Instant,
): MovedUsage {
  const { metricId } = component;
  const isFirst = cut.window.start === term.start;
  const since = isFirst ? usageSince(metricId, term) : cut.window.start;
  const before = isFirst ? coveredUnits(metricId, since, term) : ZERO;
  const ended = { term: { ...term, end: at }, cut: 'switched' as const, prepaidChanges };
  const covered = add(before, unitsKept(component, cut, ended, at));
  return { metricId, since, ...(!isZero(covered) && { covered: exactText(covered) }) };
}

/** Units that an earlier plan was paid for and that cover the usage of a window which a switch moved. */
export function coveredUnits(metricId: string, since: Instant, { basis }: Pick<Term, 'basis'>): Quantity {
  const moved = basis.continues?.usage.find((one) => one.metricId === metricId && one.since === since);
  return moved?.covered === undefined ? ZERO : readExactText(moved.covered);
}

/**
 * What of a term whose end was set inside a period goes on in its renewal: the fees and the adjustment that are measured
 * against that period, so that their pieces sum to their price. Everything else begins anew. Undefined when nothing does.
 */
export function renewedInside(term: Term, content: PriceContent): Continuation | undefined {
  const { end } = term;
  const period = lastPeriodOf(term);
  if (period.end === period.full.end) return undefined;
  const { fees, adjustment } = pricedSince(term, content, period, () => period.start);
  const measured = fees.filter(({ resetInterval }) => resetInterval === null);
  if (measured.length === 0 && adjustment === null) return undefined;
  return { termStart: end, periodStart: end, billedAt: end, fees: measured, adjustment, usage: [] };
}

/** What is charged of a running period, and since when at its price. */
function pricedSince(
  term: Term,
  content: PriceContent,
  period: Period,
  windowAt: (interval: Interval | null) => Instant,
): Pick<Continuation, 'fees' | 'adjustment'> {
  return {
    fees: content.recurringCharges.flatMap((charge, index) => {
      if (charge.behavior !== 'prorate') return [];
      const { amount, resetInterval } = charge;
      const from = windowAt(resetInterval);
      const since = from === term.start ? feeSince(index, content, term) : from;
      return [{ amount, resetInterval, since }];
    }),
    adjustment: content.priceAdjustment && {
      type: content.priceAdjustment.type,
      amount: content.priceAdjustment.amount,
      since: period.start === term.start ? adjustmentSince(content, term) : period.start,
    },
  };
}

/** In `day` basis the day of a switch belongs to the new plan: a plan begun on that day has none. */
const hasNoDay = ({ start, basis: { prorationBasis, zone } }: Term, at: Instant): boolean =>
  prorationBasis === 'day' && localDateText(start, zone) === localDateText(at, zone);

type Measured = Pick<Term, 'start' | 'basis'>;

/**
 * Since when the running window of a prorated fee is charged at its price, of the window that a term begins in: before
 * the term where a fee of the term before had the same price, each of those going on in one fee.
 * @param index of the fee in `content`
 */
export function feeSince(index: number, content: PriceContent, { start, basis }: Measured): Instant {
  const before = basis.continues?.fees ?? [];
  const isLike = (a: Pick<Priced, 'amount' | 'resetInterval'>) => (b: Priced) =>
    compareQuantities(quantity(a.amount), quantity(b.amount)) === 0 &&
    a.resetInterval?.unit === b.resetInterval?.unit &&
    a.resetInterval?.count === b.resetInterval?.count;
  const fee = content.recurringCharges[index]!;
  const own = content.recurringCharges.slice(0, index).filter(({ behavior }) => behavior === 'prorate');
  const place = own.filter(isLike(fee)).length;
  return before.filter(isLike(fee))[place]?.since ?? start;
}

type Priced = Pick<Continuation['fees'][number], 'amount' | 'resetInterval'>;

/** The same of a price adjustment that is given once per billing period. */
export function adjustmentSince({ priceAdjustment: own }: PriceContent, { start, basis }: Measured): Instant {
  const before = basis.continues?.adjustment;
  const same =
    own &&
    before?.type === own.type &&
    compareQuantities(quantity(before.amount), quantity(own.amount)) === 0;
  return same ? before.since : start;
}

/** Where the window of a metric begins that a term begins in: before the term where its usage was transferred. */
export const usageSince = (metricId: string, { start, basis }: Measured): Instant =>
  basis.continues?.usage.find((moved) => moved.metricId === metricId)?.since ?? start;
