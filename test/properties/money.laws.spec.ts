import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  allocate,
  compareMoney,
  fromExact,
  fromStored,
  isZeroMoney,
  minorOf,
  minorUnits,
  money,
  negateMoney,
  subtractMoney,
  sumMoney,
  toDecimal,
  toQuantity,
  toStored,
} from '../../src/kernel/money.js';
import { fromMicros, toMicros } from '../../src/kernel/instant.js';
import { fullPeriodOf } from '../../src/kernel/period.js';
import { cumulativelyRounded, proratedPart } from '../../src/pricing/proration.js';
import {
  ONE,
  ZERO,
  add,
  ceil,
  compareQuantities,
  exactDecimalText,
  floor,
  multiply,
  quantity,
  ratio,
  roundHalfAwayFromZero,
  subtract as difference,
} from '../../src/kernel/quantity.js';
import { aContent, aTerm } from '../support/builders/billing.js';
import { grids, prices, quantities } from './arbitraries.js';

const currencies = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF');
const amounts = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), currencies);
const ratios = fc
  .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
  .map(([n, d]) => ratio(n, d));

describe('laws of rounding', () => {
  it('is the nearest integer, and rounds −x to the mirror of x', () => {
    fc.assert(
      fc.property(ratios, (q) => {
        const rounded = roundHalfAwayFromZero(q);
        const distance = difference(q, ratio(rounded, 1n));
        expect(compareQuantities(multiply(distance, distance), ratio(1n, 4n))).toBeLessThanOrEqual(0);
        expect(roundHalfAwayFromZero(multiply(q, ratio(-1n, 1n)))).toBe(-rounded);
        expect([floor(q), ceil(q)]).toContain(rounded);
        expect(ceil(q) - floor(q)).toBe(compareQuantities(q, ratio(floor(q), 1n)) === 0 ? 0n : 1n);
      }),
    );
  });

  it('takes every half away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (whole) => {
        expect(roundHalfAwayFromZero(ratio(2n * whole + 1n, 2n))).toBe(whole + 1n);
        expect(roundHalfAwayFromZero(ratio(-2n * whole - 1n, 2n))).toBe(-whole - 1n);
      }),
    );
  });
});

describe('laws of text', () => {
  it('a quantity survives its exact text, and equal quantities have one', () => {
    fc.assert(
      fc.property(quantities, fc.nat({ max: 5 }), (q, zeros) => {
        const text = exactDecimalText(q);
        expect(quantity(text)).toEqual(q);
        const padded = text.includes('.') ? text + '0'.repeat(zeros) : text;
        expect(exactDecimalText(quantity(padded))).toBe(text);
      }),
    );
  });

  it('money survives being stored and being written', () => {
    fc.assert(
      fc.property(amounts, ([minor, currency]) => {
        const m = money(minor, currency);
        expect(minorOf(fromStored(JSON.parse(JSON.stringify(toStored(m)))))).toBe(minor);
        expect(minorOf(fromExact(quantity(toDecimal(m)), currency))).toBe(minor);
        expect(minorOf(fromExact(toQuantity(m), currency))).toBe(minor);
        expect(toDecimal(m).split('.')[1]?.length ?? 0).toBe(minorUnits(currency));
      }),
    );
  });
});

describe('partition law (docs/billing.md#cumulative-rounding)', () => {
  /** Increasing fractions from 0 to 1. */
  const cuts = fc
    .array(fc.integer({ min: 0, max: 366 }), { maxLength: 12 })
    .map((days) => [ZERO, ...days.sort((a, b) => a - b).map((day) => ratio(BigInt(day), 366n)), ONE]);

  it('parts of one period at one price sum to the price', () => {
    fc.assert(
      fc.property(prices, cuts, currencies, (price, points, currency) => {
        const parts = points
          .slice(1)
          .map((upTo, index) => cumulativelyRounded(price, points[index]!, upTo, currency));
        expect(toStored(sumMoney(currency, parts))).toEqual(toStored(fromExact(price, currency)));
      }),
    );
  });

  it('a part is within one minor unit of its exact share', () => {
    fc.assert(
      fc.property(prices, cuts, (price, points) => {
        points.slice(1).forEach((upTo, index) => {
          const before = points[index]!;
          const exact = fromExact(multiply(price, difference(upTo, before)), 'USD');
          const apart = minorOf(subtractMoney(cumulativelyRounded(price, before, upTo, 'USD'), exact));
          expect(apart >= -1n && apart <= 1n).toBe(true);
        });
      }),
    );
  });
});

describe('partition law of billed parts (docs/billing.md#cumulative-rounding)', () => {
  const cutPoints = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 6 });
  const bases = fc.constantFrom('second' as const, 'day' as const);

  it('parts of a full period that switches cut at any instant sum to its price', () => {
    fc.assert(
      fc.property(
        grids,
        prices,
        currencies,
        cutPoints,
        bases,
        (grid, price, currency, cuts, prorationBasis) => {
          const full = fullPeriodOf(grid.start, grid.zone, grid.interval, grid.anchor);
          const basis = { ...aTerm(aContent()).term.basis, zone: grid.zone, currency, prorationBasis };
          const length = toMicros(full.end) - toMicros(full.start);
          const inside = cuts
            .sort((a, b) => a - b)
            .map((cut) => fromMicros(toMicros(full.start) + (length * BigInt(cut)) / 1000n));
          const bounds = [full.start, ...inside, full.end];
          const parts = bounds.slice(1).map((end, index) => {
            const term = {
              term: { start: bounds[index]!, end, basis },
              endedBy: end === full.end ? null : ('switched' as const),
            };
            return proratedPart(price, full.start, { start: bounds[index]!, end }, full, term);
          });
          expect(toStored(fromExact(parts.reduce(add, ZERO), currency))).toEqual(
            toStored(fromExact(price, currency)),
          );
        },
      ),
    );
  });
});

describe('laws of sharing (docs/billing.md#tax)', () => {
  const weight = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((minor) => money(minor, 'USD'));
  const weights = fc.array(weight, { minLength: 1, maxLength: 25 });

  it('conserves the total', () => {
    fc.assert(
      fc.property(amounts, weights, ([minor, currency], shares) => {
        const total = money(minor, currency);
        expect(minorOf(sumMoney(currency, allocate(total, shares)))).toBe(minor);
      }),
    );
  });

  it('gives each less than one minor unit from its exact share, and nothing to a weight of 0', () => {
    fc.assert(
      fc.property(amounts, weights, ([minor, currency], shares) => {
        const whole = minorOf(sumMoney('USD', shares));
        fc.pre(whole > 0n);
        allocate(money(minor, currency), shares).forEach((share, index) => {
          const exact = multiply(ratio(minor, 1n), ratio(minorOf(shares[index]!), whole));
          const apart = difference(ratio(minorOf(share), 1n), exact);
          expect(compareQuantities(multiply(apart, apart), ONE)).toBeLessThan(0);
          if (isZeroMoney(shares[index]!)) expect(minorOf(share)).toBe(0n);
        });
      }),
    );
  });

  it('mirrors a negative total exactly', () => {
    fc.assert(
      fc.property(amounts, weights, ([minor, currency], shares) => {
        const total = money(minor, currency);
        expect(allocate(negateMoney(total), shares).map(minorOf)).toEqual(
          allocate(total, shares).map((share) => -minorOf(share)),
        );
      }),
    );
  });

  it('prefers a larger weight to a smaller, and of equal ones the earlier', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), weights, (minor, shares) => {
        const given = allocate(money(minor, 'USD'), shares).map(minorOf);
        for (let a = 0; a < shares.length; a += 1) {
          for (let b = a + 1; b < shares.length; b += 1) {
            const order = compareMoney(shares[a]!, shares[b]!);
            if (order >= 0) expect(given[a]! >= given[b]!).toBe(true);
            else expect(given[a]! <= given[b]!).toBe(true);
          }
        }
      }),
    );
  });
});
