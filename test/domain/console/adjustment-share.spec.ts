import { describe, expect, it } from '@jest/globals';
import { shareOfAdjustment } from '../../../console/src/pages/invoices/adjustment-share.js';

const said = (...lines: number[]): string | null =>
  shareOfAdjustment(
    { allocation: { total: 1.67, base: 10.41, own_base: 3.47, lines } },
    (amount) => `$${amount}`,
  );

describe('the share that an adjustment has of a total', () => {
  it('is said with the total and the bases that it is shared by', () => {
    expect(said(1, 2, 3)).toBe('Share of $1.67, by $3.47 of $10.41 on lines 1, 2, 3');
    expect(said(1, 2, 3, 4, 5, 6)).toBe('Share of $1.67, by $3.47 of $10.41 on 6 lines');
  });

  it('is not said where the line has all of it, or an adjustment of its own', () => {
    expect(said(1)).toBeNull();
    expect(shareOfAdjustment({ allocation: null }, String)).toBeNull();
  });
});
