import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { fromExact, toDecimal } from '../../src/kernel/money.js';
import { fractionOf } from '../../src/kernel/period.js';
import type { Period } from '../../src/kernel/period.js';
import { cumulativelyRounded } from '../../src/pricing/proration.js';
import { ONE, ZERO, multiply, quantity, ratio } from '../../src/kernel/quantity.js';

const period = (start: string, end: string): Period => ({ start: instant(start), end: instant(end) });
const january = period('2026-01-01', '2026-02-01');
const paris = 'Europe/Paris';

describe('a fraction by elapsed time (docs/billing.md#proration)', () => {
  it.each([
    ['31.00', period('2026-01-11', '2026-02-01'), january, '21.00'],
    ['31.00', period('2026-01-01T12:00:00Z', '2026-02-01'), january, '30.50'],
    ['31.00', period('2026-02-11', '2026-05-01'), period('2026-02-01', '2026-05-01'), '27.52'],
    ['31.00', period('2026-01-31', '2026-02-28'), period('2026-01-31', '2026-02-28'), '31.00'],
    ['1000.00', period('2024-02-18', '2024-09-05'), period('2024-02-18', '2025-02-18'), '546.45'],
    ['3000.00', period('2024-09-05', '2025-02-18'), period('2024-02-18', '2025-02-18'), '1360.66'],
  ])('%s for %j of %j is %4$s', (price, segment, full, amount) => {
    const exact = multiply(quantity(price), fractionOf(segment, full, 'second', 'UTC'));
    expect(toDecimal(fromExact(exact, 'USD'))).toBe(amount);
  });

  it('counts the true hours of a day on which the clock changes', () => {
    const march = period('2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z');
    const short = period('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z');
    expect(fractionOf(short, march, 'second', paris)).toEqual(ratio(23n, 31n * 24n - 1n));
    expect(fractionOf(short, march, 'day', paris)).toEqual(ratio(1n, 31n));
  });
});

describe('a fraction by days (docs/billing.md#proration)', () => {
  const days = (start: string, end: string, endDay: 'used' | 'next') =>
    fractionOf(period(start, end), january, 'day', 'UTC', { endDay });

  it('counts the day of starting whole', () => {
    expect(days('2026-01-11T09:00:00Z', '2026-02-01', 'next')).toEqual(ratio(21n, 31n));
  });

  it('counts the day of cancelling as used', () => {
    expect(days('2026-01-01', '2026-01-10T18:00:00Z', 'used')).toEqual(ratio(10n, 31n));
    expect(days('2026-01-01T03:00:00Z', '2026-01-01T18:00:00Z', 'used')).toEqual(ratio(1n, 31n));
    expect(days('2026-01-01', '2026-01-31T23:59:59Z', 'used')).toEqual(ONE);
  });

  it('gives the day of switching to the new plan, so that both shares make the whole', () => {
    expect(days('2026-01-01', '2026-01-12T10:00:00Z', 'next')).toEqual(ratio(11n, 31n));
    expect(days('2026-01-12T10:00:00Z', '2026-02-01', 'next')).toEqual(ratio(20n, 31n));
  });

  it('gives no day to a plan that was switched away from on its first day', () => {
    expect(days('2026-01-12T10:00:00Z', '2026-01-12T11:00:00Z', 'next')).toEqual(ZERO);
  });

  it('does not count the day that begins with a scheduled end at midnight', () => {
    expect(days('2026-01-01', '2026-02-01', 'next')).toEqual(ONE);
  });

  it('never exceeds its period', () => {
    expect(days('2026-01-01', '2026-02-01', 'used')).toEqual(ONE);
  });

  it('goes by the dates of its zone', () => {
    const karachi = period('2023-06-11T19:00:00Z', '2023-06-18T19:00:00Z');
    const segment = { ...karachi, start: instant('2023-06-16T20:00:00Z') };
    expect(fractionOf(segment, karachi, 'day', 'Asia/Karachi')).toEqual(ratio(2n, 7n));
  });
});

describe('a segment without elapsed time', () => {
  it.each(['second', 'day'] as const)('is nothing, in %s basis too', (basis) => {
    const at = period('2026-01-12T10:00:00Z', '2026-01-12T10:00:00Z');
    expect(fractionOf(at, january, basis, 'UTC', { endDay: 'used' })).toEqual(ZERO);
  });
});

describe('the price of a part of a period', () => {
  it('is the difference of rounded totals, so that the reversal is invoiced − kept', () => {
    const price = quantity('8.99');
    const half = ratio(14n, 28n);
    expect(toDecimal(cumulativelyRounded(price, ZERO, half, 'USD'))).toBe('4.50');
    expect(toDecimal(cumulativelyRounded(price, half, ONE, 'USD'))).toBe('4.49');
  });
});
