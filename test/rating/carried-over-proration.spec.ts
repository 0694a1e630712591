import { describe, expect, it } from '@jest/globals';
import {
  adjustmentSince,
  carriedOverAtSwitch,
  feeSince,
  carriedOverAtRenewal,
  unitsSince,
  usageSince,
} from '../../src/pricing/carried-over-proration.js';
import type {
  PriceAdjustment,
  PriceContent,
  CarriedOverProration,
  PrepaidChange,
} from '../../src/pricing/price-content.js';
import { quantity } from '../../src/kernel/quantity.js';
import { instant } from '../../src/kernel/instant.js';
import type { Term } from '../../src/subscription/domain/events.js';
import {
  MONTH,
  WEEK,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  perUnit,
  type TermChanges,
} from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const FIRST = instant('2026-01-01');
const TENTH = instant('2026-01-10');
const MIDDLE = instant('2026-01-16');
const FEBRUARY = instant('2026-02-01');
const fixed = (amount: string): PriceAdjustment => ({
  name: 'adjustment',
  description: null,
  type: 'fixed',
  amount,
});
const { metricId: calls } = aComponent();
const { metricId: seats } = aComponent({ metricName: 'seats' });
const content = aContent({
  recurringCharges: [
    aCharge(),
    aCharge({ amount: '7.00', resetInterval: WEEK }),
    aCharge({ behavior: 'full' }),
  ],
  components: [aComponent(), aComponent({ metricName: 'seats', resetInterval: WEEK })],
  priceAdjustment: fixed('-4.00'),
});

const TRANSFER = { usage: 'transfer_to_new_subscription', billedAt: FEBRUARY } as const;
const SEPARATE = { usage: 'keep_separate', billedAt: FEBRUARY } as const;

/** Returns a term that a switch began inside January, with what it took over from a term since January 1. */
function taking(over: Partial<CarriedOverProration>, changes: TermChanges = {}): Term {
  const { term } = aTerm(content, { end: '2026-03-01', ...changes });
  return switchedInto(term, TENTH, over);
}

describe('what a switch takes over (docs/billing.md#plan-switches)', () => {
  const term = () => aTerm(content, { end: '2026-03-01' }).term;

  it('is where the term, its running period and its running windows began, and the prices since then', () => {
    expect(carriedOverAtSwitch(term(), content, MIDDLE, TRANSFER)).toEqual({
      termStart: FIRST,
      periodStart: FIRST,
      billedAt: FEBRUARY,
      fees: [
        { amount: '30.00', resetInterval: null, since: FIRST },
        { amount: '7.00', resetInterval: WEEK, since: instant('2026-01-15') },
      ],
      adjustment: { type: 'fixed', amount: '-4.00', since: FIRST },
      usage: [
        { metricId: calls, since: FIRST },
        { metricId: seats, since: instant('2026-01-15') },
      ],
    });
  });

  it('in a later billing period is counted from that', () => {
    const at = instant('2026-02-10');
    expect(carriedOverAtSwitch(term(), content, at, SEPARATE)).toEqual({
      termStart: FIRST,
      periodStart: FEBRUARY,
      billedAt: FEBRUARY,
      fees: [
        { amount: '30.00', resetInterval: null, since: FEBRUARY },
        { amount: '7.00', resetInterval: WEEK, since: instant('2026-02-08') },
      ],
      adjustment: { type: 'fixed', amount: '-4.00', since: FEBRUARY },
      usage: [],
    });
  });

  it('at a boundary of periods and windows belongs to the one that begins there', () => {
    expect(carriedOverAtSwitch(term(), content, FEBRUARY, TRANSFER).periodStart).toBe(FEBRUARY);
    const at = instant('2026-01-15');
    const { fees, usage } = carriedOverAtSwitch(term(), content, at, TRANSFER);
    expect([fees[1]!.since, usage[1]!.since]).toEqual([at, at]);
  });

  it('after another switch continues what that switch took over, while the price is the same', () => {
    const taken = taking({
      fees: [
        { amount: '30', resetInterval: null, since: FIRST },
        { amount: '8.00', resetInterval: WEEK, since: FIRST },
      ],
      adjustment: { type: 'fixed', amount: '-4', since: FIRST },
      usage: [{ metricId: calls, since: FIRST }],
    });
    const at = instant('2026-01-11');
    const found = carriedOverAtSwitch(taken, content, at, TRANSFER);
    expect(found).toMatchObject({ termStart: FIRST, periodStart: FIRST });
    expect(found.fees.map(({ since }) => since)).toEqual([FIRST, TENTH]);
    expect(found.adjustment?.since).toBe(FIRST);
    expect(found.usage.map(({ since }) => since)).toEqual([FIRST, TENTH]);
  });

  it('of a term without a length is what that had taken over itself', () => {
    const over = {
      fees: [{ amount: '9.00', resetInterval: null, since: FIRST }],
      adjustment: { type: 'fixed', amount: '-1', since: FIRST },
      usage: [{ metricId: calls, since: FIRST }],
    };
    const inherited = { termStart: FIRST, periodStart: FIRST, billedAt: FEBRUARY, ...over };
    expect(carriedOverAtSwitch(taking(over), content, TENTH, TRANSFER)).toEqual(inherited);
    expect(carriedOverAtSwitch(taking(over), content, TENTH, SEPARATE)).toEqual({ ...inherited, usage: [] });
    const nothing = { termStart: FIRST, periodStart: FIRST, fees: [], adjustment: null, usage: [] };
    expect(carriedOverAtSwitch(term(), content, FIRST, TRANSFER)).toEqual({ ...nothing, billedAt: FEBRUARY });
  });

  it('in day basis of a plan that was left on the day it began is what that had taken over', () => {
    const over = {
      fees: [{ amount: '9.00', resetInterval: null, since: FIRST }],
      adjustment: { type: 'fixed', amount: '-1', since: FIRST },
    };
    const late = instant('2026-01-10T23:59:59Z');
    const daily = taking(over, { prorationBasis: 'day' });
    expect(carriedOverAtSwitch(daily, content, late, SEPARATE)).toMatchObject(over);
    const [fee] = carriedOverAtSwitch(taking(over), content, late, SEPARATE).fees;
    expect(fee).toEqual({ amount: '30.00', resetInterval: null, since: TENTH });
    const next = carriedOverAtSwitch(daily, content, instant('2026-01-11'), SEPARATE);
    expect(next.fees[0]).toEqual(fee);
    const { term: first } = aTerm(content, { prorationBasis: 'day' });
    const soon = carriedOverAtSwitch(first, content, instant('2026-01-01T01:00:00Z'), SEPARATE);
    expect(soon).toMatchObject({ fees: [], adjustment: null });
  });
});

describe('since when a running window is charged at its price', () => {
  const sinceOf = (fees: CarriedOverProration['fees'], index: number, prices: PriceContent = content) =>
    feeSince(index, prices, taking({ fees }));
  const fee = (
    amount: string,
    resetInterval: CarriedOverProration['fees'][number]['resetInterval'] = null,
  ) => ({
    amount,
    resetInterval,
    since: FIRST,
  });

  it('is since the term before, for a fee of the same amount and the same windows', () => {
    expect(sinceOf([fee('30')], 0)).toBe(FIRST);
    expect(sinceOf([fee('30.01')], 0)).toBe(TENTH);
    expect(sinceOf([fee('7', WEEK)], 1)).toBe(FIRST);
    expect(sinceOf([fee('7', MONTH)], 1)).toBe(TENTH);
    expect(sinceOf([fee('7', { unit: 'week', count: 2 })], 1)).toBe(TENTH);
    expect(sinceOf([fee('7')], 1)).toBe(TENTH);
    expect(sinceOf([fee('30', WEEK)], 0)).toBe(TENTH);
    expect(feeSince(0, content, aTerm(content).term)).toBe(FIRST);
  });

  it('is each fee’s own where several are alike, in their order', () => {
    const full = aCharge({ behavior: 'full' });
    const twice = aContent({ recurringCharges: [full, aCharge(), aCharge({ amount: '5' }), aCharge()] });
    const before = [fee('5'), fee('30'), { ...fee('30'), since: instant('2026-01-05') }];
    expect(sinceOf(before, 1, twice)).toBe(FIRST);
    expect(sinceOf(before, 3, twice)).toBe(instant('2026-01-05'));
    expect(sinceOf(before.slice(0, 2), 3, twice)).toBe(TENTH);
  });

  it('is since the term before, for an adjustment of the same kind and amount', () => {
    const sinceFor = (type: string, amount: string, own: PriceAdjustment | null = fixed('-4.00')) =>
      adjustmentSince(
        { ...content, priceAdjustment: own },
        taking({ adjustment: { type, amount, since: FIRST } }),
      );
    expect(sinceFor('fixed', '-4')).toBe(FIRST);
    expect(sinceFor('fixed', '-4.5')).toBe(TENTH);
    expect(sinceFor('price_override', '-4')).toBe(TENTH);
    expect(sinceFor('fixed', '-4', null)).toBe(TENTH);
    expect(adjustmentSince(content, taking({}))).toBe(TENTH);
    expect(adjustmentSince(content, aTerm(content).term)).toBe(FIRST);
  });

  it('is since the window of the term before, for a metric whose usage was transferred', () => {
    const term = taking({ usage: [{ metricId: calls, since: FIRST }] });
    expect([usageSince(calls, term), usageSince(seats, term)]).toEqual([FIRST, TENTH]);
    expect(usageSince(calls, aTerm(content).term)).toBe(FIRST);
  });
});

describe('prepaid units that continue', () => {
  const component = aComponent({ prepaid: { units: '10', behavior: 'prorate' }, tiers: [perUnit('2.00')] });
  const prepaid = aContent({ components: [component] });
  const change = (units: string, at: string) => ({
    ...{ metricId: calls, units, unitsBefore: '10', effectiveAt: instant(at), invoiceNow: true },
  });
  const unitsAt = (at: string, prepaidChanges: PrepaidChange[] = [], own = prepaid) => {
    const { term } = aTerm(own);
    return carriedOverAtSwitch(term, own, instant(at), { ...SEPARATE, prepaidChanges }).units;
  };
  const carried = { metricId: calls, amount: '20', resetInterval: null, since: FIRST };

  it('have the price of the latest units, since the price applies', () => {
    expect(unitsAt('2026-01-16')).toEqual([carried]);
    const changed = [change('15', '2026-01-05'), change('15', '2026-01-06')];
    expect(unitsAt('2026-01-16', changed)).toEqual([
      { ...carried, amount: '30', since: instant('2026-01-05') },
    ]);
    expect(unitsAt('2026-01-04', changed)).toEqual([carried]);
  });

  it('are none that are charged in full, or in a window that begins with the switch', () => {
    const full = aContent({ components: [{ ...component, prepaid: { units: '10', behavior: 'full' } }] });
    expect(unitsAt('2026-01-16', [], full)).toBeUndefined();
    const weekly = aContent({ components: [{ ...component, resetInterval: WEEK }] });
    expect(unitsAt('2026-01-15', [], weekly)).toBeUndefined();
    expect(unitsAt('2026-01-16', [], weekly)).toEqual([
      { ...carried, resetInterval: WEEK, since: instant('2026-01-15') },
    ]);
  });

  it('are charged since the term before at the same price, metric and windows', () => {
    const term = taking({ units: [carried] });
    const [same, other] = [quantity('20.00'), quantity('21')];
    expect(unitsSince(component, same, term)).toBe(FIRST);
    expect(unitsSince(component, other, term)).toBe(TENTH);
    expect(unitsSince({ ...component, resetInterval: WEEK }, same, term)).toBe(TENTH);
    expect(unitsSince({ ...component, metricId: seats }, same, term)).toBe(TENTH);
    expect(unitsSince(component, same, taking({}))).toBe(TENTH);
  });
});

describe('cumulative rounding over a renewal (docs/billing.md#cumulative-rounding)', () => {
  const ending = (end: string, prices = content) =>
    carriedOverAtRenewal({ term: aTerm(prices, { end }).term }, prices);

  it('continues after an end that was set inside a period, for charges prorated against that period', () => {
    const end = instant('2026-02-10');
    expect(ending(end)).toEqual({
      termStart: end,
      periodStart: end,
      billedAt: end,
      fees: [{ amount: '30.00', resetInterval: null, since: FEBRUARY }],
      adjustment: { type: 'fixed', amount: '-4.00', since: FEBRUARY },
      usage: [],
    });
  });

  it('continues nothing at the end of a period, and where nothing is prorated', () => {
    expect(ending(FEBRUARY)).toBeUndefined();
    const unadjusted = { ...content, priceAdjustment: null };
    const full = { ...unadjusted, recurringCharges: [aCharge({ behavior: 'full' })] };
    expect(ending(MIDDLE, full)).toBeUndefined();
    expect(
      ending(MIDDLE, { ...unadjusted, recurringCharges: content.recurringCharges.slice(1) }),
    ).toBeUndefined();
    expect(ending(MIDDLE, { ...full, priceAdjustment: fixed('-4.00') })).toMatchObject({ fees: [] });
    expect(ending(MIDDLE, unadjusted)).toMatchObject({ adjustment: null, fees: [{ since: FIRST }] });
  });
});
