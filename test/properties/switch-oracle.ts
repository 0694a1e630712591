import { priceByTiers } from '../../src/pricing/tiers.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { Instant } from '../../src/kernel/instant.js';
import { earliest, latest } from '../../src/kernel/instant.js';
import type { Interval, Period } from '../../src/kernel/period.js';
import {
  ZERO,
  add,
  divide,
  isZero,
  maxQuantity,
  multiply,
  quantity,
  subtract,
  type Quantity,
} from '../../src/kernel/quantity.js';
import { localDateText } from '../../src/kernel/zone.js';
import type { Used } from '../support/pure-account.js';
import {
  costOf,
  goesOnSince,
  unitParts,
  unitsBefore,
  unitsCost,
  unitsGoOnSince,
  type Charge,
  type Component,
} from './billing-oracle.js';
import { cents, countedAt, isCut, periodsOf, share, windows } from './periods-oracle.js';

/**
 * Computes the whole cost of a subscription that was switched from plan to plan, in minor units. The time
 * line is cut into the periods and windows of one single plan, and each of them into the parts of the plans
 * (docs/billing.md#cumulative-rounding, docs/billing.md#plan-switches). As in `costOf` there are no runs and
 * no charge keys.
 * @param plans the terms in order; one of zero length bills nothing
 */
export function costOfSwitched(plans: readonly RunTerm[], usage: readonly Used[]): bigint {
  const had = plans.filter(({ term }) => term.start < term.end);
  if (had.length <= 1) return had.reduce((sum, only) => sum + costOf(only, usage).base, 0n);
  const line = new TimeLine(had, usage);
  return had.reduce(
    (sum, { content }, place) =>
      content.components.reduce(
        (so, component) => so + line.unitsOf(component, place) + line.usageOf(component, place),
        content.recurringCharges.reduce((so, charge) => so + line.feeOf(charge, place), sum),
      ),
    0n,
  );
}

/** Window of the time line, and the part of it that one plan had. */
interface Part {
  readonly window: Period;
  readonly full: Period;
  readonly ofPeriod: Period;
  readonly segment: Period;
}

/** Usage of a window on one plan, whether a later plan bills it, and the units that cover it. */
interface UsagePart {
  readonly segment: Period;
  readonly goesOn: boolean;
  readonly covered: Quantity;
}

class TimeLine {
  private readonly whole: RunTerm;

  constructor(
    private readonly plans: readonly RunTerm[],
    private readonly usage: readonly Used[],
  ) {
    const first = plans[0]!;
    this.whole = { ...first, term: { ...first.term, end: plans.at(-1)!.term.end } };
  }

  /**
   * Returns what a charge costs on one plan. With `full` that is the charge itself; prorated it is the price
   * of all consecutive parts at one price, less the parts before.
   */
  feeOf(charge: Charge, place: number): bigint {
    const plan = this.plans[place]!;
    return this.partsOf(charge.resetInterval, plan).reduce((sum, { segment, full, ofPeriod, window }) => {
      const said = (isCut(full, ofPeriod, plan) ? plan.cancelled!.flatFee : null) ?? charge.behavior;
      const amount = quantity(charge.amount);
      if (said === 'refund' || hasNoDay(segment, full, plan)) return sum;
      if (said === 'full' || said === 'charge_full') return sum + cents(amount);
      const upTo = (start: Instant, end: Instant) =>
        cents(multiply(amount, share({ start, end }, full, plan)));
      const since =
        charge.behavior === 'prorate' ? this.sinceOf(charge, place, segment, window) : segment.start;
      return sum + upTo(since, segment.end) - (since < segment.start ? upTo(since, segment.start) : 0n);
    }, 0n);
  }

  /** Returns what the prepaid units of a plan cost. Prorated ones continue those of the plan before at the same price. */
  unitsOf(component: Component, place: number): bigint {
    const { prepaid, resetInterval, tiers, volume } = component;
    const plan = this.plans[place]!;
    if (!prepaid) return 0n;
    const bought = (at: Instant) => priceByTiers(tiers, quantity(unitsBefore(component, plan, at)), volume);
    return this.partsOf(resetInterval, plan).reduce((sum, { segment, full, window }) => {
      if (prepaid.behavior === 'full')
        return hasNoDay(segment, full, plan) ? sum : sum + cents(bought(segment.end));
      const sinceOf = (price: Quantity) => this.unitsSinceOf(component, price, place, segment, window);
      return sum + unitsCost(component, segment, full, plan, sinceOf);
    }, 0n);
  }

  /** Returns since when a part of a window that begins with units at this price is charged at it, over plans. */
  private unitsSinceOf(
    component: Component,
    price: Quantity,
    place: number,
    { start }: Period,
    window: Period,
  ): Instant {
    const plan = this.plans[place]!;
    if (start !== plan.term.start) return start;
    if (place === 0) return unitsGoOnSince(component, price, window, plan);
    let before = place - 1;
    while (before >= 0 && isOfOneDay(this.plans[before]!)) before -= 1;
    const former = this.plans[before];
    const same = former?.content.components.find(
      ({ metricId, resetInterval, prepaid }) =>
        metricId === component.metricId &&
        prepaid?.behavior === 'prorate' &&
        isSameInterval(resetInterval, component.resetInterval),
    );
    if (!former || !same) return start;
    const segment = { start: latest(window.start, former.term.start), end: former.term.end };
    const parts = unitParts(same, segment, former).map((part) => ({
      part,
      isAtPrice: isZero(
        subtract(priceByTiers(same.tiers, quantity(unitsBefore(same, former, part.end)), same.volume), price),
      ),
    }));
    const first = parts.findLastIndex(({ isAtPrice }) => !isAtPrice) + 1;
    if (first === parts.length) return start;
    if (first > 0) return parts[first]!.part.start;
    return this.unitsSinceOf(same, price, before, segment, window);
  }

  /**
   * Returns what usage costs on one plan. The last plan that usage was transferred to rates it; without a
   * transfer, each plan rates its own.
   */
  usageOf(component: Component, place: number): bigint {
    const { tiers, volume, metricId } = component;
    const plan = this.plans[place]!;
    return this.usageParts(component, place).reduce((sum, { segment, goesOn, covered }) => {
      if (goesOn) return sum;
      const used = this.usage
        .filter(({ at, metricId: of }) => of === metricId && at >= segment.start && at < segment.end)
        .reduce((total, { n }) => add(total, quantity(n)), ZERO);
      if (!component.prepaid)
        return sum + cents(priceByTiers(tiers, maxQuantity(subtract(used, covered), ZERO), volume));
      const paid = priceByTiers(tiers, quantity(unitsBefore(component, plan, segment.end)), volume);
      return sum + cents(maxQuantity(subtract(priceByTiers(tiers, used, volume), paid), ZERO));
    }, 0n);
  }

  private usageParts(component: Component, place: number): UsagePart[] {
    const { metricId, resetInterval } = component;
    const plan = this.plans[place]!;
    const next = this.plans[place + 1];
    const moves =
      plan.switched?.usage === 'transfer_to_new_subscription' &&
      next?.content.components.some((component) => component.metricId === metricId);
    const before = this.plans[place - 1];
    const same = before?.content.components.find((other) => other.metricId === metricId);
    const open = same && this.usageParts(same, place - 1).find(({ goesOn }) => goesOn);
    return this.partsOf(resetInterval, plan).map((part) => {
      const inherited = part.segment.start === plan.term.start ? open : undefined;
      const goesOn = Boolean(moves) && part.window.end > plan.term.end;
      const kept = goesOn ? this.unitsKept(component, part, plan) : ZERO;
      return {
        segment: { ...part.segment, start: inherited?.segment.start ?? part.segment.start },
        goesOn,
        covered: add(inherited?.covered ?? ZERO, kept),
      };
    });
  }

  /**
   * Returns the units that cover usage (docs/billing.md#prepaid-units-after-a-switch). With `full` these are
   * all units of the window that a switch cuts; prorated, the share whose price is kept.
   */
  private unitsKept(component: Component, { segment, full }: Part, plan: RunTerm): Quantity {
    const { prepaid, resetInterval } = component;
    if (!prepaid || hasNoDay(segment, full, plan)) return ZERO;
    const units = (at: Instant) => quantity(unitsBefore(component, plan, at));
    if (prepaid.behavior === 'full') return units(segment.end);
    const asPlanned = { ...this.whole, term: { ...this.whole.term, end: plan.switched!.successor.end } };
    const { window } = periodsOf(asPlanned)
      .flatMap((one) => windows(one.period, one.full, resetInterval, asPlanned))
      .find((one) => one.window.start <= segment.start && segment.start < one.window.end)!;
    const held = unitParts(component, segment, plan)
      .map((part) => multiply(units(part.end), share(part, full, plan)))
      .reduce(add, ZERO);
    return divide(held, share({ start: segment.start, end: window.end }, full, asPlanned));
  }

  /**
   * Returns since when a fee is charged in this window at its price. Of several fees at one price the nth
   * continues the nth.
   */
  private sinceOf(charge: Charge, place: number, { start }: Period, window: Period): Instant {
    const plan = this.plans[place]!;
    if (start !== plan.term.start) return start;
    if (place === 0) return countedAt(goesOnSince(charge, window, plan), plan);
    return this.sinceOfLike(charge, nth(charge, plan), place, window) ?? start;
  }

  private sinceOfLike(charge: Charge, n: number, place: number, window: Period): Instant | undefined {
    const before = this.plans[place - 1];
    if (!before) return undefined;
    if (isOfOneDay(before)) return this.sinceOfLike(charge, n, place - 1, window);
    const like = likeOf(charge, before)[n];
    if (!like) return undefined;
    const from = latest(window.start, before.term.start);
    return this.sinceOf(like, place - 1, { start: from, end: from }, window);
  }

  private partsOf(interval: Interval | null, { term }: RunTerm): Part[] {
    return periodsOf(this.whole)
      .flatMap(({ period, full: ofPeriod }) =>
        windows(period, ofPeriod, interval, this.whole).map((cut) => ({ ...cut, ofPeriod })),
      )
      .map(({ window, full, ofPeriod }) => ({
        window,
        full,
        ofPeriod,
        segment: { start: latest(window.start, term.start), end: earliest(window.end, term.end) },
      }))
      .filter(({ segment }) => segment.start < segment.end);
  }
}

const likeOf = ({ amount, resetInterval }: Charge, { content }: RunTerm): Charge[] =>
  content.recurringCharges.filter(
    (other) =>
      other.behavior === 'prorate' &&
      isZero(subtract(quantity(other.amount), quantity(amount))) &&
      isSameInterval(other.resetInterval, resetInterval),
  );

const isSameInterval = (a: Interval | null, b: Interval | null): boolean =>
  a?.unit === b?.unit && a?.count === b?.count;

const nth = (charge: Charge, plan: RunTerm): number => likeOf(charge, plan).indexOf(charge);

/** Returns whether a term has no day of its own: with `day` basis the day of a switch is the new plan's. */
const isOfOneDay = (plan: RunTerm): boolean => {
  const { start, end, basis } = plan.term;
  const dayOf = (at: Instant) => localDateText(countedAt(at, plan), basis.zone);
  return basis.prorationBasis === 'day' && dayOf(start) === dayOf(end);
};

const hasNoDay = (segment: Period, full: Period, plan: RunTerm): boolean =>
  plan.endedBy === 'switched' && segment.end === plan.term.end && isZero(share(segment, full, plan));
