import { describe, expect, it } from '@jest/globals';
import type { BilledCharge } from '../../src/billing/accounts/domain/account-charges.js';
import { reversedTax, splitByTaxRate } from '../../src/billing/rating/tax.js';
import { minorOf, money } from '../../src/kernel/money.js';

type Part = BilledCharge['parts'][number];

const part = (taxRate: string | null, base: bigint, rest: Partial<Part> = {}): Part => ({
  taxRate,
  base,
  adjustments: 0n,
  tax: 0n,
  voidedBase: 0n,
  ...rest,
});
const charged = (parts: readonly Part[]): BilledCharge => ({
  base: 0n,
  adjustments: 0n,
  tax: 0n,
  taxRate: '20',
  parts,
  count: null,
  voidedQuantity: null,
});
const shares = (base: bigint, parts: readonly Part[] | undefined) =>
  splitByTaxRate(money(base, 'USD'), parts && charged(parts), '25', 'USD').map((share) => [
    share.taxRate,
    minorOf(share.base),
    share.reversedFrom?.taxRate,
  ]);

describe('a difference by tax rate (docs/billing.md#tax)', () => {
  const twice = [part('10', 1000n), part('20', 500n)];

  it('what is charged for the first time has the rate of the day', () => {
    expect(shares(700n, undefined)).toEqual([['25', 700n, undefined]]);
    expect(shares(700n, twice)).toEqual([['25', 700n, undefined]]);
  });

  it('of 0 is one share, with the rate of the day', () => {
    expect(shares(0n, undefined)).toEqual([['25', 0n, undefined]]);
    expect(shares(0n, twice)).toEqual([['25', 0n, undefined]]);
  });

  it('what is credited back has the rate it was charged with, the newest charge first', () => {
    expect(shares(-500n, twice)).toEqual([['20', -500n, '20']]);
    expect(shares(-501n, twice)).toEqual([
      ['20', -500n, '20'],
      ['10', -1n, '10'],
    ]);
    expect(shares(-1500n, twice)).toEqual([
      ['20', -500n, '20'],
      ['10', -1000n, '10'],
    ]);
    expect(shares(-100n, [part('10', 300n), part('20', 0n)])).toEqual([['10', -100n, '10']]);
  });

  describe('what a voided invoice had charged', () => {
    it('is charged again with its rate, and what is new with the rate of the day', () => {
      const voided = [part('10', 0n, { voidedBase: 1000n }), part('20', 500n)];
      expect(shares(1000n, voided)).toEqual([['10', 1000n, undefined]]);
      expect(shares(1200n, voided)).toEqual([
        ['10', 1000n, undefined],
        ['25', 200n, undefined],
      ]);
    });

    it('is charged with what is new in one share where the rate is the same', () =>
      expect(shares(1200n, [part('25', 0n, { voidedBase: 1000n })])).toEqual([['25', 1200n, undefined]]));

    it('is charged less where it has become cheaper, the newest charge first', () => {
      const both = [part('10', 0n, { voidedBase: 1000n }), part('20', 0n, { voidedBase: 500n })];
      expect(shares(1500n, both)).toEqual([
        ['20', 500n, undefined],
        ['10', 1000n, undefined],
      ]);
      expect(shares(600n, both)).toEqual([['10', 600n, undefined]]);
    });

    it('comes before the reversal of what was charged later', () => {
      const voided = [part('10', 0n, { voidedBase: 1000n }), part('20', 500n)];
      expect(shares(300n, voided)).toEqual([
        ['10', 800n, undefined],
        ['20', -500n, '20'],
      ]);
      expect(shares(0n, [part('10', 0n, { voidedBase: 400n }), part('20', 400n)])).toEqual([
        ['10', 400n, undefined],
        ['20', -400n, '20'],
      ]);
      expect(shares(0n, [part('10', 0n, { voidedBase: 400n })])).toEqual([['25', 0n, undefined]]);
    });
  });
});

describe('the tax of a reversal (docs/billing.md#reversals)', () => {
  const back = (given: bigint, of: Part, policy = '2026-2') =>
    minorOf(reversedTax(of, money(given, 'USD'), 'USD', policy));

  it('is what was charged less what is kept', () => {
    expect(back(-1000n, part('10', 1000n, { tax: 100n }))).toBe(-100n);
    expect(back(-790n, part('10', 1000n, { tax: 100n }))).toBe(-79n);
    // A base of 0.05 was charged a tax of 0.01; the tax of the 0.04 that are kept is 0.
    expect(back(-1n, part('10', 5n, { tax: 1n }))).toBe(-1n);
  });

  it('counts the price adjustment', () =>
    expect(back(-450n, part('10', 1000n, { adjustments: -100n, tax: 90n }))).toBe(-45n));

  it('is charged where the kept part has more than its share of a tax that was rounded once', () => {
    expect(back(-1n, part('10', 6n))).toBe(1n);
    expect(back(-1n, part('10', 6n), '2026-1')).toBe(0n);
  });

  it('is never more than was charged', () => {
    // The tax was rounded once over several lines, and the share of this line was 0.
    expect(back(-5n, part('10', 5n))).toBe(0n);
    expect(back(-1n, part('60', 3n, { tax: 1n }))).toBe(0n);
    expect(back(-1200n, part('10', 1000n, { tax: 100n }))).toBe(-100n);
  });

  it('is none where none was charged', () => expect(back(-500n, part(null, 1000n))).toBe(0n));
});
