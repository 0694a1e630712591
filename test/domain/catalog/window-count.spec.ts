import { describe, expect, it } from '@jest/globals';
import type { PriceContent } from '../../../src/pricing/price-content.js';
import { requireBillableWindows, estimateWindows } from '../../../src/catalog/domain/window-count.js';
import type { Interval } from '../../../src/kernel/period.js';

const charged = (...intervals: (Interval | null)[]): PriceContent => ({
  currency: 'USD',
  recurringCharges: intervals.map((resetInterval, n) => ({
    name: `fee ${n}`,
    timing: 'in_advance',
    behavior: 'prorate',
    amount: '1',
    invoicingInterval: null,
    resetInterval,
  })),
  components: [],
  priceAdjustment: null,
});
const DAILY: Interval = { unit: 'day', count: 1 };
const MONTHLY: Interval = { unit: 'month', count: 1 };
const years = (count: number): Interval => ({ unit: 'year', count });

describe('the windows of a plan', () => {
  it('are counted per charge, its billing periods and its reset intervals', () => {
    expect(estimateWindows(300, charged(null), MONTHLY)).toBe(10);
    expect(estimateWindows(300, charged(DAILY, null), MONTHLY)).toBe(10 + 10 + 300);
    expect(estimateWindows(-5, charged(DAILY), MONTHLY)).toBeLessThanOrEqual(0);
  });

  it('of one billing period are so few that they can be billed', () => {
    expect(() => requireBillableWindows('yearly', charged(...Array<Interval>(27).fill(DAILY)))).not.toThrow();
    expect(() => requireBillableWindows('yearly', charged(...Array<Interval>(28).fill(DAILY)))).toThrow(
      /more than 10,000 windows/,
    );
    expect(() => requireBillableWindows(null, charged(years(27), DAILY))).not.toThrow();
    expect(() => requireBillableWindows(null, charged(null))).not.toThrow();
  });

  it('lie in a billing period that ends within anybody’s lifetime', () => {
    expect(() => requireBillableWindows(null, charged(years(32_767)))).toThrow(/at most 10,000 days/);
    expect(() => requireBillableWindows('monthly', charged(years(32_767)))).not.toThrow();
  });
});
