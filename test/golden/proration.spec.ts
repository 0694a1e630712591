import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { fromExact, negateMoney, percentOf, subtractMoney, toDecimal } from '../../src/kernel/money.js';
import { anchorOf, nextBoundary, fractionOf, fullPeriodOf, intervalOf } from '../../src/kernel/period.js';
import type { Period, PlanDuration, ProrationBasis } from '../../src/kernel/period.js';
import { divide, multiply, quantity, ratio, roundHalfAwayFromZero } from '../../src/kernel/quantity.js';
import type { Quantity } from '../../src/kernel/quantity.js';
import { caseOf, modelsOf, peers, reference } from './cases.js';
import type { Model } from './cases.js';

interface ProrateModel extends Model {
  readonly kind: 'prorate';
  readonly parts: readonly {
    readonly price: string;
    readonly segment?: readonly [string, string];
    readonly full_period?: readonly [string, string];
    readonly basis?: ProrationBasis;
    readonly timezone?: string;
    readonly fraction: string;
    readonly amount: string;
    readonly given_back?: string;
  }[];
  readonly tax?: readonly { readonly base: string; readonly rate: string; readonly amount: string }[];
}

interface LawModel extends Model {
  readonly kind: 'law';
  readonly round_negative: readonly (readonly [string, string])[];
  readonly kept_and_given_back: readonly { price: string; used: string; kept: string; given_back: string }[];
}

const periodOf = ([start, end]: readonly [string, string]): Period => ({
  start: instant(start),
  end: instant(end),
});
/** `14/28`, or a whole number. */
const ratioOf = (text: string): Quantity => {
  const [n, d = 1n] = text.split('/').map(BigInt) as [bigint, bigint?];
  return ratio(n, d);
};
const MINUS_ONE = ratio(-1n, 1n);
const usd = (text: string) => fromExact(quantity(text), 'USD');

describe('golden cases: proration', () => {
  const models = modelsOf<ProrateModel>('prorate');

  it.each(models)('$id', ({ model }) => {
    for (const part of model.parts) {
      const fraction = ratioOf(part.fraction);
      if (part.segment) {
        const { basis, timezone } = part;
        const measured = fractionOf(periodOf(part.segment), periodOf(part.full_period!), basis!, timezone!);
        expect(measured).toEqual(fraction);
      }
      const amount = fromExact(multiply(quantity(part.price), fraction), 'USD');
      expect(toDecimal(amount)).toBe(part.amount);
      if (part.given_back) expect(toDecimal(subtractMoney(usd(part.price), amount))).toBe(part.given_back);
    }
    for (const { base, rate, amount } of model.tax ?? []) {
      expect(toDecimal(percentOf(usd(base), quantity(rate)))).toBe(amount);
    }
  });

  it('are all there', () => expect(models).toHaveLength(6));
});

describe('golden cases: laws of rounding', () => {
  it.each(modelsOf<LawModel>('law'))('$id', ({ model }) => {
    for (const [exact, rounded] of model.round_negative) {
      expect(toDecimal(usd(exact))).toBe(rounded);
      expect(toDecimal(negateMoney(usd(exact)))).toBe(
        toDecimal(fromExact(multiply(quantity(exact), MINUS_ONE), 'USD')),
      );
    }
    for (const { price, used, kept, given_back } of model.kept_and_given_back) {
      const part = fromExact(multiply(quantity(price), ratioOf(used)), 'USD');
      expect(toDecimal(part)).toBe(kept);
      expect(toDecimal(subtractMoney(usd(price), part))).toBe(given_back);
      expect(toDecimal(negateMoney(part))).toBe(`-${kept}`);
    }
  });

  it('are all there', () => expect(modelsOf('law')).toHaveLength(1));
});

describe('golden cases: the sums behind the figures', () => {
  const checked = peers.filter(({ check }) => check);

  it.each(checked)('$id', ({ check }) => {
    const rounded = check!.map(({ num, den }) => roundHalfAwayFromZero(divide(ratioOf(num), ratioOf(den))));
    expect(rounded).toEqual(check!.map(({ minor }) => BigInt(minor)));
  });

  it('are all there', () => expect(checked.length).toBeGreaterThan(40));
});

describe('golden cases: first fees of the interface', () => {
  /**
   * Values that the cases state in words: duration, day anchor and start; the charge is 31.00, prorated, in advance.
   */
  const inWords: Record<string, [PlanDuration, number | null, string]> = {
    'prorate-anchored-month': ['monthly', 1, '2026-01-11T00:00:00Z'],
    'prorate-short-month-full': ['monthly', null, '2026-01-31T00:00:00Z'],
    'prorate-anchored-quarter': ['quarterly', 1, '2026-02-11T00:00:00Z'],
  };

  it.each(Object.entries(inWords))('%s', (id, [duration, day, text]) => {
    const start = instant(text);
    const interval = intervalOf(duration);
    const anchor = anchorOf(start, 'UTC', interval, day, null);
    const term = { start, end: nextBoundary(start, 'UTC', interval, anchor) };
    const fraction = fractionOf(term, fullPeriodOf(start, 'UTC', interval, anchor), 'second', 'UTC');
    expect(toDecimal(fromExact(multiply(quantity('31.00'), fraction), 'USD'))).toBe(
      caseOf(id).expect!.amount,
    );
  });

  it('are all restated', () => {
    const ids = reference.filter(({ area }) => area === 'proration').map(({ id }) => id);
    expect(Object.keys(inWords).sort()).toEqual(ids.sort());
  });
});
