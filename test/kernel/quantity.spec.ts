import { describe, expect, it } from '@jest/globals';
import {
  ONE,
  ZERO,
  add,
  ceil,
  compareQuantities,
  divide,
  exactDecimalText,
  exactText,
  floor,
  isNegative,
  isZero,
  maxQuantity,
  minQuantity,
  multiply,
  quantity,
  quantityOfNumber,
  ratio,
  readExactText,
  readJsonNumber,
  roundHalfAwayFromZero,
  subtract,
  toDecimalText,
} from '../../src/kernel/quantity.js';

const text = (value: string) => exactDecimalText(quantity(value));

describe('a quantity', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['007.50', '7.5'],
    ['+5', '5'],
    ['-12.034', '-12.034'],
    ['1e3', '1000'],
    ['1.5E+2', '150'],
    ['1e-7', '0.0000001'],
    ['-2.50e-2', '-0.025'],
    ['0.0000001', '0.0000001'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  ])('is read from decimal text as it stands: %s', (written, shown) => {
    expect(text(written)).toBe(shown);
  });

  it.each([
    '',
    ' ',
    '1 ',
    '.5',
    '5.',
    '1/3',
    '1_000',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '--1',
    '1e401',
    "0.'3'",
  ])('is not read from %j', (written) => expect(() => quantity(written)).toThrow(RangeError));

  it('of a number is its shortest decimal text, not its double', () => {
    expect(exactDecimalText(quantityOfNumber(0.1))).toBe('0.1');
    expect(exactDecimalText(quantityOfNumber(1e21))).toBe('1000000000000000000000');
    expect(exactDecimalText(quantityOfNumber(5e-324))).toMatch(/^0\.0{323}5$/);
    expect(() => quantityOfNumber(Number.NaN)).toThrow(RangeError);
  });

  it('is exact in every operation', () => {
    expect(add(quantity('0.1'), quantity('0.2'))).toEqual(quantity('0.3'));
    expect(subtract(ONE, ratio(1n, 3n))).toEqual(ratio(2n, 3n));
    expect(multiply(ratio(1n, 3n), quantity('3'))).toEqual(ONE);
    expect(divide(quantity('0.07'), quantity('0.01'))).toEqual(quantity('7'));
    expect(() => divide(ONE, ZERO)).toThrow();
    expect(() => ratio(1n, 0n)).toThrow();
  });

  it('compares by value', () => {
    expect(compareQuantities(ratio(1n, 3n), quantity('0.333'))).toBeGreaterThan(0);
    expect(compareQuantities(quantity('-1'), ZERO)).toBeLessThan(0);
    expect(compareQuantities(quantity('1.0'), ONE)).toBe(0);
    expect(minQuantity(ONE, ZERO)).toBe(ZERO);
    expect(maxQuantity(ONE, ZERO)).toBe(ONE);
    expect([isZero(ZERO), isZero(ONE), isNegative(ZERO), isNegative(quantity('-0.1'))]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['0.5', 1n, 0n, 1n],
    ['-0.5', -1n, -1n, 0n],
    ['0.4999999999999999', 0n, 0n, 1n],
    ['-1.5', -2n, -2n, -1n],
    ['2.5', 3n, 2n, 3n],
    ['7', 7n, 7n, 7n],
    ['-7', -7n, -7n, -7n],
    ['0', 0n, 0n, 0n],
  ])(
    'rounds half away from zero, floors down and ceils up on both sides of zero: %s',
    (written, half, down, up) => {
      const q = quantity(written);
      expect([roundHalfAwayFromZero(q), floor(q), ceil(q)]).toEqual([half, down, up]);
    },
  );

  it('is shown with at most ten decimals, half away from zero, without trailing zeros', () => {
    expect(toDecimalText(ratio(1n, 3n))).toBe('0.3333333333');
    expect(toDecimalText(ratio(-2n, 3n))).toBe('-0.6666666667');
    expect(toDecimalText(quantity('12.5000'))).toBe('12.5');
    expect(toDecimalText(quantity('100'))).toBe('100');
    expect(toDecimalText(quantity('-0.00000000004'))).toBe('0');
    expect(toDecimalText(quantity('-0.00000000005'))).toBe('-0.0000000001');
    expect(toDecimalText(quantity('2.345'), 2)).toBe('2.35');
    expect(toDecimalText(quantity('2.5'), 0)).toBe('3');
  });

  it('is stored with every digit, or not at all', () => {
    expect(exactDecimalText(ratio(-1n, 8n))).toBe('-0.125');
    expect(exactDecimalText(ratio(3n, 200n))).toBe('0.015');
    expect(() => exactDecimalText(ratio(1n, 3n))).toThrow(RangeError);
  });

  it('is stored with every digit of the smallest and the largest numbers', () => {
    for (const digits of ['1', '5', '625', '123456789012345', '100000000000001']) {
      for (let zeros = 0; zeros < 320; zeros++) {
        const decimal = `0.${'0'.repeat(zeros)}${digits}`;
        expect(text(decimal)).toBe(decimal);
        const whole = `${digits}${'0'.repeat(zeros)}`;
        expect(text(whole)).toBe(whole);
      }
    }
  });

  it.each([
    [0, 1000],
    [1000, 0],
    [1, 64],
    [63, 1],
    [127, 128],
  ])('is stored with as many decimals as 2^%i × 5^%i needs', (twos, fives) => {
    const written = exactText(ratio(1n, 2n ** BigInt(twos) * 5n ** BigInt(fives)));
    expect(written.split('.')[1]).toHaveLength(Math.max(twos, fives));
    expect(quantity(written)).toEqual(ratio(1n, 2n ** BigInt(twos) * 5n ** BigInt(fives)));
    const third = ratio(1n, 3n * 2n ** BigInt(twos) * 5n ** BigInt(fives));
    expect(readExactText(exactText(third))).toEqual(third);
  });
});

describe('the value of an event (docs/billing.md#event-values)', () => {
  it.each([
    [5, '5'],
    [-0.25, '-0.25'],
    [0, '0'],
    [-0, '0'],
    [1e20, '100000000000000000000'],
    ['5', '5'],
    ['-5.50', '-5.5'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['0.000', '0'],
    ['0e9999', '0'],
    ['123456789012345', '123456789012345'],
    ['0.00123456789012345', '0.00123456789012345'],
    ['1.000000000000000000000000', '1'],
    ['100000000000000000000', '100000000000000000000'],
    ['9e307', `9${'0'.repeat(307)}`],
    ['0.'.padEnd(390, '0') + '1e389', '1'],
  ])('is a number, or a string that is a JSON number: %j', (value, read) => {
    expect(exactDecimalText(readJsonNumber(value)!)).toBe(read);
  });

  it.each([
    ['1234567890123456'],
    [0.1 + 0.2],
    ['0.30000000000000004'],
    [''],
    [' 5'],
    ['5\n'],
    ['+5'],
    ['05'],
    ['.5'],
    ['5.'],
    ['1,5'],
    ['0x10'],
    ['NaN'],
    ['Infinity'],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['1e308'],
    ['1e-308'],
    ['0.'.padEnd(390, '0') + '1e999'],
    ['1e999999999'],
    ['0'.padStart(401, '0')],
    ['0.'.padEnd(500, '0')],
    [null],
    [undefined],
    [true],
    [5n],
    [[5]],
    [{ valueOf: () => 5 }],
  ])('is absent where it is anything else, or has more than 15 significant digits: %p', (value) => {
    expect(readJsonNumber(value)).toBeUndefined();
  });
});
