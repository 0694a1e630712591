import { describe, expect, it } from '@jest/globals';
import { CURRENCIES } from '../../src/kernel/currencies.js';
import {
  addMoney,
  allocate,
  compareMoney,
  currencyUnit,
  fromExact,
  fromStored,
  isCurrency,
  isNegativeMoney,
  isZeroMoney,
  maxMoney,
  minMoney,
  minorUnits,
  money,
  negateMoney,
  percentOf,
  subtractMoney,
  sumMoney,
  toDecimal,
  toJsonNumber,
  toQuantity,
  toStored,
  zero,
} from '../../src/kernel/money.js';
import type { Money } from '../../src/kernel/money.js';
import { exactDecimalText, multiply, quantity, ratio } from '../../src/kernel/quantity.js';

const usd = (text: string): Money => fromExact(quantity(text), 'USD');
const shares = (total: Money, weights: string[]): string[] =>
  allocate(total, weights.map(usd)).map(toDecimal);

describe('money', () => {
  it.each([
    ['8.99', 14n, 28n, '4.50'],
    ['6.95', 21n, 30n, '4.87'],
    ['5.49', 39n, 366n, '0.59'],
    ['-8.99', 14n, 28n, '-4.50'],
    ['0.005', 1n, 1n, '0.01'],
    ['-0.005', 1n, 1n, '-0.01'],
    ['0.00499999', 1n, 1n, '0.00'],
  ])('is rounded once, half away from zero, to the minor unit: %s × %d/%d', (price, part, whole, amount) => {
    expect(toDecimal(fromExact(multiply(quantity(price), ratio(part, whole)), 'USD'))).toBe(amount);
  });

  it('has the minor unit of ISO 4217', () => {
    const third = ratio(1000n, 3n);
    expect(toDecimal(fromExact(third, 'JPY'))).toBe('333');
    expect(toDecimal(fromExact(third, 'KWD'))).toBe('333.333');
    expect(['USD', 'JPY', 'KWD', 'ISK', 'CLF'].map(minorUnits)).toEqual([2, 0, 3, 0, 4]);
  });

  it.each([
    ['USD', '0.50', '-29', '-0.15'],
    ['USD', '3.60', '-8.75', '-0.32'],
    ['JPY', '1000', '-33.333', '-333'],
    ['USD', '25.71', '23.33', '6.00'],
  ])('takes a percentage and rounds it once: %s %s at %s %%', (currency, base, rate, amount) => {
    expect(toDecimal(percentOf(fromExact(quantity(base), currency), quantity(rate)))).toBe(amount);
  });

  it('adds up exactly, past the digits of a double', () => {
    const large = money(9_007_199_254_740_993n, 'USD');
    expect(toDecimal(addMoney(large, money(1n, 'USD')))).toBe('90071992547409.94');
    expect(toDecimal(subtractMoney(usd('0.10'), usd('0.30')))).toBe('-0.20');
    expect(toDecimal(negateMoney(usd('-1.05')))).toBe('1.05');
    expect(toDecimal(sumMoney('USD', [usd('0.10'), usd('0.20'), usd('-0.05')]))).toBe('0.25');
    expect(toDecimal(sumMoney('JPY', []))).toBe('0');
    expect(exactDecimalText(toQuantity(usd('-12.30')))).toBe('-12.3');
  });

  it('compares within one currency', () => {
    const pairs = [
      ['1', '2'],
      ['2', '1'],
      ['-2', '-2'],
    ] as const;
    expect(pairs.map(([a, b]) => compareMoney(usd(a), usd(b)))).toEqual([-1, 1, 0]);
    expect(toDecimal(minMoney(usd('1'), usd('2')))).toBe('1.00');
    expect(toDecimal(maxMoney(usd('1'), usd('2')))).toBe('2.00');
    expect([isZeroMoney(zero('EUR')), isNegativeMoney(zero('EUR')), isNegativeMoney(usd('-0.01'))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('of two currencies never meets', () => {
    const yen = money(1n, 'JPY');
    expect(() => addMoney(usd('1'), yen)).toThrow('USD does not add up with JPY');
    expect(() => subtractMoney(usd('1'), yen)).toThrow();
    expect(() => compareMoney(usd('1'), yen)).toThrow();
    expect(() => sumMoney('USD', [usd('1'), yen])).toThrow();
    expect(() => sumMoney('USD', [yen])).toThrow();
  });

  it('is stored as minor units with their scale and read back the same', () => {
    expect(toStored(usd('-12.3'))).toEqual({ amount: '-1230', currency: 'USD', scale: 2 });
    const stored = { amount: '-1234', currency: 'KWD', scale: 3 };
    expect(toStored(fromStored(stored))).toEqual(stored);
    expect(toDecimal(fromStored(stored))).toBe('-1.234');
    expect(() => JSON.stringify(usd('1'))).toThrow(TypeError);
  });

  it.each([
    [{ amount: '1234', currency: 'USD', scale: 3 }, 'USD has 2 decimals, not 3'],
    [{ amount: '12.34', currency: 'USD', scale: 2 }, 'not an amount: 12.34'],
    [{ amount: '', currency: 'USD', scale: 2 }, 'not an amount: '],
    [{ amount: '1', currency: 'XXX', scale: 2 }, 'not a currency of ISO 4217: XXX'],
  ])('is not read from what cannot be it: %j', (stored, why) => {
    expect(() => fromStored(stored)).toThrow(new RangeError(why));
  });

  it.each([
    [1230n, 'USD', '12.30', 12.3],
    [-5n, 'USD', '-0.05', -0.05],
    [0n, 'USD', '0.00', 0],
    [-1234n, 'JPY', '-1234', -1234],
    [7n, 'KWD', '0.007', 0.007],
    [999_999_999_999n, 'USD', '9999999999.99', 9999999999.99],
  ])('is shown with all its decimals and as the nearest number: %d %s', (minor, currency, text, number) => {
    expect(toDecimal(money(minor, currency))).toBe(text);
    expect(toJsonNumber(money(minor, currency))).toBe(number);
  });
});

describe('sharing an amount by largest remainder (docs/billing.md#tax)', () => {
  it.each([
    ['10.00', ['1', '1', '1'], ['3.34', '3.33', '3.33']],
    ['0.02', ['1', '1', '1'], ['0.01', '0.01', '0.00']],
    ['0.05', ['10', '30', '60'], ['0.01', '0.01', '0.03']],
    ['-10.00', ['1', '1', '1'], ['-3.34', '-3.33', '-3.33']],
    ['-4.00', ['30.00', '10.00'], ['-3.00', '-1.00']],
    ['1.00', ['0', '5', '0'], ['0.00', '1.00', '0.00']],
    ['0.00', ['1', '2'], ['0.00', '0.00']],
    ['0.01', ['0', '0'], ['0.01', '0.00']],
    ['20.00', ['0', '0', '0'], ['6.67', '6.67', '6.66']],
    ['0.00', [], []],
    ['7.00', ['0.01', '9999999999.99'], ['0.00', '7.00']],
  ])('%s by %j', (total, weights, expected) => {
    expect(shares(usd(total), weights)).toEqual(expected);
  });

  it('gives what is left to the largest remainder, not to the largest share', () => {
    expect(shares(usd('0.10'), ['0.36', '0.64'])).toEqual(['0.04', '0.06']);
    expect(shares(usd('1.00'), ['1.00', '2.00'])).toEqual(['0.33', '0.67']);
  });

  it('is refused with a negative weight and among nobody', () => {
    expect(() => shares(usd('1.00'), ['2', '-1'])).toThrow('A weight cannot be negative.');
    expect(() => shares(usd('1.00'), [])).toThrow('An amount needs a weight to be allocated by.');
  });
});

describe('the currencies', () => {
  it('are found by their code in capitals', () => {
    expect(isCurrency('EUR')).toBe(true);
    expect(['eur', 'EURO', '', 'XXX', '__proto__', 'constructor'].filter(isCurrency)).toEqual([]);
    expect(() => money(1n, 'XXX')).toThrow(RangeError);
    expect(currencyUnit('PLN')).toEqual({ code: 'PLN', name: 'Zloty', symbol: 'zł' });
    expect(currencyUnit('TTD').name).toBe('Trinidad and Tobago Dollar');
    expect(() => currencyUnit('XXX')).toThrow(RangeError);
  });

  it('fit the bounds of docs/contract.md#limits, each in a row of its own', () => {
    expect(CURRENCIES.size).toBeGreaterThan(150);
    for (const [code, { minorUnits: digits, name, symbol }] of CURRENCIES) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect([0, 2, 3, 4]).toContain(digits);
      expect(name).toMatch(/^\S.{1,98}\S$/);
      expect(symbol).toMatch(/^\S{1,10}$/);
    }
  });
});
