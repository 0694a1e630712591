import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sumExactly } from '../../../console/src/shared/exact-sum.js';

describe('a sum of amounts in the console', () => {
  it('is that of the decimals, not of the doubles', () => {
    expect(sumExactly([0.1, 0.2])).toBe(0.3);
    expect(sumExactly([0.05, -0.1, 1.005])).toBe(0.955);
    expect(sumExactly([])).toBe(0);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 })), (cents) => {
        const total = cents.reduce((sum, one) => sum + one, 0);
        expect(sumExactly(cents.map((one) => one / 100))).toBe(total / 100 + 0);
      }),
    );
  });
});
